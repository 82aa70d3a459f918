// What the page knows of challenges and matches, and how news changes it. All of it lives in the
// query cache: challenges and matches by id, lists of them, and each match's events.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { noteServerTime } from "@/core/clock";
import { useMe } from "@/core/me";
import { amend, refresh } from "@/core/refresh";
import { useLive } from "@/core/use-live";
import { isOver, newer } from "./match";
import type { Challenge, ChallengePage, Heard, Match, MatchPage } from "./wire";

const ALL = ["connect_five"] as const;

export const keys = {
  challenge: (id: string) => [...ALL, "challenge", id] as const,
  received: [...ALL, "challenges", "received"] as const,
  sent: [...ALL, "challenges", "sent"] as const,
  match: (id: string) => [...ALL, "match", id] as const,
  active: [...ALL, "matches", "active"] as const,
  played: [...ALL, "matches", "played"] as const,
  events: (matchId: string) => [...ALL, "events", matchId] as const,
};

/** A list with one of its entries changed, come or gone; new ones stand first. */
function relisted<T extends { id: string }>(list: readonly T[], entry: T, stays: boolean): T[] {
  if (!stays) return list.filter(({ id }) => id !== entry.id);
  const known = list.some(({ id }) => id === entry.id);
  return known ? list.map((each) => (each.id === entry.id ? entry : each)) : [entry, ...list];
}

export function holdChallenge(queries: QueryClient, challenge: Challenge, userId: string): void {
  queries.setQueryData(keys.challenge(challenge.id), challenge);
  const list = challenge.challenger.id === userId ? keys.sent : keys.received;
  amend<ChallengePage>(queries, list, (page) => ({
    ...page,
    results: relisted(page.results, challenge, challenge.status === "pending"),
  }));
}

export function holdMatch(queries: QueryClient, match: Match): void {
  noteServerTime(match.server_time, true);
  queries.setQueryData<Match>(keys.match(match.id), (held) => newer(held, match));
  amend<MatchPage>(queries, keys.active, (page) => ({
    ...page,
    results: relisted(page.results, match, !isOver(match)),
  }));
  void refresh(queries, keys.events(match.id));
  if (isOver(match)) void refresh(queries, keys.played);
}

export function hear(queries: QueryClient, heard: Heard, userId: string): void {
  switch (heard.type) {
    case "auth_ok":
      // Let in, again perhaps: what happened before that was not told, so everything is asked for.
      void refresh(queries, ALL);
      return;
    case "update.connect_five_challenge":
      holdChallenge(queries, heard.challenge, userId);
      return;
    case "update.connect_five_match":
      holdMatch(queries, heard.match);
      return;
  }
}

/** One socket per user, for all challenges and matches; stands once on the page. */
export function useNews(): void {
  const me = useMe();
  const queries = useQueryClient();
  useLive({
    path: me ? `/ws/connect-five/${me.id}` : null,
    hear: (message) => me && hear(queries, message as Heard, me.id),
  });
}
