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
    const [limit, offset] = ["limit", "offset"].map((name) => Number(url.searchParams.get(name)));
    const games = PLAYED.slice(offset, (offset ?? 0) + (limit ?? 0));
    return Response.json({ games, total: PLAYED.length, limit, offset });
  });
  session.set({ kind: "guest", token: "t" });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("shows ten at a time, from the newest to the oldest and back @A140", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Connect4History />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const shown = () => screen.getAllByText(/^Rival/).map((each) => each.textContent);
  const rivals = (from: number, to: number) =>
    PLAYED.slice(from, to).map((game) => game.player2?.username);
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  const enabled = (name: string) => !screen.getByRole("button", { name }).hasAttribute("disabled");

  await screen.findByText("1–10 of 23");
  expect(shown()).toEqual(rivals(0, 10));
  expect([enabled("Newer"), enabled("Older")]).toEqual([false, true]);
  await press("Older");
  await screen.findByText("11–20 of 23");
  expect(shown()).toEqual(rivals(10, 20));
  await press("Older");
  await screen.findByText("21–23 of 23");
  expect(shown()).toEqual(rivals(20, 23));
  expect([enabled("Newer"), enabled("Older")]).toEqual([true, false]);
  await press("Newer");
  await screen.findByText("11–20 of 23");
});
