// Connect Five's requests to the server, one line each.
import { api } from "@/core/api";
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
  Person,
  SpecialType,
} from "./wire";

const ROOT = "/api/connect-five";
const MANY = 100;
export const PAGE_SIZE = 20;

const once = (intent: string) => ({ headers: { "Idempotency-Key": intent } });

export const calls = {
  people: (prefix: string, signal: AbortSignal) =>
    api.get<Person[]>(`/api/users/search?q=${encodeURIComponent(prefix)}`, { signal }),

  challenge: (id: string, signal: AbortSignal) =>
    api.get<Challenge>(`${ROOT}/challenges/${encodeURIComponent(id)}`, { signal }),
  pending: (mine: "sent" | "received", signal: AbortSignal) =>
    api.get<ChallengePage>(`${ROOT}/challenges?status=pending&mine=${mine}&page_size=${MANY}`, {
      signal,
    }),
  create: (terms: NewChallenge, intent: string) =>
    api.post<Challenge>(`${ROOT}/challenges`, terms, once(intent)),
  accept: (id: string, intent: string) =>
    api.post<Match>(`${ROOT}/challenges/${id}/accept`, undefined, once(intent)),
  cancel: (id: string, intent: string) =>
    api.post<Challenge>(`${ROOT}/challenges/${id}/cancel`, undefined, once(intent)),

  match: (id: string, signal: AbortSignal) =>
    api.get<Match>(`${ROOT}/matches/${encodeURIComponent(id)}`, { signal }),
  active: (signal: AbortSignal) =>
    api.get<MatchPage>(`${ROOT}/matches?status=active&page_size=${MANY}`, { signal }),
  matches: (page: number, signal: AbortSignal) =>
    api.get<MatchPage>(`${ROOT}/matches?page=${page}&page_size=${PAGE_SIZE}`, { signal }),
  events: (id: string, page: number, signal: AbortSignal) =>
    api.get<EventPage>(`${ROOT}/matches/${id}/events?page=${page}&page_size=${MANY}`, { signal }),
  move: (id: string, move_type: MoveType, x: number, y: number) =>
    api.post<AfterMove>(`${ROOT}/matches/${id}/move`, { move_type, x, y }),
  purchase: (id: string, special_type: SpecialType, quantity: number, intent: string) =>
    api.post<AfterPurchase>(
      `${ROOT}/matches/${id}/purchase`,
      { special_type, quantity },
      once(intent),
    ),
};
