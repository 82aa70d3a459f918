// The seat one holds in a running game, kept as long as the tab, so that a reload finds back to it.

export interface Seat {
  gameId: string;
  rejoinToken: string;
}

/** By user: who signs in next in this tab has no part in it. */
const key = (userId: string): string => `parlour.memory.seat.${userId}`;

export function keptSeat(userId: string): Seat | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(userId)) ?? "null") as Seat | null;
  } catch {
    return null;
  }
}

export function keepSeat(userId: string, { gameId, rejoinToken }: Seat): void {
  sessionStorage.setItem(key(userId), JSON.stringify({ gameId, rejoinToken }));
}

export function forgetSeat(userId: string): void {
  sessionStorage.removeItem(key(userId));
}
