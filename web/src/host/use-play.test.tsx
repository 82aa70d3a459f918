// The socket behind a table: it sits down where the address says, again after a cut, and not where one was replaced.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { session } from "@/core/session";
import { TestSocket } from "@/test-socket";
import { placeOf } from "./place";
import { step, table } from "./test-table";
import { usePlay } from "./use-play";

const pass = (millis: number) => act(async () => vi.advanceTimersByTimeAsync(millis));
const place = { type: "place", cell: 1 };

beforeEach(() => {
  vi.useFakeTimers();
  TestSocket.install();
  session.set({ kind: "guest", token: "t1" });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function at(path: string) {
  const location = memoryLocation({ path, record: true });
  const hook = renderHook(
    () => {
      const [now] = location.hook();
      return usePlay("nim", placeOf(now));
    },
    { wrapper: ({ children }) => <Router hook={location.hook}>{children}</Router> },
  );
  await pass(0);
  await act(async () => TestSocket.last.open());
  return { ...hook, location };
}

const said = () => TestSocket.last.sent.slice(1);
const hear = (message: unknown) => act(async () => TestSocket.last.say(message));

async function cut() {
  act(() => TestSocket.last.break(1012));
  await pass(450);
  await act(async () => TestSocket.last.open());
}

it("sits down at the table of the address, and goes to the next game with it", async () => {
  const { location } = await at("/game/m1");
  expect(said()).toEqual([{ type: "join", match: "m1", ref: "join" }]);
  await hear(table());
  await hear(table({ match: "m2" }));
  expect(location.history).toEqual(["/game/m2"]);
  expect(said()).toHaveLength(1);
});

it("looks on where one has no seat", async () => {
  await at("/game/m1");
  await hear({ type: "error", ref: "join", code: "NOT_SEATED", message: "No.", match: "m1" });
  expect(said().at(-1)).toEqual({ type: "watch", match: "m1", ref: "watch" });
});

it("sits down again after a cut, and says again what was not answered", async () => {
  const { result } = await at("/game/m1");
  await hear(table());
  act(() => result.current.choose(place));
  const acted = { type: "act", match: "m1", version: 2, action: place, ref: "act" };
  expect(said().at(-1)).toEqual(acted);
  await cut();
  expect(said()).toEqual([{ type: "join", match: "m1", ref: "join" }, acted]);
  await hear(table({ version: 4 }));
  await hear({ type: "error", ref: "act", code: "STALE", message: "Look.", match: "m1" });
  expect(said().at(-1)).toEqual({ ...acted, version: 4 });
  await hear(step({ version: 5 }));
  expect(result.current.held.chosen).toBeNull();
});

it("leaves the seat to another window until told to take it back", async () => {
  const { result } = await at("/game/m1");
  await hear(table());
  await hear({ type: "left", match: "m1", why: "taken_over" });
  await cut();
  expect(said()).toEqual([]);
  act(() => result.current.sitAgain());
  expect(said()).toEqual([{ type: "join", match: "m1", ref: "join" }]);
});

it("goes on looking for an opponent after a cut, and goes to the table that is found", async () => {
  const { result, location } = await at("/");
  act(() => result.current.seek());
  await hear({ type: "seeking", game: "nim", bot_at: null, now: 1000 });
  await cut();
  expect(said()).toEqual([{ type: "seek", game: "nim", ref: "seek" }]);
  await hear(table());
  expect(location.history).toEqual(["/", "/game/m1"]);
});

it("gets up from a table that one walks away from", async () => {
  const { location } = await at("/game/m1");
  await hear(table());
  act(() => location.navigate("/"));
  expect(said().at(-1)).toEqual({ type: "unwatch", match: "m1", ref: "unwatch" });
});

it("keeps an invitation from page to page until it is declined", async () => {
  const { result, location } = await at("/");
  const by = { id: "u9", username: "Cleo" };
  await hear({ type: "invitation", match: "m9", game: "nim", code: "K7QF2M", by });
  act(() => location.navigate("/game/m1"));
  act(() => location.navigate("/"));
  expect(result.current.held.invitations).toHaveLength(1);
  act(() => result.current.decline("m9"));
  expect(said().at(-1)).toEqual({ type: "withdraw", match: "m9", ref: "withdraw" });
  expect(result.current.held.invitations).toEqual([]);
});
