// A game of Memory as the host tells of it, for the cards on the table: one sits at 0, the opponent at 1.
import type { PlayStep, PlayTable, Seat } from "@/core/wire";
import { otherSeat } from "@/table/names";
import type { View } from "./board";
import { endedBy } from "./ending";
import type { Card, Ending, Spectacle, State, TimeOut } from "./memory";
import { powerUp } from "./power-ups";
import { symbolName } from "./symbols";

/** What the server sends of a position to one of its seats, or to who looks on. */
interface Seen {
  seat: Seat | null;
  options: { rows: number; cols: number; countdown_show_ms: number };
  cards: { index: number; state: Card["state"]; pair_id?: number; matched_by?: Seat }[];
  phase: State["phase"];
  scores: [number, number];
  hand: { power_up_id: string; count: number }[];
  highlight: number[];
  turn_ends_at: number | null;
}

export type Action =
  | { type: "flip"; index: number }
  | { type: "use_power_up"; power_up_id: string; card_index: number | null }
  | { type: "leave" };

type Event =
  | { type: "power_up_used"; seat: Seat; power_up_id: string; name: string }
  | { type: "pair_found"; seat: Seat; pair_id: number }
  | { type: "turn_timed_out"; seat: Seat };

export const seenIn = (told: unknown): Seen => told as Seen;
export const seatIn = (told: unknown): Seat => seenIn(told).seat ?? 0;

export function viewOf(told: unknown): View {
  const { options, cards, highlight } = seenIn(told);
  const { rows, cols } = options;
  return { rows, cols, highlighted: highlight, cards: cardsIn(cards, seatIn(told)) };
}

const cardsIn = (cards: Seen["cards"], own: Seat): Card[] =>
  cards.map(({ index, state, pair_id, matched_by }) => ({
    index,
    state,
    ...(pair_id !== undefined && { pairId: pair_id }),
    ...(matched_by !== undefined && { matchedBy: matched_by === own ? "you" : "opponent" }),
  }));

export function endingAt({ result, seat }: PlayTable): Ending {
  const own = seat ?? 0;
  const winner = result?.winner ?? null;
  const scores = result?.scores ?? [0, 0];
  return {
    result: winner === null ? "draw" : winner === own ? "win" : "lose",
    you: scores[own],
    opponent: scores[otherSeat(own)],
    by: endedBy(result?.reason),
  };
}

// --- what is done -----------------------------------------------------------------------------

/** The card that it is about. */
export function cardIn(told: unknown): number | null {
  const action = told as Action;
  if (action.type === "flip") return action.index;
  return action.type === "use_power_up" ? action.card_index : null;
}

/** Cards that may be turned over. */
export const cardsToTurn = (legal: readonly unknown[]): number[] =>
  (legal as Action[]).flatMap((action) => (action.type === "flip" ? [action.index] : []));

export function actionInWords(told: unknown, at: unknown): string {
  const action = told as Action;
  if (action.type === "leave") return "giving up";
  const { cols } = seenIn(at).options;
  const place = (index: number) =>
    `row ${Math.floor(index / cols) + 1}, column ${(index % cols) + 1}`;
  if (action.type === "flip") return place(action.index);
  const { label } = powerUp(action.power_up_id);
  return action.card_index === null ? label : `${label} at ${place(action.card_index)}`;
}

// --- what happened ----------------------------------------------------------------------------

const eventsOf = (step: PlayStep): Event[] => step.events as Event[];

/** "Anna: Moon, a pair." */
export function stepInWords(step: PlayStep, who: (seat: Seat) => string): string {
  const action = step.action as Action | null;
  if (step.by === null || action === null || action.type === "leave") return "";
  const name = who(step.by);
  if (action.type === "use_power_up") return `${name} used ${powerUp(action.power_up_id).label}.`;
  const pair = seenIn(step.view).cards[action.index]?.pair_id;
  const found = eventsOf(step).some(({ type }) => type === "pair_found");
  const seen = [...(pair === undefined ? [] : [symbolName(pair)]), ...(found ? ["a pair"] : [])];
  return seen.length > 0 ? `${name}: ${seen.join(", ")}.` : "";
}

interface Happened {
  turned: boolean;
  paired: boolean;
  spectacle: Spectacle | null;
  timeout: TimeOut | null;
}

/** What of a step is heard or moves the whole table; `nameAt` by the server's seats. */
export function happenedIn(step: PlayStep, own: Seat, nameAt: (seat: Seat) => string): Happened {
  const events = eventsOf(step);
  const used = events.find((event) => event.type === "power_up_used");
  const late = events.find((event) => event.type === "turn_timed_out");
  const action = step.action as Action | null;
  return {
    turned: action?.type === "flip",
    paired: events.some(({ type }) => type === "pair_found"),
    spectacle: used ? { player: nameAt(used.seat), label: used.name, turn: step.version } : null,
    timeout: late ? { mine: late.seat === own, turn: step.version } : null,
  };
}
