// A game of Connect Five as the host tells of it, for the board.
import type { Placement, View } from "./board";
import { type Action, gridOf, placementOf, type Shown } from "./for-nothing";
import { placeName, toPlace } from "./places";
import { toolOf } from "./tools";

export function viewOf(told: unknown): View {
  const { state, cells } = told as Shown;
  const { turn_number, last } = state;
  return {
    cells: gridOf(cells),
    turnNumber: turn_number,
    last: last && {
      by: last.seat,
      placed: last.placed.map(toPlace),
      removed: last.removed ? [toPlace(last.removed)] : [],
    },
    winning: [],
  };
}

export const placementIn = (told: unknown): Placement | null => placementOf(told as Action);

export function actionInWords(told: unknown): string {
  const action = told as Action;
  if (action.type !== "move") return `buy ${toolOf(action.special_type).label}`;
  const { move_type, x, y } = action;
  const where = placeName({ x, y });
  return move_type === "SINGLE" ? where : `${toolOf(move_type).label} at ${where}`;
}
