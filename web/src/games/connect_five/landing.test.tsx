// The landing page: challenges in and out, games on the table and games played.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import { Landing } from "./landing";
import { testChallenge, testMatch } from "./test-match";

const anna = { id: 1, uuid: "anna", username: "Anna" };
const cleo = { id: 3, uuid: "cleo", username: "Cleo" };
const page = (...results: unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});
const playing = testMatch();
const played = testMatch({
  id: 32,
  challenge: 29,
  status: "finished_timeout",
  finish_reason: "timeout",
  winner: 1,
  active_player: null,
});

/** What the server has for Anna. */
const served: Record<string, unknown> = {
  "/api/users/me": { id: "anna", number: 1, username: "Anna" },
  "/api/play/games": [],
  "/api/wallet": { currency: "TNB", balance: 900 },
  "/api/connect-five/challenges?status=pending&mine=received&page_size=100": page(
    testChallenge({ id: 22, challenger: cleo, opponent: anna, stake_amount: 30 }),
  ),
  "/api/connect-five/challenges?status=pending&mine=sent&page_size=100": page(testChallenge()),
  "/api/connect-five/matches?status=active&page_size=100": page(playing),
  "/api/connect-five/matches?page_size=20": page(playing, played),
};

let asked: string[];

beforeEach(() => {
  session.set({ kind: "guest", token: "t" });
  asked = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (!(path in served)) throw new Error(`nobody should ask for ${path}`);
    return new Response(JSON.stringify(served[path]));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Landing />
    </QueryClientProvider>,
  );

it("lists incoming and outgoing challenges, active and historical games @C92", async () => {
  show();
  await act(async () => undefined);
  const rows = async (title: string) => {
    const tray = (await screen.findByRole("heading", { name: title })).parentElement;
    if (!tray) throw new Error(title);
    return (await within(tray).findAllByRole("listitem")).map((row) => row.textContent);
  };
  expect(await rows("Challenges for you")).toEqual([
    expect.stringMatching(/Cleo30 TNB each.*Accept the challenge of Cleo/),
  ]);
  expect(await rows("Challenges you sent")).toEqual([
    expect.stringMatching(/Bert100 TNB each.*Cancel the challenge to Bert/),
  ]);
  expect(await rows("Games on the table")).toEqual([
    expect.stringMatching(/^Your turn against Bert.*200 TNB$/),
  ]);
  expect(await rows("Games played")).toEqual([
    expect.stringMatching(/^Won against Bert.*on time\+100$/),
  ]);
  const ways = screen.getAllByRole("link", { name: /against Bert/ });
  expect(ways.map((way) => way.getAttribute("href"))).toEqual([
    "/connect-five/games/21",
    "/connect-five/games/29",
  ]);
});

it("asks once and then waits to be told @C86", async () => {
  vi.useFakeTimers();
  const { unmount } = show();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(asked.toSorted()).toEqual(Object.keys(served).toSorted());
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect(asked).toHaveLength(Object.keys(served).length);
  unmount();
});
