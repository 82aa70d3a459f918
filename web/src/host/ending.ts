// How a game at the host ended, in words for the one who reads.
import type { PlayTable, Seat } from "@/core/wire";
import type { Hosted, Who } from "@/games/game";
import { resultTitle } from "@/table/ending";
import type { Ended, RatingMove } from "@/table/model";

/** One's own seat, where only one is. */
export const ownSeat = ({ seats }: PlayTable): Seat | null =>
  seats.length === 1 ? (seats[0] ?? null) : null;

/** `who` is "You" for one's own seat. */
export function endedOf(table: PlayTable, hosted: Hosted, who: Who): Ended | null {
  const { status, result } = table;
  if (status === "active" || status === "waiting") return null;
  const winner = result?.winner ?? null;
  const rating = ratingMove(table);
  if (status === "expired") {
    const reason = "Nobody touched it for too long.";
    return { winner, title: "This game was put away", reason, rating };
  }
  return {
    winner,
    title: resultTitle(winner, ownSeat(table), who),
    reason: (result && hosted.endings[result.reason]?.(result, who)) ?? "",
    rating,
  };
}

/** What it did to one's own rating; null: nothing. */
function ratingMove(table: PlayTable): RatingMove | null {
  const seat = ownSeat(table);
  if (seat === null) return null;
  const by = table.result?.rating_changes[seat] ?? null;
  const before = table.players[seat]?.rating ?? null;
  return by === null || before === null ? null : { by, to: before + by };
}
