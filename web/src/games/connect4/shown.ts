// A game of Connect 4 as the host's socket and its records tell it, for the board.
import type { View } from "./board";
import { COLUMNS, ROWS } from "./sides";

/** What the host shows of a game. A disc is a bit: seven to a column, the lowest row first. */
export interface Shown {
  state: {
    red: number;
    yellow: number;
    /** Column and time of each. */
    moves: readonly (readonly [number, number])[];
    outcome: { reason: string } | null;
  };
}

export type Action = { type: "drop"; column: number } | { type: "claim" } | { type: "resign" };

const BITS = COLUMNS;
const has = (discs: number, row: number, column: number): boolean =>
  Math.floor(discs / 2 ** (BITS * column + row)) % 2 === 1;

export const columnIn = (action: Action): number | null =>
  action.type === "drop" ? action.column : null;

export const columnsIn = (actions: readonly Action[]): number[] =>
  actions.flatMap((action) => columnIn(action) ?? []);

/** As the board draws it: rows from the top. */
export function viewOf({ state }: Shown): View {
  const { red, yellow, moves, outcome } = state;
  const mark = (row: number, column: number) =>
    has(red, row, column) ? "1" : has(yellow, row, column) ? "2" : "0";
  const rows = Array.from({ length: ROWS }, (_, row) => ROWS - 1 - row);
  const columns = Array.from({ length: COLUMNS }, (_, column) => column);
  const board = rows.map((row) => columns.map((column) => mark(row, column)).join("")).join("");
  const last = moves.at(-1)?.[0];
  const top = last === undefined ? -1 : rows.findIndex((row) => mark(row, last) !== "0");
  const lastMove = last === undefined || top < 0 ? null : { row: top, column: last };
  return {
    board,
    lastMove,
    winning: outcome?.reason === "CONNECT4" && lastMove ? alike(board, lastMove) : [],
  };
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;

/** The discs that won: those like the last one, in a line with it. */
function alike(board: string, from: { row: number; column: number }) {
  const at = (row: number, column: number) =>
    column < 0 || column >= COLUMNS ? undefined : board[row * COLUMNS + column];
  const own = at(from.row, from.column);
  const found = DIRECTIONS.flatMap(([down, right]) => {
    const line = [from];
    for (const way of [1, -1]) {
      let [row, column] = [from.row + way * down, from.column + way * right];
      while (row >= 0 && row < ROWS && at(row, column) === own) {
        line.push({ row, column });
        row += way * down;
        column += way * right;
      }
    }
    return line.length < 4 ? [] : line;
  });
  const once = new Map(found.map((place) => [`${place.row} ${place.column}`, place]));
  return [...once.values()];
}
