// Looking for an opponent: in the queue while the dialog is open, asking every two seconds.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import type { Queue } from "@/core/wire";
import { Matchmaking } from "./matchmaking";
import { useSearchElsewhere } from "./search-elsewhere";

let place: Queue;
let asked: string[];
const polls = () => asked.filter((each) => each === "GET /api/matchmaking/status").length;
const pass = (millis: number) => act(() => vi.advanceTimersByTimeAsync(millis));

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  place = { status: "not_queued" };
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (method === "POST") place = { status: "queued", queuedAt: new Date().toISOString() };
    return Response.json(method === "DELETE" ? { status: "left" } : place);
  });
  session.set({ kind: "guest", token: "t" });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function seek(close: () => void = () => undefined) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = render(
    <QueryClientProvider client={queries}>
      <Matchmaking close={close} />
    </QueryClientProvider>,
  );
  await pass(10);
  return view;
}

it("asks every two seconds and leaves with the dialog @A136 @A140", async () => {
  const { unmount } = await seek();
  expect(screen.getByText("Looking for an opponent")).toBeTruthy();
  expect(asked).toEqual([
    "GET /api/matchmaking/status",
    "POST /api/matchmaking/join?moveTimeSec=60",
  ]);
  await pass(1_900);
  expect(polls()).toBe(1);
  await pass(4_200);
  expect(polls()).toBe(4);
  unmount();
  await pass(10);
  expect(asked.at(-1)).toBe("DELETE /api/matchmaking/leave");
});

it("goes to the game that was found and asks no more @A136", async () => {
  const { unmount } = await seek();
  place = { status: "matched", gameId: "g1", publicId: "ABCD2345" };
  await pass(2_100);
  expect(window.location.pathname).toBe("/game/ABCD2345");
  const before = asked.length;
  await pass(10_000);
  unmount();
  await pass(10);
  expect(asked.length).toBe(before);
});

it("ends when the same search was cancelled in another tab, and is not begun again", async () => {
  const close = vi.fn();
  await seek(close);
  place = { status: "not_queued" };
  await pass(2_100);
  expect(close).toHaveBeenCalledOnce();
  expect(asked.filter((each) => each.startsWith("POST"))).toHaveLength(1);
});

it("is none that goes on elsewhere, while it is being left", async () => {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const answer = fetch;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (init.method === "DELETE") {
      await left;
      place = { status: "not_queued" };
    }
    return answer(path, init);
  });
  function Page() {
    const [seeking, setSeeking] = useState(true);
    const elsewhere = useSearchElsewhere(!seeking);
    if (seeking) return <Matchmaking close={() => setSeeking(false)} />;
    return <p>{elsewhere ? "elsewhere" : "nowhere"}</p>;
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  await pass(10);
  act(() => screen.getByRole("button", { name: "Cancel" }).click());
  await pass(10);
  expect(screen.getByText("nowhere")).toBeTruthy();
  leave();
  await pass(10);
  expect(screen.getByText("nowhere")).toBeTruthy();
  expect(asked.slice(-2)).toEqual(["DELETE /api/matchmaking/leave", "GET /api/matchmaking/status"]);
});

it("goes on after a nap in which its entry went stale", async () => {
  const close = vi.fn();
  await seek(close);
  place = { status: "not_queued" };
  vi.setSystemTime(Date.now() + 60_000);
  await pass(2_100);
  expect(close).not.toHaveBeenCalled();
  expect(asked.filter((each) => each.startsWith("POST"))).toHaveLength(2);
});

it("goes to the game that a refusal leads to", async () => {
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) =>
    method === "POST"
      ? Response.json(
          { code: "HAS_ACTIVE_GAME", message: "", gameId: "g2", publicId: "WXYZ2345" },
          { status: 409 },
        )
      : Response.json(place),
  );
  await seek();
  expect(window.location.pathname).toBe("/game/WXYZ2345");
});
