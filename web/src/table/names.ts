// Who is who at a table, to the one who reads.
import type { PlayTable, Seat } from "@/core/wire";
import type { Who } from "@/games/game";

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const otherSeat = (seat: Seat): Seat => (seat === 0 ? 1 : 0);

export const isLocal = (table: PlayTable): boolean => table.mode === "local";

/** One's own seat, where only one is: two at one device are both somebody else. */
export const ownSeat = (table: PlayTable): Seat | null => (isLocal(table) ? null : table.seat);

export const nameAt = (table: PlayTable, seat: Seat): string =>
  table.players[seat]?.name ?? "Nobody";

export const whoAt =
  (table: PlayTable): Who =>
  (seat) =>
    seat === ownSeat(table) ? "You" : nameAt(table, seat);

export const isMyTurn = (table: PlayTable): boolean =>
  table.turn !== null && table.turn === ownSeat(table);
