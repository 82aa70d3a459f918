// The cells of the board: eight rows of eight, named as players name them, a1 in the upper left corner.
export const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7] as const;
export const LETTERS = "abcdefgh";

export const cellAt = (row: number, column: number): number => row * 8 + column;
export const rowOf = (cell: number): number => Math.floor(cell / 8);
export const columnOf = (cell: number): number => cell % 8;

export const cellName = (cell: number): string => `${LETTERS[columnOf(cell)]}${rowOf(cell) + 1}`;

/** How many cells lie between two, along a row, a column or a diagonal. */
export const distance = (one: number, other: number): number =>
  Math.max(Math.abs(rowOf(one) - rowOf(other)), Math.abs(columnOf(one) - columnOf(other)));
