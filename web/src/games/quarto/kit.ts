// What Quarto brings to the table. Its pieces belong to both, so players are shown by their initial.
import type { Kit } from "@/table/kit";
import { ownSeat } from "@/table/names";
import { BOARD_RATIO } from "./board";
import { actionInWords, moveIn, viewOf } from "./shown";
import type { Game, Move } from "./wire";
import { standingInWords } from "./words";

export const kit: Kit<Game, Move> = {
  ratio: BOARD_RATIO,
  back: { view: viewOf, action: moveIn, words: actionInWords },
  status: (table, player) => {
    if (table.ended) return table.ended.winner === player ? "Winner" : "";
    return standingInWords(table.view, player, ownSeat(table) === player);
  },
  coach: ({ view, legal }) => {
    const placed = view.board.positions.filter((piece) => piece !== null).length;
    if (legal.some(({ type }) => type === "PLACE_PIECE"))
      return PLACING[placed > 3 ? 1 : 0] ?? null;
    if (legal.some(({ type }) => type === "SELECT_PIECE"))
      return GIVING[placed > 3 ? 1 : 0] ?? null;
    return null;
  },
};

const PLACING = [
  "Put the piece you were given on any free place.",
  "Four in a line that share one trait? Then call Quarto! with the yellow button.",
];
const GIVING = [
  "Choose the piece your opponent must place.",
  "Give none that would complete a line: they could call it.",
];
