// Connect Five at the host's table, for nothing: against the computer, or whoever comes.
import { otherSeat } from "@/table/names";
import { hosted } from "../game";
import { Board, type Placement, type View } from "./board";
import { moveInWords } from "./events";
import type { Action } from "./for-nothing";
import { HostTable } from "./host-table";
import { kit } from "./kit";
import { toolOf } from "./tools";

export default hosted<View, Placement>({
  ...kit,
  sides: kit.sides as NonNullable<typeof kit.sides>,
  Board: (props) => <Board {...props} tool="SINGLE" />,
  Table: HostTable,
  // Its rules are drawn by rules.tsx, whichever line it is played over.
  rules: [],
  told: ({ action, by }, who) => {
    const done = action as Action | null;
    if (by === null || done === null) return "";
    if (done.type === "move") return `${who(by)}: ${moveInWords({ ...done })}.`;
    return `${who(by)} bought ${done.quantity} × ${toolOf(done.special_type).label}.`;
  },
  endings: {
    connect5: ({ winner }, who) =>
      winner !== null && who(winner) === "You" ? "Five in a row, nicely done." : "Five in a row.",
    timeout: ({ winner }, who) => {
      if (winner === null) return "";
      const late = who(otherSeat(winner));
      return late === "You" ? "Your clock ran out." : `${late}’s clock ran out.`;
    },
    draw: () => "The board is full and nobody has five.",
  },
  reasons: { connect5: "five in a row", timeout: "on time", draw: "board full" },
});
