// The rules of Reversi, in four moments of a game.
import type { Moment } from "@/table/rules";
import { cellAt } from "./cells";
import type { Action, View } from "./hosted";

/** Rows from the top: `b` and `c` are discs. */
function after(rows: readonly string[], last: number | null = null): View {
  const cells = rows.join("").replaceAll("b", "0").replaceAll("c", "1");
  const count = (mark: string) => [...cells].filter((each) => each === mark).length;
  return {
    cells,
    last,
    counts: [count("0"), count("1")],
    may_place: [],
    seat: 0,
    turn: 0,
    away_until: [null, null],
  };
}

const place = (...cells: number[]): Action[] => cells.map((cell) => ({ type: "place", cell }));

export const rules: readonly Moment<View, Action>[] = [
  {
    title: "Enclose theirs",
    words:
      "Place a disc so that some of theirs lie in a straight line between it and another of yours. Where you may is marked.",
    view: after([
      "........",
      "........",
      "........",
      "...cb...",
      "...bc...",
      "........",
      "........",
      "........",
    ]),
    legal: place(cellAt(2, 3), cellAt(3, 2), cellAt(4, 5), cellAt(5, 4)),
  },
  {
    title: "They turn over",
    words: "All that you enclosed are yours now: across, up and down, and slanting at once.",
    view: after(
      [
        "........",
        "........",
        "..bbbb..",
        "...bb...",
        "...bbb..",
        "...c....",
        "........",
        "........",
      ],
      cellAt(2, 3),
    ),
  },
  {
    title: "Corners stay",
    words: "Nothing can enclose a disc in a corner. Whoever holds one holds its edges too.",
    view: after(
      [
        "bbbb....",
        "bbcc....",
        "bccc....",
        "b.ccbb..",
        "...cbc..",
        "...cc...",
        "........",
        "........",
      ],
      cellAt(0, 0),
    ),
  },
  {
    title: "Most discs win",
    words: "Who can enclose nothing passes. When neither of you can, the discs are counted.",
    view: after(
      [
        "bbbbbbbb",
        "bbbcccbb",
        "bbcbbccb",
        "bcbbbbcb",
        "bbcbbcbb",
        "bbbccbcb",
        "bbcccbbc",
        "cccccccc",
      ],
      cellAt(7, 7),
    ),
  },
];
