// What Quarto brings to the table. Its pieces belong to both, so players are shown by their initial.
import type { Kit } from "@/table/kit";
import { ownSeat } from "@/table/names";
import { BOARD_RATIO } from "./board";
import type { Game, Move } from "./wire";
import { standingInWords } from "./words";

export const kit: Kit<Game, Move> = {
  ratio: BOARD_RATIO,
  status: (table, player) => {
    if (table.ended) return table.ended.winner === player ? "Winner" : "";
    return standingInWords(table.view, player, ownSeat(table) === player);
  },
};
