// A game at the host's table, as the board draws it.
import { expect, it } from "vitest";
import { columnIn, viewOf } from "./shown";

const bit = (row: number, column: number): number => 2 ** (7 * column + row);

function after(columns: string, reason: string | null = null) {
  const heights = new Map<number, number>();
  const discs: [number, number] = [0, 0];
  const moves = [...columns].map((digit, turn): [number, number] => {
    const column = Number(digit);
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    discs[turn % 2 === 0 ? 0 : 1] += bit(row, column);
    return [column, turn];
  });
  const [red, yellow] = discs;
  return viewOf({ state: { red, yellow, moves, outcome: reason === null ? null : { reason } } });
}

it("has the lowest row at the bottom, and knows the last move", () => {
  const { board, lastMove, winning } = after("3366");
  expect(board).toHaveLength(42);
  expect(board.slice(35)).toBe("0001001");
  expect(board.slice(28, 35)).toBe("0002002");
  expect(lastMove).toEqual({ row: 4, column: 6 });
  expect(winning).toEqual([]);
  expect(after("").lastMove).toBeNull();
});

it("shows the four that won, and only once it is said that they did", () => {
  const rising = "01123223363";
  const places = after(rising, "CONNECT4").winning.map(({ row, column }) => [row, column]);
  expect(places.sort()).toEqual([
    [2, 3],
    [3, 2],
    [4, 1],
    [5, 0],
  ]);
  expect(after(rising, "RESIGNED").winning).toEqual([]);
});

it("does not run over the edge of the board", () => {
  const { winning } = after("6061626", "CONNECT4");
  expect(winning.map(({ column }) => column)).toEqual([6, 6, 6, 6]);
});

it("knows which column an action means", () => {
  expect(columnIn({ type: "drop", column: 3 })).toBe(3);
  expect(columnIn({ type: "resign" })).toBeNull();
});
