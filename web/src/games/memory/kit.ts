// What Memory brings to the table: how wide its board is, and what a strip says of who is not to move.
import type { Kit } from "@/table/kit";
import { boardRatio, type View } from "./board";

export const kitFor = ({ rows, cols }: View): Kit<View, number> => ({
  ratio: boardRatio(rows, cols),
  status: ({ ended, turn }, seat) => {
    if (ended?.winner === seat) return "Winner";
    if (turn === seat) return seat === 0 ? "Your turn" : "Thinking";
    return seat === 0 ? "You" : "Opponent";
  },
});
