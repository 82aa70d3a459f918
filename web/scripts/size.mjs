// Fails when the shelf needs more than 115 KB of compressed JavaScript to open, or a game's code is in it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 115;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** A chunk and all that it cannot start without. */
function needed(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name].imports ?? []) needed(other, seen);
  return seen;
}

const kb = (name) =>
  gzipSync(readFileSync(new URL(manifest[name].file, dist)), { level: 9 }).length / 1000;
const total = (names) => names.reduce((sum, name) => sum + kb(name), 0);

const entry = Object.keys(manifest).find((name) => manifest[name].isEntry);
const first = needed(entry);
const shelf = total([...first]);
const print = (what, size) =>
  process.stdout.write(`${what.padEnd(42)}${size.toFixed(1).padStart(7)} KB\n`);

print("the shelf, first load", shelf);
for (const [name, { isDynamicEntry }] of Object.entries(manifest)) {
  if (isDynamicEntry)
    print(`+ ${name}`, total([...needed(name)].filter((part) => !first.has(part))));
}

const games = [...first].filter((name) => /^src\/games\/[^/]+\/(page|board)/.test(name));
if (games.length > 0) {
  process.stderr.write(`These belong to a game and must load with it: ${games.join(", ")}\n`);
  process.exit(1);
}
if (shelf > LIMIT_KB) {
  process.stderr.write(`The shelf may take ${LIMIT_KB} KB.\n`);
  process.exit(1);
}
