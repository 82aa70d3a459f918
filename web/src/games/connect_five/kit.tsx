// What Connect Five brings to the table: its square board and its two kinds of glass.
import type { Kit, Side } from "@/table/kit";
import type { TableModel } from "@/table/model";
import type { Placement, View } from "./board";
import { actionInWords, placementIn, viewOf } from "./looking-back";
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

const TIPS = [
  "Place a stone anywhere. Five in a line win.",
  "Tools place more stones, or break one of theirs. You can buy some at any time.",
  "Four of theirs in a line? Stop the fifth. And mind your clock.",
];

/** Turns are counted from 1, those of both together. */
const coach = ({ view, legal }: TableModel<View, Placement>): string | null =>
  legal.length === 0 ? null : (TIPS[Math.floor((view.turnNumber - 1) / 2)] ?? null);

export const kit: Kit<View, Placement> = {
  ratio: 1,
  sides: [sapphire, amber],
  coach,
  back: { view: viewOf, action: placementIn, words: actionInWords },
};
