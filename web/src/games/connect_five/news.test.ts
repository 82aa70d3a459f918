// What the page knows, and how news changes it.
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hear, keys } from "./news";
import { testChallenge, testMatch } from "./test-match";
import type { ChallengePage, Match, MatchPage } from "./wire";

let queries: QueryClient;

const page = { count: 0, next: null, previous: null, results: [] };

beforeEach(() => {
  queries = new QueryClient();
  for (const key of [keys.received, keys.sent, keys.active]) queries.setQueryData(key, page);
});

const listed = (key: readonly unknown[]) =>
  queries.getQueryData<ChallengePage | MatchPage>(key)?.results.map(({ id }) => id);

describe("news of a challenge @C87 @C90", () => {
  const told = (changes = {}, to = "bert") =>
    hear(queries, { type: "update.connect_five_challenge", challenge: testChallenge(changes) }, to);

  it("stands among those received, or those sent by oneself", () => {
    told();
    expect(listed(keys.received)).toEqual(["c1"]);
    expect(listed(keys.sent)).toEqual([]);
    told({ id: "c2" }, "anna");
    expect(listed(keys.sent)).toEqual(["c2"]);
  });

  it("leaves the list once it is answered, and is known by its id", () => {
    told();
    told({ status: "accepted", match_id: "m1" });
    expect(listed(keys.received)).toEqual([]);
    expect(queries.getQueryData(keys.challenge("c1"))).toMatchObject({ match_id: "m1" });
  });
});

describe("news of a match @C87 @C90", () => {
  const told = (changes: Partial<Match>) =>
    hear(queries, { type: "update.connect_five_match", match: testMatch(changes) }, "anna");
  const held = () => queries.getQueryData<Match>(keys.match("m1"));

  it("never goes back to an earlier state", () => {
    told({ version: 5, turn_number: 3 });
    told({ version: 4, turn_number: 2 });
    expect(held()?.turn_number).toBe(3);
  });

  it("leaves the table when it is over", () => {
    told({ version: 2 });
    expect(listed(keys.active)).toEqual(["m1"]);
    told({ version: 3, status: "draw" });
    expect(listed(keys.active)).toEqual([]);
  });
});

it("asks for everything anew whenever the socket lets it in @C86 @C105", async () => {
  const invalidate = vi.spyOn(queries, "invalidateQueries");
  hear(queries, { type: "auth_ok" }, "anna");
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: ["connect_five"] }));
});
