// The rules of Connect 4, in four moments of a game.
import type { BoardProps } from "@/table/kit";
import { drawnBy } from "@/table/rules";
import { Board, type View } from "./board";
import { ChipPaints } from "./chip";

type Place = View["winning"][number];

const ALL = [0, 1, 2, 3, 4, 5, 6];

/** Rows from the top: `r` and `y` are chips, everything above is empty. */
function after(rows: readonly string[], lastMove: Place, winning: readonly Place[] = []): View {
  const chips = rows.join("").replaceAll("r", "1").replaceAll("y", "2").replaceAll(".", "0");
  return { board: chips.padStart(42, "0"), lastMove, winning };
}

const at = (row: number, column: number): Place => ({ row, column });

function Painted(props: BoardProps<View, number>) {
  return (
    <>
      <ChipPaints />
      <Board {...props} />
    </>
  );
}

export default drawnBy(Painted, [
  {
    title: "Drop a chip",
    words: "Take turns. Choose a column: your chip falls to the lowest free hole.",
    view: after(["..yr...", "..ry..."], at(4, 2)),
    legal: ALL,
  },
  {
    title: "Four in a row win",
    words: "Be the first with four of yours side by side, or one above the other.",
    view: after(
      ["..y....", ".yrrrr.", "yryyry."],
      at(4, 5),
      [2, 3, 4, 5].map((column) => at(4, column)),
    ),
  },
  {
    title: "Slanting counts too",
    words: "These are the ones that are seen too late. Look along both slants.",
    view: after(["....r..", "...ry..", "..ryyr.", ".ryyrry"], at(2, 4), [
      at(2, 4),
      at(3, 3),
      at(4, 2),
      at(5, 1),
    ]),
  },
  {
    title: "Mind what you carry",
    words:
      "A chip is the floor for the next one. Drop red here, and yellow wins on top of it. A full board is a draw.",
    view: after(["..ry...", ".ryyy..", ".ryrr.."], at(3, 3)),
    legal: [5],
  },
]);
