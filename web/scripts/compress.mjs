// Writes beside each built file what is sent to those who take it compressed: once, and as small as
// it gets, so that the server need not do it at every start.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const TEXT = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
const SMALLEST = 1024;
const dist = new URL("../dist/", import.meta.url);

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXT.test(entry.name)) continue;
  const path = `${entry.parentPath}/${entry.name}`;
  const body = readFileSync(path);
  if (body.length >= SMALLEST) writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
}
