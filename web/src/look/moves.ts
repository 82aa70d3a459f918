// What is said of a move, and where it lies on the plot.
import type { Judged } from "@/core/wire";

type Mistake = NonNullable<Judged["mistake"]>;

const MISTAKES: Record<Mistake, string> = {
  won_drawn: "gave the win away",
  won_lost: "turned a win into a loss",
  drawn_lost: "gave the draw away",
};

/** "gave the win away, by estimate"; empty: it changed nothing. */
export function mistakeInWords({ mistake, exact }: Judged): string {
  if (mistake === null) return "";
  return exact ? MISTAKES[mistake] : `${MISTAKES[mistake]}, by estimate`;
}

/** What cost less than this is as good as the best. */
const SLIGHT = 0.05;

/** Whether there was something better. */
export const wasBettered = ({ loss, best, action }: Judged): boolean =>
  best !== null && (loss ?? 0) > SLIGHT && JSON.stringify(best) !== JSON.stringify(action);

/** What each position was worth to the seat below, the first one before any move; what nobody knows is as before. */
export function valuesOf(moves: readonly Judged[], seat: number): number[] {
  const sign = seat === 0 ? 1 : -1;
  const values = [sign * (moves[0]?.before ?? 0)];
  for (const { after } of moves) {
    values.push(after === null ? (values.at(-1) ?? 0) : sign * after);
  }
  return values;
}
