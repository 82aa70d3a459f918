// Quarto at the host's table: how its games are told there.
import type { Side } from "@/table/kit";
import { hosted } from "../game";
import { Board } from "./board";
import { HostTable } from "./host-table";
import { kit } from "./kit";
import { Piece } from "./piece";
import { historyIn } from "./shown";
import type { Game, Move } from "./wire";
import { stepInWords } from "./words";

/** The pieces belong to both: these stand for the two in pictures. */
const side = (name: string, piece: number): Side => ({
  name,
  color: "green",
  Token: ({ className = "" }) => <Piece piece={piece} className={className} />,
});

export default hosted<Game, Move>({
  ...kit,
  sides: [side("one", 13), side("the other", 2)],
  Board,
  Table: HostTable,
  // Its rules are drawn by rules.tsx, whichever line it is played over.
  rules: [],
  told: ({ kind, view }, who) => {
    const last = kind === "act" ? historyIn(view).at(-1) : undefined;
    return last === undefined ? "" : stepInWords(last, who);
  },
  // The table tells how it ended by the board.
  endings: {},
  reasons: {},
});
