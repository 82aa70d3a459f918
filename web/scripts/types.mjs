// Writes the wire's types from the server's own documents; `--check` only says whether they are stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const web = new URL("../", import.meta.url);
const documents = [
  { from: "openapi.json", to: "src/core/openapi.gen.ts", what: "the REST surface" },
  { from: "sockets.json", to: "src/core/sockets.gen.ts", what: "the messages on sockets" },
];

let stale = false;
for (const { from, to, what } of documents) {
  const source = new URL(from, web);
  if (!existsSync(source)) continue;
  const tree = await openapiTS(source, { alphabetize: true, immutable: false });
  const text = `// Generated from ${from} by \`npm run types\`: ${what}.\n\n${astToString(tree)}`;
  const target = new URL(to, web);
  if (existsSync(target) && readFileSync(target, "utf8") === text) continue;
  stale = true;
  if (process.argv.includes("--check")) process.stderr.write(`${to} is stale: run npm run types\n`);
  else writeFileSync(target, text);
}
if (stale && process.argv.includes("--check")) process.exit(1);
