// A game of Memory as the host tells of it, for the cards on the table: one sits at 0, the opponent at 1.
import type { Seat } from "@/core/wire";
import type { View } from "./board";
import type { Card } from "./memory";
import { powerUp } from "./power-ups";

/** What the server sends of a position to one of its seats, or to who looks on. */
export interface Seen {
  seat: Seat | null;
  options: { rows: number; cols: number };
  cards: { index: number; state: Card["state"]; pair_id?: number; matched_by?: Seat }[];
}

type Action =
  | { type: "flip"; index: number }
  | { type: "use_power_up"; power_up_id: string }
  | { type: "leave" };

export const seatIn = (told: unknown): Seat => (told as Seen).seat ?? 0;

export function viewOf(told: unknown): View {
  const { options, cards } = told as Seen;
  return { ...options, highlighted: [], cards: cardsIn(cards, seatIn(told)) };
}

const cardsIn = (cards: Seen["cards"], own: Seat): Card[] =>
  cards.map(({ index, state, pair_id, matched_by }) => ({
    index,
    state,
    ...(pair_id !== undefined && { pairId: pair_id }),
    ...(matched_by !== undefined && { matchedBy: matched_by === own ? "you" : "opponent" }),
  }));

export function cardIn(told: unknown): number | null {
  const action = told as Action;
  return action.type === "flip" ? action.index : null;
}

export function actionInWords(told: unknown): string {
  const action = told as Action;
  if (action.type === "flip") return `card ${action.index + 1}`;
  return action.type === "leave" ? "leave" : powerUp(action.power_up_id).label;
}
