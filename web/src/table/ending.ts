// How it ended, in the fewest words.
import type { Seat } from "@/core/wire";

/** From one's own seat; with none, spectators and two at one device see names. */
export function resultTitle(
  winner: Seat | null,
  own: Seat | null,
  nameAt: (seat: Seat) => string,
): string {
  if (winner === null) return "A draw";
  return winner === own ? "You win" : `${nameAt(winner)} wins`;
}
