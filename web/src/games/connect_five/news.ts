// What the page knows of challenges and matches, and how news changes it. All of it lives in the
// query cache: challenges and matches by id, lists of them, and each match's events.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { noteServerTime } from "@/core/clock";
import { useMe } from "@/core/me";
import { amend, hold, refresh } from "@/core/refresh";
import { useLive } from "@/core/use-live";
import { isOver, newer } from "./match";
import type { Challenge, ChallengePage, Heard, Match, MatchPage } from "./wire";

const ALL = ["connect_five"] as const;

export const keys = {
  /** By what an address calls it, which in the end is its number. */
  challenge: (id: number | string) => [...ALL, "challenge", String(id)] as const,
  received: [...ALL, "challenges", "received"] as const,
  sent: [...ALL, "challenges", "sent"] as const,
  match: (id: number | null) => [...ALL, "match", id] as const,
  active: [...ALL, "matches", "active"] as const,
  played: [...ALL, "matches", "played"] as const,
  events: (matchId: number) => [...ALL, "events", matchId] as const,
};

type Newer<T> = (held: T | undefined, come: T) => T;

const newerChallenge: Newer<Challenge> = (held, come) =>
  held && held.modified_date > come.modified_date ? held : come;

/** A list with one of its entries changed, come or gone; new ones stand first. */
function relisted<T extends { id: number }>(
  list: readonly T[],
  entry: T,
  stays: boolean,
  newest: Newer<T>,
): T[] {
  const known = list.find(({ id }) => id === entry.id);
  if (newest(known, entry) !== entry) return [...list];
  if (!stays) return list.filter((each) => each !== known);
  return known ? list.map((each) => (each === known ? entry : each)) : [entry, ...list];
}

export function holdChallenge(queries: QueryClient, challenge: Challenge, userId: number): void {
  if (!hold(queries, keys.challenge(challenge.id), challenge, newerChallenge)) return;
  const list = challenge.challenger.id === userId ? keys.sent : keys.received;
  const pending = challenge.status === "pending";
  amend<ChallengePage>(queries, list, (page) => ({
    ...page,
    results: relisted(page.results, challenge, pending, newerChallenge),
  }));
}

export function holdMatch(queries: QueryClient, match: Match): void {
  noteServerTime(match.server_time, true);
  if (!hold(queries, keys.match(match.id), match, newer)) return;
  amend<MatchPage>(queries, keys.active, (page) => ({
    ...page,
    results: relisted(page.results, match, !isOver(match), newer),
  }));
  void refresh(queries, keys.events(match.id));
  if (isOver(match)) void refresh(queries, keys.played);
}

export function hear(queries: QueryClient, heard: Heard, userId: number): void {
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
    hear: (message) => me && hear(queries, message as Heard, me.number),
  });
}
