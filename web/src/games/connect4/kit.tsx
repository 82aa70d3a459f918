// What Connect 4 brings to the table: its two sides, and how wide its board is.
import type { Kit, Side } from "@/table/kit";
import type { TableModel } from "@/table/model";
import { BOARD_RATIO, type View } from "./board";
import { Chip } from "./chip";
import { type Action, columnIn, type Shown, viewOf } from "./shown";

const red: Side = {
  name: "red",
  color: "red",
  Token: ({ className }) => <Chip side="red" className={className} />,
};
const yellow: Side = {
  name: "yellow",
  color: "yellow",
  Token: ({ className }) => <Chip side="yellow" className={className} />,
};

function coach({ view, legal, seats }: TableModel<View, number>): string | null {
  if (legal.length === 0) return null;
  const mark = seats[0] === 1 ? "2" : "1";
  const dropped = [...view.board].filter((each) => each === mark).length;
  return TIPS[dropped] ?? null;
}

const TIPS = [
  "Choose a column. Your chip falls to the lowest free hole.",
  "Line up four of yours: across, up or slanting.",
  "Three of theirs in a row? Block the fourth hole.",
  "Your chip is the floor for the next: see what they could do on top of it.",
];

export const kit = {
  ratio: BOARD_RATIO,
  sides: [red, yellow],
  coach,
  back: {
    view: (told) => viewOf(told as Shown),
    action: (told) => columnIn(told as Action),
    words: (told) => `column ${(columnIn(told as Action) ?? 0) + 1}`,
  },
} as const satisfies Kit<View, number>;
