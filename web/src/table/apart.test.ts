// The table's parts know no transport and no game: neither a socket's messages nor anybody's folder.
import { expect, it } from "vitest";

const files = import.meta.glob<string>("./*.{ts,tsx}", {
  eager: true,
  query: "?raw",
  import: "default",
});

it("takes from elsewhere only what belongs to no line and no game", () => {
  const found = Object.entries(files).flatMap(([file, text]) =>
    [...text.matchAll(/from "(@\/[^"]+)"/g)].map(([, from = ""]) => `${file} ${from}`),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((each) => /@\/(host|games|core\/(live|use-live|api))/.test(each))).toEqual(
    [],
  );
  const wire = Object.keys(files).filter((file) => /\bPlay[A-Z]\w+/.test(files[file] ?? ""));
  expect(wire).toEqual([]);
});
