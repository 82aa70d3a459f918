// Where one is within a game's addresses: its start, a friend's code, or a table.
import { isCode } from "@/table/enter-code";

export type Place =
  | { kind: "start" }
  | { kind: "code"; code: string }
  | { kind: "table"; match: string }
  | { kind: "nowhere" };

export const NOWHERE: Place = { kind: "nowhere" };

/** Tables of the host are named by a long id; a game's own names in addresses are short. */
const LONG = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** In a game that has a line of its own: its start, where the computer waits, and a table with it. */
export function besideOf(path: string): Place {
  const place = placeOf(path);
  if (place.kind === "start") return place;
  return place.kind === "table" && LONG.test(place.match) ? place : NOWHERE;
}

export const tableAt = (match: string): Place => ({ kind: "table", match });

/** Of a path below the game's own. */
export function placeOf(path: string): Place {
  const [first = "", second, ...more] = path.split("/").filter((part) => part !== "");
  if (first === "") return { kind: "start" };
  if (first === "game" && second !== undefined && more.length === 0) return tableAt(second);
  const code = first.toUpperCase();
  return second === undefined && isCode(code) ? { kind: "code", code } : NOWHERE;
}

/** The same for the same place only. */
export function nameOf(place: Place): string {
  if (place.kind === "table") return `table ${place.match}`;
  return place.kind === "code" ? `code ${place.code}` : place.kind;
}
