// What the page knows, and how news changes it.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hear, keys } from "./news";
import { testChallenge, testMatch } from "./test-match";
import type { Challenge, ChallengePage, Match, MatchPage } from "./wire";

let queries: QueryClient;

const page = { count: 0, next: null, previous: null, results: [] };

beforeEach(() => {
  queries = new QueryClient();
  for (const key of [keys.received, keys.sent, keys.active]) queries.setQueryData(key, page);
});

const listed = (key: readonly unknown[]) =>
  queries.getQueryData<ChallengePage | MatchPage>(key)?.results.map(({ id }) => id);

describe("news of a challenge @C87 @C90", () => {
  const told = (changes = {}, to = 2) =>
    hear(queries, { type: "update.connect_five_challenge", challenge: testChallenge(changes) }, to);

  it("stands among those received, or those sent by oneself", () => {
    told();
    expect(listed(keys.received)).toEqual([21]);
    expect(listed(keys.sent)).toEqual([]);
    told({ id: 22 }, 1);
    expect(listed(keys.sent)).toEqual([22]);
  });

  it("leaves the list once it is answered, and is known by its id", () => {
    told();
    told({ status: "accepted", match_id: 31 });
    expect(listed(keys.received)).toEqual([]);
    expect(queries.getQueryData(keys.challenge(21))).toMatchObject({ match_id: 31 });
  });

  it("never goes back to an earlier state", () => {
    const later = { modified_date: "2030-01-01T12:01:00.000Z" };
    told();
    told({ status: "accepted", match_id: 31, ...later });
    told();
    expect(listed(keys.received)).toEqual([]);
    expect(queries.getQueryData(keys.challenge(21))).toMatchObject({ match_id: 31 });
    // What is listed may be newer than what was last told.
    const listing = { ...page, results: [testChallenge({ id: 22, stake_amount: 7, ...later })] };
    queries.setQueryData<ChallengePage>(keys.received, listing);
    told({ id: 22 });
    expect(queries.getQueryData(keys.received)).toEqual(listing);
  });

  it("outlasts an answer that was under way when it came", async () => {
    const answers: ((challenge: Challenge) => void)[] = [];
    const shown = new QueryObserver(queries, {
      queryKey: keys.challenge(21),
      queryFn: () => new Promise<Challenge>((resolve) => answers.push(resolve)),
    });
    const stop = shown.subscribe(() => undefined);
    const accepted = {
      status: "accepted" as const,
      match_id: 31,
      modified_date: "2030-01-01T12:01:00.000Z",
    };
    told(accepted);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]?.(testChallenge());
    answers[1]?.(testChallenge(accepted));
    await vi.waitFor(() => expect(shown.getCurrentResult().isFetching).toBe(false));
    expect(shown.getCurrentResult().data).toMatchObject({ match_id: 31 });
    stop();
  });
});

describe("news of a match @C87 @C90", () => {
  const told = (changes: Partial<Match>) =>
    hear(queries, { type: "update.connect_five_match", match: testMatch(changes) }, 1);
  const held = () => queries.getQueryData<Match>(keys.match(31));

  it("never goes back to an earlier state", () => {
    told({ version: 5, turn_number: 3 });
    told({ version: 4, turn_number: 2 });
    expect(held()?.turn_number).toBe(3);
  });

  it("leaves the table when it is over", () => {
    told({ version: 2 });
    expect(listed(keys.active)).toEqual([31]);
    told({ version: 3, status: "draw" });
    expect(listed(keys.active)).toEqual([]);
  });

  it("does not come back to the table when older news straggles in", () => {
    told({ version: 6, status: "draw" });
    told({ version: 5 });
    expect(listed(keys.active)).toEqual([]);
  });

  it("leaves a newer entry of the list as it is", () => {
    queries.setQueryData(keys.active, { ...page, results: [testMatch({ version: 7 })] });
    told({ version: 6 });
    expect(queries.getQueryData<MatchPage>(keys.active)?.results[0]?.version).toBe(7);
  });
});

it("asks for everything anew whenever the socket lets it in @C86 @C105", async () => {
  const invalidate = vi.spyOn(queries, "invalidateQueries");
  hear(queries, { type: "auth_ok" }, 1);
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: ["connect_five"] }));
});
