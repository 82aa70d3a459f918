// Lists longer than a page go on from the last entry shown, and so repeat and skip nothing.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import { Played } from "@/games/connect_five/played";
import { testMatch } from "@/games/connect_five/test-match";
import Connect4History from "@/games/connect4/history";
import { testGame } from "@/games/connect4/test-game";
import { Leaderboard } from "@/games/memory/leaderboard";
import { testRecord } from "@/games/memory/test-table";
import { PlayedList } from "./played-list";

const COUNT = 47;

/** The entries from a place on, as the server gives them; a new one has come since the first. */
let asked = 0;
function following<T>(size: number, after: string | null, entry: (n: number) => T): T[] {
  asked += 1;
  const newest = COUNT + asked;
  const first = after === null ? newest : Number(after) - 1;
  return Array.from({ length: Math.min(size, first) }, (_, n) => entry(first - n));
}

const standing = (n: number) => ({
  user_id: `u${n}`,
  display_name: `Player ${n}`,
  elo: n,
  wins: 1,
  losses: 1,
  draws: 0,
  is_bot: false,
  is_current_user: false,
});

function answer({ pathname, searchParams }: URL): unknown {
  const limit = Number(searchParams.get("limit") ?? searchParams.get("page_size"));
  const place = (name: string) => searchParams.get(name);
  switch (pathname) {
    case "/api/users/me":
      return { id: "anna", number: 1, username: "Anna" };
    case "/api/play/games":
      return [];
    case "/api/history":
      return following(limit, place("before"), (n) => ({ ...testRecord(), id: `${n}` }));
    case "/api/users/me/games":
      return {
        games: following(limit, place("before"), (n) =>
          testGame({ id: `${n}`, publicId: `p${n}` }),
        ),
      };
    case "/api/leaderboard": {
      const entries = following(limit, place("after"), standing);
      const next = entries.length < limit ? null : `${entries.at(-1)?.elo}`;
      return { entries, current_user_entry: null, next };
    }
    default: {
      const results = following(limit, place("cursor"), (n) =>
        testMatch({ id: n, challenge: 1000 + n, status: "draw", finish_reason: "draw" }),
      );
      const cursor = results.at(-1)?.id;
      const next = `http://parlour.test${pathname}?page_size=${limit}&page=2&cursor=${cursor}`;
      return { count: COUNT, next: results.length < limit ? null : next, previous: null, results };
    }
  }
}

beforeEach(() => {
  asked = 0;
  session.set({ kind: "guest", token: "t1" });
  vi.stubGlobal("fetch", async (path: string) => {
    return new Response(JSON.stringify(answer(new URL(path, window.location.href))));
  });
});

afterEach(() => {
  session.set(null);
  vi.unstubAllGlobals();
});

const history = (
  <PlayedList
    game="memory"
    none="None"
    start={{ href: "/", label: "Play" }}
    mark={() => null}
    reasons={{}}
  />
);

it.each<[string, ReactNode, string]>([
  ["what one played", history, "Show older"],
  ["games of Connect 4", <Connect4History key="c4" />, "Show older"],
  ["matches of Connect Five", <Played key="c5" />, "Show older"],
  ["the leaderboard", <Leaderboard key="best" />, "Show more"],
])("shows all of %s, each once", async (_, list, label) => {
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      {list}
    </QueryClientProvider>,
  );
  const all = COUNT + 1;
  for (;;) {
    const shown = (await screen.findAllByRole("listitem")).length;
    const more = screen.queryByRole("button", { name: label });
    if (more === null) break;
    expect(shown).toBeLessThan(all);
    await userEvent.click(more);
    await vi.waitFor(() => expect(screen.getAllByRole("listitem").length).toBeGreaterThan(shown));
  }
  expect(screen.getAllByRole("listitem")).toHaveLength(all);
});
