// A game of Connect Five as the host tells of it, for the board.
import type { Seat } from "@/core/wire";
import type { Placement, View } from "./board";
import { placeName, SIZE, toPlace } from "./places";
import { toolOf } from "./tools";
import type { MoveType, SpecialType } from "./wire";

/** What the server sends of a position. */
interface Told {
  state: {
    turn_number: number;
    last: { seat: Seat; placed: number[][]; removed: number[] | null } | null;
  };
  /** Each seat's stones, one digit a cell. */
  cells: readonly [string, string];
}

type Action =
  | { type: "move"; move_type: MoveType; x: number; y: number }
  | { type: "purchase"; special_type: SpecialType; quantity: number };

export function viewOf(told: unknown): View {
  const { state, cells } = told as Told;
  const { turn_number, last } = state;
  const at = (cell: number) => (cells[0][cell] === "1" ? 1 : cells[1][cell] === "1" ? 2 : 0);
  const eachOf = Array.from({ length: SIZE }, (_, place) => place);
  return {
    cells: eachOf.map((y) => eachOf.map((x) => at(y * SIZE + x))),
    turnNumber: turn_number,
    last: last && {
      by: last.seat,
      placed: last.placed.map(toPlace),
      removed: last.removed ? [toPlace(last.removed)] : [],
    },
    winning: [],
  };
}

export function placementIn(told: unknown): Placement | null {
  const action = told as Action;
  if (action.type !== "move") return null;
  return { tool: action.move_type, place: { x: action.x, y: action.y } };
}

export function actionInWords(told: unknown): string {
  const action = told as Action;
  if (action.type !== "move") return `buy ${toolOf(action.special_type).label}`;
  const { move_type, x, y } = action;
  const where = placeName({ x, y });
  return move_type === "SINGLE" ? where : `${toolOf(move_type).label} at ${where}`;
}
