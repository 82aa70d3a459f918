// How one comes into a room: chosen on one page, done on the next, once its socket is open.
import { keptStore } from "@/core/store";
import { newCode, type Opponent } from "./wire";

export type Entrance =
  | { how: "create"; name: string; opponent: Opponent | null }
  | { how: "join"; name: string };

const entrances = new Map<string, Entrance>();

export const entranceOf = (code: string): Entrance | undefined => entrances.get(code);
export const entered = (code: string): boolean => entrances.delete(code);
export const enterBy = (code: string, entrance: Entrance): unknown => entrances.set(code, entrance);

/** A room nobody has opened yet; the odds that somebody has are one in a billion. */
export function openRoom(name: string, opponent: Opponent | null): string {
  const code = newCode();
  enterBy(code, { how: "create", name, opponent });
  return code;
}

const LONGEST_NAME = 20;
export const NAMELESS = "Guest";

/** The name last played under; empty: none was chosen. */
export const chosenName = keptStore<string>(
  "quarto.name",
  "",
  (kept): kept is string => typeof kept === "string" && [...kept].length <= LONGEST_NAME,
);
export { LONGEST_NAME };
