// What Connect Five brings to the table: its square board and its two kinds of glass.
import type { Kit, Side } from "@/table/kit";
import type { Placement, View } from "./board";
import { Stone } from "./stone";

const sapphire: Side = {
  name: "sapphire",
  color: "blue",
  Token: ({ className }) => <Stone side="sapphire" className={className} />,
};
const amber: Side = {
  name: "amber",
  color: "yellow",
  Token: ({ className }) => <Stone side="amber" className={className} />,
};

export const kit: Kit<View, Placement> = { ratio: 1, sides: [sapphire, amber] };
