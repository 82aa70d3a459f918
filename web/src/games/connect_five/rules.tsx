// The rules of Connect Five, in four moments of a game.
import type { BoardProps } from "@/table/kit";
import { drawnBy } from "@/table/rules";
import { Board, type Placement, type View } from "./board";
import { type Place, SIZE } from "./places";
import { StonePaints } from "./stone";

function Lying(props: BoardProps<View, Placement>) {
  // What may be placed is shown by the tool that places it.
  const shown = props.legal[0];
  return (
    <>
      <StonePaints />
      {/* The middle of the board, where something happens, seen from near. */}
      <div className="overflow-hidden rounded-xl">
        <div className="origin-[47%_42%] scale-190">
          <Board {...props} tool={shown?.tool ?? "SINGLE"} shownAt={shown?.place ?? null} />
        </div>
      </div>
    </>
  );
}

const at = (x: number, y: number): Place => ({ x, y });

/** Stones of the challenger and of the other, the last of all and what it did. */
function after(
  sapphire: readonly Place[],
  amber: readonly Place[],
  more: Partial<View> = {},
): View {
  const cells = Array.from({ length: SIZE }, () => Array<number>(SIZE).fill(0));
  for (const [value, places] of [sapphire, amber].entries()) {
    for (const { x, y } of places) (cells[y] as number[])[x] = value + 1;
  }
  return { cells, turnNumber: 9, last: null, winning: [], ...more };
}

const FIVE = [4, 5, 6, 7, 8].map((x) => at(x, 12 - x));
const THEIRS = [at(6, 7), at(7, 7), at(5, 6), at(8, 6)];

export default drawnBy(Lying, [
  {
    title: "Five in a row win",
    words: "Take turns placing stones. Across, up or slanting: the first with five in a line wins.",
    view: after(FIVE, [...THEIRS, at(8, 3)], {
      last: { by: 0, placed: [at(8, 4)], removed: [] },
      winning: FIVE,
    }),
  },
  {
    title: "Tools place more",
    words:
      "H2 and V2 place two stones at once, Cross4 four around a point. All their places must be free.",
    view: after([at(5, 6), at(6, 5)], [at(7, 7), at(8, 8), at(6, 8)]),
    legal: [{ tool: "CROSS4", place: at(8, 4) }],
  },
  {
    title: "A bomb breaks one",
    words: "Point it at one of their stones. It wins nothing by itself, but it opens a line.",
    view: after([at(4, 4), at(5, 5), at(7, 7)], [at(6, 6), at(7, 5), at(8, 6)]),
    legal: [{ tool: "BOMB", place: at(6, 6) }],
  },
  {
    title: "The pot and the clock",
    words:
      "Both pay the same stake, and what tools cost goes into the pot too: the winner takes it all. Who runs out of time loses.",
    view: after([at(5, 6), at(6, 6), at(7, 6), at(6, 8)], [at(8, 6), at(4, 6), at(6, 7)], {
      last: { by: 1, placed: [at(4, 6)], removed: [] },
    }),
  },
]);
