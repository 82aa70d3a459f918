// Connect 4 as the peers play it: in memory, without players' names, clocks or a record.

export const COLUMNS = 7;
export const ROWS = 6;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
];

export class Board {
  constructor() {
    this.reset();
  }

  reset() {
    /** 0 empty, 1 and 2 the players' discs; the bottom row first. */
    this.cells = new Array(COLUMNS * ROWS).fill(0);
    this.heights = new Array(COLUMNS).fill(0);
    this.moves = 0;
    this.over = false;
  }

  get turn() {
    return this.moves % 2;
  }

  /** Whether the disc was a legal one; then it lies there. */
  drop(seat, column) {
    if (this.over || seat !== this.turn || !(this.heights[column] < ROWS)) return false;
    const row = this.heights[column]++;
    this.cells[row * COLUMNS + column] = seat + 1;
    this.moves++;
    this.over = this.moves === COLUMNS * ROWS || this.#wins(column, row, seat + 1);
    return true;
  }

  #wins(column, row, disc) {
    return DIRECTIONS.some(([right, up]) => {
      const along = (sign) => {
        let count = 0;
        let c = column + sign * right;
        let r = row + sign * up;
        while (c >= 0 && c < COLUMNS && r >= 0 && r < ROWS && this.cells[r * COLUMNS + c] === disc) {
          count++;
          c += sign * right;
          r += sign * up;
        }
        return count;
      };
      return along(1) + along(-1) >= 3;
    });
  }

  /** What both players are told after each move. */
  shown() {
    return { n: this.moves, turn: this.turn, over: this.over, cells: this.cells };
  }
}
