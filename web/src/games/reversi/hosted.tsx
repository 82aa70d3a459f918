// Reversi at the host's table: its board, its two sides, and how its games are told.
import type { components } from "@/core/sockets.gen";
import type { Side } from "@/table/kit";
import { hosted } from "../game";
import { Board } from "./board";
import { cellName } from "./cells";
import { Disc } from "./disc";
import { rules } from "./rules";

type Messages = components["schemas"];
export type View = Messages["ReversiShown"];
export type Action = Messages["ReversiAction"];

const black: Side = {
  name: "black",
  // Either disc is seen best on the colour of the board.
  color: "green",
  Token: ({ className }) => <Disc side={0} className={className} />,
};
const cream: Side = {
  name: "cream",
  color: "green",
  Token: ({ className }) => <Disc side={1} className={className} />,
};

interface Passed {
  type: string;
  seat: 0 | 1;
}

const TIPS = [
  "Choose a marked cell: what you enclose turns over.",
  "Few now can be many later. Keep places to go.",
  "A disc in a corner stays yours. Do not offer them one.",
];

/** A game begins with four discs, and every move adds one. */
const roundOf = ({ counts: [one, other] }: View): number => Math.floor((one + other - 4) / 2);

export default hosted<View, Action>({
  Board,
  ratio: 1,
  sides: [black, cream],
  score: ({ counts }, seat) => counts[seat],
  rules,
  back: {
    view: (told) => told as View,
    action: (told) => told as Action,
    words: (told) => {
      const done = told as Action;
      return done.type === "place" ? cellName(done.cell) : "giving up";
    },
  },
  coach: ({ view, legal }) => (legal.length === 0 ? null : (TIPS[roundOf(view)] ?? null)),
  told: ({ action, by, events }, who) => {
    const done = action as Action | null;
    if (by === null || done?.type !== "place") return "";
    const passed = (events as Passed[]).find(({ type }) => type === "passed");
    const placed = `${who(by)} placed ${cellName(done.cell)}.`;
    return passed ? `${placed} ${who(passed.seat)} cannot place and had to pass.` : placed;
  },
  endings: {
    counted: ({ scores }) => {
      const [most, fewest] = [Math.max(...(scores ?? [])), Math.min(...(scores ?? []))];
      return most === fewest ? `${most} discs each.` : `${most} discs to ${fewest}.`;
    },
    resigned: ({ winner }, who) => (winner === null ? "" : `${who(winner === 0 ? 1 : 0)} gave up.`),
    timeout: ({ winner }, who) =>
      winner === null
        ? "Both were away for too long."
        : `${who(winner === 0 ? 1 : 0)} stayed away for too long.`,
  },
  reasons: { counted: "by counting", resigned: "by giving up", timeout: "by absence" },
});
