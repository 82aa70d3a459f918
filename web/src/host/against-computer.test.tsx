// The computer beside a game's own ways: one click asks for it, and its table is gone to.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { session } from "@/core/session";
import type { Opponent } from "@/core/wire";
import { TestSocket } from "@/test-socket";
import { AgainstComputer } from "./against-computer";
import { table } from "./test-table";

const TWIG = { name: "easy", title: "Twig", character: "Counts.", rating: 1400, error: 20 };

beforeEach(() => {
  vi.useFakeTimers();
  TestSocket.install();
  session.set({ kind: "guest", token: "t1" });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function shown(opponents: Opponent[]) {
  const location = memoryLocation({ path: "/", record: true });
  const queries = new QueryClient();
  queries.setQueryData(["play", "games"], [{ key: "nim", rated: true, opponents, options: [] }]);
  render(
    <QueryClientProvider client={queries}>
      <Router hook={location.hook}>
        <AgainstComputer game="nim" note="For nothing." />
      </Router>
    </QueryClientProvider>,
  );
  await act(async () => vi.advanceTimersByTimeAsync(0));
  return location;
}

it("asks for the one that was chosen, and goes to its table", async () => {
  const location = await shown([TWIG]);
  const card = screen.getByRole("button", { name: /Twig/ });
  expect(card).toHaveProperty("disabled", true);
  await act(async () => TestSocket.last.open());
  fireEvent.click(card);
  expect(TestSocket.last.sent.at(-1)).toEqual({
    type: "play_bot",
    game: "nim",
    bot: "easy",
    ref: "play_bot",
  });
  await act(async () => TestSocket.last.say(table({ match: "m9", mode: "ai" })));
  expect(location.history).toEqual(["/", "/game/m9"]);
});

it("opens no line where nobody is to be played", async () => {
  const before = TestSocket.all.length;
  await shown([]);
  expect(TestSocket.all.length).toBe(before);
  expect(screen.queryByText("For nothing.")).toBeNull();
});
