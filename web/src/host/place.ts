// Where one is within a game's addresses: its start, a friend's code, or a table.
import { isCode } from "@/table/enter-code";

export type Place =
  | { kind: "start" }
  | { kind: "code"; code: string }
  | { kind: "table"; match: string }
  | { kind: "nowhere" };

export const tableAt = (match: string): Place => ({ kind: "table", match });

/** Of a path below the game's own. */
export function placeOf(path: string): Place {
  const [first = "", second, ...more] = path.split("/").filter((part) => part !== "");
  if (first === "") return { kind: "start" };
  if (first === "game" && second !== undefined && more.length === 0) return tableAt(second);
  const code = first.toUpperCase();
  return second === undefined && isCode(code) ? { kind: "code", code } : { kind: "nowhere" };
}

/** The same for the same place only. */
export function nameOf(place: Place): string {
  if (place.kind === "table") return `table ${place.match}`;
  return place.kind === "code" ? `code ${place.code}` : place.kind;
}
