// Connect Five's requests to the server, one line each.
import { api } from "@/core/api";
import { intend } from "@/core/intent";
import type {
  AfterMove,
  AfterPurchase,
  Challenge,
  ChallengePage,
  EventPage,
  Match,
  MatchPage,
  MoveType,
  NewChallenge,
  SpecialType,
} from "./wire";

/** A number, or what an address holds: the server takes the long ids of other surfaces too. */
type Id = number | string;

const ROOT = "/api/connect-five";
const MANY = 100;
export const PAGE_SIZE = 20;

/** What moves money happens once, however often it has to be asked for. */
const once = <T>(path: string, body?: unknown): Promise<T> =>
  intend([path, body], (intent) =>
    api.post<T>(path, body, { headers: { "Idempotency-Key": intent } }),
  );

/** Where a list goes on, from the address that the server gives for it. */
export const cursorOf = (next: string | null): string | null =>
  next === null ? null : new URL(next).searchParams.get("cursor");

export const calls = {
  challenge: (id: Id, signal: AbortSignal) =>
    api.get<Challenge>(`${ROOT}/challenges/${encodeURIComponent(id)}`, { signal }),
  pending: (mine: "sent" | "received", signal: AbortSignal) =>
    api.get<ChallengePage>(`${ROOT}/challenges?status=pending&mine=${mine}&page_size=${MANY}`, {
      signal,
    }),
  create: (terms: NewChallenge) => once<Challenge>(`${ROOT}/challenges`, terms),
  accept: (id: Id) => once<Match>(`${ROOT}/challenges/${id}/accept`),
  cancel: (id: Id) => once<Challenge>(`${ROOT}/challenges/${id}/cancel`),
  decline: (id: Id) => once<Challenge>(`${ROOT}/challenges/${id}/decline`),

  match: (id: Id, signal: AbortSignal) =>
    api.get<Match>(`${ROOT}/matches/${encodeURIComponent(id)}`, { signal }),
  active: (signal: AbortSignal) =>
    api.get<MatchPage>(`${ROOT}/matches?status=active&page_size=${MANY}`, { signal }),
  matches: (cursor: string | null, signal: AbortSignal) =>
    api.get<MatchPage>(
      `${ROOT}/matches?page_size=${PAGE_SIZE}${cursor === null ? "" : `&cursor=${cursor}`}`,
      { signal },
    ),
  events: (id: Id, page: number, signal: AbortSignal) =>
    api.get<EventPage>(`${ROOT}/matches/${id}/events?page=${page}&page_size=${MANY}`, { signal }),
  move: (id: Id, move_type: MoveType, x: number, y: number) =>
    api.post<AfterMove>(`${ROOT}/matches/${id}/move`, { move_type, x, y }),
  purchase: (id: Id, special_type: SpecialType, quantity: number) =>
    once<AfterPurchase>(`${ROOT}/matches/${id}/purchase`, { special_type, quantity }),
};
