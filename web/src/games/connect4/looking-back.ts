// A game of Connect 4 as the host's socket and its records tell it, for the board.
import type { View } from "./board";
import { COLUMNS, ROWS } from "./sides";

/** What the server sends of a position. */
interface Told {
  state: { red: number; yellow: number; moves: [column: number, at: number][] };
}

/** Seven bits a column, the lowest cell first. They are more than bitwise operators take. */
const isSet = (discs: number, row: number, column: number): boolean =>
  Math.floor(discs / 2 ** (7 * column + row)) % 2 === 1;

export function viewOf(told: unknown): View {
  const { red, yellow, moves } = (told as Told).state;
  const mark = (row: number, column: number): string =>
    isSet(red, row, column) ? "1" : isSet(yellow, row, column) ? "2" : "0";
  const rows = Array.from({ length: ROWS }, (_, from) =>
    Array.from({ length: COLUMNS }, (__, column) => mark(ROWS - 1 - from, column)).join(""),
  );
  const column = moves.at(-1)?.[0] ?? null;
  const row = rows.findIndex((marks) => column !== null && marks[column] !== "0");
  return {
    board: rows.join(""),
    lastMove: column === null ? null : { row, column },
    winning: [],
  };
}

export function columnIn(told: unknown): number | null {
  const { type, column } = told as { type: string; column?: number };
  return type === "drop" && column !== undefined ? column : null;
}
