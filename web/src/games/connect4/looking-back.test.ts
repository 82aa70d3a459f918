// The server's positions, as the board draws them.
import { expect, it } from "vitest";
import { columnIn, viewOf } from "./looking-back";

it("lays the discs from the bottom row up, and marks the last", () => {
  const moves = [
    [0, 1],
    [6, 2],
    [0, 3],
  ];
  expect(viewOf({ state: { red: 0b11, yellow: 2 ** 42, moves } })).toEqual({
    board: `${"0".repeat(28)}1${"0".repeat(6)}1${"0".repeat(5)}2`,
    lastMove: { row: 4, column: 0 },
    winning: [],
  });
});

it("knows which column an action means", () => {
  expect(columnIn({ type: "drop", column: 3 })).toBe(3);
  expect(columnIn({ type: "resign" })).toBeNull();
});
