// The games one has finished, ten to a page.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import Connect4History from "./history";
import { testGame } from "./test-game";

const PLAYED = Array.from({ length: 23 }, (_, number) =>
  testGame({
    id: `g${number}`,
    publicId: `GAME${number}`,
    status: "COMPLETED",
    result: "P1_WIN",
    winnerId: "u1",
    p1RatingDelta: 16,
    p2RatingDelta: -16,
    player2: { id: "u2", username: `Rival${number}`, rating: 1000 },
    completedAt: "2024-01-01T00:10:00.000Z",
  }),
);

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://server");
    if (url.pathname === "/api/users/me") return Response.json({ id: "u1", username: "Anna" });
    const limit = Number(url.searchParams.get("limit"));
    const before = url.searchParams.get("before");
    const first = PLAYED.findIndex((game) => game.id === before) + 1;
    const games = PLAYED.slice(first, first + limit);
    return Response.json({ games, total: PLAYED.length, limit, offset: 0 });
  });
  session.set({ kind: "guest", token: "t" });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("shows ten at a time, from the newest to the oldest @A140", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Connect4History />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const shown = () => screen.getAllByText(/^Rival/).map((each) => each.textContent);
  const rivals = (to: number) => PLAYED.slice(0, to).map((game) => game.player2?.username);
  const older = () => screen.queryByRole("button", { name: /older/i });

  await screen.findByText("Rival9");
  expect(shown()).toEqual(rivals(10));
  for (const [last, count] of [
    ["Rival19", 20],
    ["Rival22", 23],
  ] as const) {
    const more = older();
    if (!more) throw new Error("there is nothing to press for the rest");
    await user.click(more);
    await screen.findByText(last);
    expect(shown()).toEqual(rivals(count));
  }
  expect(older()).toBeNull();
});
