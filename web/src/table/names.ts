// Who is who at a table, to the one who reads, and whose turn it is.
import type { Seat } from "@/core/wire";
import type { TableModel } from "./model";

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const otherSeat = (seat: Seat): Seat => (seat === 0 ? 1 : 0);

export const isLocal = ({ seats }: TableModel): boolean => seats.length > 1;

/** One's own seat, where only one is: two at one device are both somebody else. */
export const ownSeat = (table: TableModel): Seat | null =>
  isLocal(table) ? null : (table.seats[0] ?? null);

/** Who sits at the lower edge. */
export const nearSeat = ({ seats }: TableModel): Seat => seats[0] ?? 0;

/** In a sentence. */
export function nameAt({ players }: TableModel, seat: Seat): string {
  const { name, bot } = players[seat];
  return bot ? `${name} computer` : name;
}

export const isMyTurn = (table: TableModel): boolean =>
  table.turn !== null && table.turn === ownSeat(table);

/** Whose turn it is; also what the page shows. */
export function turnInWords(table: TableModel): string {
  if (table.turn === null) return "";
  if (table.task !== null) return table.task;
  return isMyTurn(table) ? "Your turn." : `${nameAt(table, table.turn)} is to move.`;
}
