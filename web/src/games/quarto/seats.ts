// The seats this tab holds, by room: the secret that takes a seat again, kept as long as the tab.
import { useState } from "react";
import type { OpenGame } from "../game";

const SEAT = "parlour.quarto.seat.";
const OPEN = "parlour.quarto.open";

// A browser that keeps nothing still plays; only a reload loses the seat.
function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // See above.
  }
}

export const keptSeat = (code: string): string | null => read(SEAT + code);

export function keepSeat(code: string, playerId: string): void {
  write(SEAT + code, playerId);
  write(OPEN, code);
}

export function forgetSeat(code: string): void {
  write(SEAT + code, null);
  closeRoom(code);
}

/** Nothing waits for its player in this room any more. */
export function closeRoom(code: string): void {
  if (read(OPEN) === code) write(OPEN, null);
}

export function useOpenGame(): OpenGame | null {
  const [code] = useState(() => read(OPEN));
  return code === null ? null : { href: `/quarto/${code}`, label: "Your table is still set" };
}
