// The rules of Memory, in four moments of a game.
import type { BoardProps } from "@/table/kit";
import { drawnBy } from "@/table/rules";
import { Board, type View } from "./board";
import type { Card } from "./memory";

function Lying(props: BoardProps<View, number>) {
  return <Board {...props} aiming={false} spectacle={null} />;
}

const ROWS = 3;
const COLS = 4;

/** Which cards lie open; all others are face down. */
function after(open: Record<number, Omit<Card, "index">>, highlighted: number[] = []): View {
  const cards = Array.from({ length: ROWS * COLS }, (_, index): Card => {
    return { index, ...(open[index] ?? { state: "hidden" }) };
  });
  return { rows: ROWS, cols: COLS, cards, highlighted };
}

const shown = (pairId: number) => ({ state: "revealed", pairId }) as const;
const yours = (pairId: number) => ({ state: "matched", pairId, matchedBy: "you" }) as const;
const theirs = (pairId: number) => ({ state: "matched", pairId, matchedBy: "opponent" }) as const;

export default drawnBy(Lying, [
  {
    title: "Turn over two cards",
    words: "Two that differ turn back, and it is your opponent’s turn. Remember where they lie.",
    view: after({ 1: shown(5), 6: shown(7) }),
  },
  {
    title: "A pair is yours",
    words: "It counts one point, and you go on: another two cards, until two differ.",
    view: after({ 1: yours(5), 10: yours(5), 3: theirs(8), 4: theirs(8) }),
  },
  {
    title: "Gold edges are power-ups",
    words:
      "Such a pair also gives you its power. Use it at the beginning of a turn; a touch on it says what it does.",
    view: after({ 1: yours(5), 10: yours(5), 5: yours(1), 8: yours(1) }),
  },
  {
    title: "Most pairs win",
    words:
      "When all are found, or one of you leaves. Mind the ring: your time for a turn is short.",
    view: after({
      0: theirs(6),
      1: yours(5),
      2: yours(9),
      3: theirs(8),
      4: theirs(8),
      5: yours(1),
      6: yours(9),
      7: theirs(6),
      8: yours(1),
      9: yours(7),
      10: yours(5),
      11: yours(7),
    }),
  },
]);
