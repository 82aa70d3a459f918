// How a game ended, in words for the one who reads.
import type { PlayTable } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { nameAt, ownSeat, whoAt } from "./names";

/** From one seat; spectators and two at one device see names. */
export function resultTitle(table: PlayTable): string {
  const winner = table.result?.winner ?? null;
  if (table.status === "expired") return "This game was put away";
  if (winner === null) return "A draw";
  return winner === ownSeat(table) ? "You win" : `${nameAt(table, winner)} wins`;
}

export function resultReason(table: PlayTable, hosted: Hosted): string {
  const { result } = table;
  if (result === null) return "";
  if (table.status === "expired") return "Nobody touched it for too long.";
  return hosted.endings[result.reason]?.(result, whoAt(table)) ?? "";
}

/** What it did to one's own rating; null: nothing. */
export function ratingMove(table: PlayTable): { by: number; to: number } | null {
  const seat = ownSeat(table);
  if (seat === null) return null;
  const by = table.result?.rating_changes[seat] ?? null;
  const before = table.players[seat]?.rating ?? null;
  return by === null || before === null ? null : { by, to: before + by };
}
