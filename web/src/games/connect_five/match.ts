// A match seen from one of its two seats. Nothing here decides what a move does.
import type { Seat } from "@/core/wire";
import { resultTitle as titleOf } from "@/table/ending";
import { otherSeat } from "@/table/names";
import type { Match, MatchPlayer, Person } from "./wire";

export type Side = "sapphire" | "amber";

/** At 0 sits the challenger, player A. */
export const sideOf = (seat: Seat): Side => (seat === 0 ? "sapphire" : "amber");

/** Strangers never get to see a match, so whoever looks has a seat. */
export const seatOf = (match: Match, userId: number): Seat =>
  match.player_b.id === userId ? 1 : 0;

export const personAt = (match: Match, seat: Seat): Person =>
  seat === 0 ? match.player_a : match.player_b;
export const playerAt = (match: Match, seat: Seat): MatchPlayer => match.players[seat];

export const isOver = (match: Match): boolean => match.status !== "active";
export const isActive = (match: Match, seat: Seat): boolean =>
  match.active_player?.id === personAt(match, seat).id;
export const hasWon = (match: Match, seat: Seat): boolean =>
  match.winner === personAt(match, seat).id;

/** The later of two states of one match. */
export const newer = (held: Match | undefined, come: Match): Match =>
  held && held.version > come.version ? held : come;

/** What a clock shows at a moment of the server's time. */
export function clockAt(match: Match, seat: Seat, now: number): number {
  const stored = seat === 0 ? match.clock_a_remaining_ms : match.clock_b_remaining_ms;
  if (!isActive(match, seat)) return stored;
  return Math.max(0, stored - Math.max(0, now - Date.parse(match.turn_started_at)));
}

/** Below this a clock warns: half a minute, or less where the whole game is shorter. */
export const LOW_MS = 30_000;

/** What one paid in: the stake and all specials. */
export const paidIn = (match: Match, seat: Seat): number =>
  match.stake_amount + playerAt(match, seat).spent_total;

/** What one got out when it ended. */
export function payout(match: Match, seat: Seat): number {
  if (match.winner === null) return paidIn(match, seat);
  return hasWon(match, seat) ? match.prize_pool_total : 0;
}

export function resultTitle(match: Match, seat: Seat): string {
  if (match.status === "cancelled") return "Called off";
  const winner = match.winner === null ? null : seatOf(match, match.winner);
  return titleOf(winner, seat, (at) => personAt(match, at).username);
}

export function resultReason(match: Match, seat: Seat): string {
  switch (match.finish_reason) {
    case "connect5":
      return hasWon(match, seat) ? "Five in a row, nicely done." : "Five in a row.";
    case "timeout":
      return hasWon(match, seat)
        ? `${personAt(match, otherSeat(seat)).username}’s clock ran out.`
        : "Your clock ran out.";
    case "draw":
      return "The board is full and nobody has five. Everyone gets their money back.";
    case "cancelled":
      return "The house ended this match. Everyone gets their money back.";
    case null:
      return "";
  }
}
