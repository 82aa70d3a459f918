// Who is who at a table, to the one who reads, and whose turn it is.
import type { Seat } from "@/core/wire";
import type { TableModel } from "./model";

/** All that is asked of a table here, whatever is played at it. */
type Table = Pick<TableModel, "players" | "seats" | "turn" | "task">;
type Seated = Pick<TableModel, "seats">;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const otherSeat = (seat: Seat): Seat => (seat === 0 ? 1 : 0);

export const isLocal = ({ seats }: Seated): boolean => seats.length > 1;

/** One's own seat, where only one is: two at one device are both somebody else. */
export const ownSeat = (table: Seated): Seat | null =>
  isLocal(table) ? null : (table.seats[0] ?? null);

/** Who sits at the lower edge. */
export const nearSeat = ({ seats }: Seated): Seat => seats[0] ?? 0;

/** In a sentence. */
export function nameAt({ players }: Pick<TableModel, "players">, seat: Seat): string {
  const { name, bot } = players[seat];
  return bot ? botName(name) : name;
}

/** Before opponents had names of their own, they were called by their levels. */
const LEVELS = ["easy", "medium", "hard"];

/** What an opponent is called in a sentence. */
export const botName = (name: string): string =>
  LEVELS.includes(name.toLowerCase()) ? `${capitalized(name)} computer` : name;

export const isMyTurn = (table: Table): boolean =>
  table.turn !== null && table.turn === ownSeat(table);

/** Whose turn it is; also what the page shows. */
export function turnInWords(table: Table): string {
  if (table.turn === null) return "";
  if (table.task !== null) return table.task;
  return isMyTurn(table) ? "Your turn." : `${nameAt(table, table.turn)} is to move.`;
}
