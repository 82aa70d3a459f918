// What Connect 4 brings to the table: its two sides, and how wide its board is.
import type { Kit, Side } from "@/table/kit";
import { BOARD_RATIO, type View } from "./board";
import { Chip } from "./chip";

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

export const kit = { ratio: BOARD_RATIO, sides: [red, yellow] } as const satisfies Kit<
  View,
  number
>;
