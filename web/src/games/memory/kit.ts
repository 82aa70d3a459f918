// What Memory brings to the table: how wide its board is, and what a strip says of who is not to move.
import type { Kit, LookingBack } from "@/table/kit";
import { boardRatio, type View } from "./board";
import { actionInWords, cardIn, seatIn, viewOf } from "./shown";

export const back: LookingBack<View, number> = {
  view: viewOf,
  action: cardIn,
  words: actionInWords,
  seatIn,
  onlyToLook: true,
};

export const kitFor = ({ rows, cols }: View): Kit<View, number> => ({
  ratio: boardRatio(rows, cols),
  back,
  status: ({ ended, turn }, seat) => {
    if (ended?.winner === seat) return "Winner";
    if (turn === seat) return seat === 0 ? "Your turn" : "Thinking";
    return seat === 0 ? "You" : "Opponent";
  },
  coach: ({ view, legal, turn }) => {
    if (turn !== 0) return "Watch what they turn over, and where it lies.";
    const open = view.cards.filter(({ state }) => state === "revealed").length;
    if (legal.length === 0) return null;
    return open === 0
      ? "Turn over two cards. A pair is yours, and you go on."
      : "Where is its twin? Two that differ turn back.";
  },
});
