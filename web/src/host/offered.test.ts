// The options of a game, however much the server says of them.
import { expect, it } from "vitest";
import { offeredIn } from "./offered";

it("takes them as they are described", () => {
  const rows = { name: "rows", title: "Rows", kind: "number", default: 4, least: 2, most: 8 };
  expect(offeredIn([rows])).toEqual([{ ...rows, choices: [] }]);
});

it("guesses from the usual what is not described, and leaves out what it cannot", () => {
  expect(offeredIn({ time_limit: 300, tools: true, mood: "calm" })).toEqual([
    { name: "time_limit", title: "Time limit", kind: "number", default: 300, choices: [] },
    { name: "tools", title: "Tools", kind: "switch", default: true, choices: [] },
  ]);
  expect(offeredIn(undefined)).toEqual([]);
});
