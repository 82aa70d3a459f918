// A game stays fresh: by socket while there is one, by asking every two seconds while there is none.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import type { Game } from "@/core/wire";
import { TestSocket } from "@/test-socket";
import { testGame } from "./test-game";
import { useGame } from "./use-game";

const START = Date.parse("2024-01-01T00:00:00.000Z");
const stamp = (millis = 0) => new Date(Date.now() + millis).toISOString();

/** What the server would answer now. */
let stored: Game;
let asked: number;
let reachable: boolean;

function serve(path: string): unknown {
  if (path === "/api/config") {
    return { games: ["connect4"], abandonThresholdSec: 30, pollIntervalMs: 2000 };
  }
  if (path === "/api/users/me") return { id: "u1", username: "Anna" };
  asked += 1;
  return stored;
}

async function sit() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(() => useGame("ABCD2345"), { wrapper });
  await pass(10);
  leave = unmount;
  return result;
}

let leave = () => undefined as unknown;
const pass = (millis: number) => act(() => vi.advanceTimersByTimeAsync(millis));
const say = (type: string, payload: unknown) =>
  act(async () => {
    TestSocket.last.say({ type, payload, timestamp: stamp() });
    await vi.advanceTimersByTimeAsync(1);
  });

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  TestSocket.install({ answersPings: true });
  vi.stubGlobal("fetch", async (path: string) => {
    if (!reachable) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(serve(path)), { status: 200 });
  });
  session.set({ kind: "guest", token: "t" });
  stored = testGame({ player1LastSeen: stamp(), player2LastSeen: stamp() });
  asked = 0;
  reachable = true;
});

afterEach(() => {
  leave();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("with a socket", () => {
  it("takes the game it is told and asks no more", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    const before = asked;
    await pass(12_000);
    expect(asked).toBe(before);
    expect(held.current.seat).toBe(1);
    await say("turn_changed", { currentTurn: 2, legalColumns: [4] });
    expect(held.current.game?.currentTurn).toBe(2);
    expect(held.current.game?.legalColumns).toEqual([4]);
  });

  it("fetches the game again after a gap", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    const move = { column: 0, row: 5, player: 1 as const, userId: "u1", ts: stamp() };
    stored = testGame({ moves: [1, 2, 3].map((moveNumber) => ({ ...move, moveNumber })) });
    await say("move_made", { moveCount: 3, player: 1, column: 0, row: 2, board: { cells: [] } });
    await pass(10);
    expect(held.current.game?.moves).toHaveLength(3);
  });
});

describe("without one", () => {
  it.each([
    ["ACTIVE", "u2"],
    ["WAITING", null],
  ] as const)(
    "asks every two seconds until the socket opens (%s) @A136 @A7",
    async (status, u2) => {
      stored = testGame({ status, player2Id: u2, player1LastSeen: stamp(), player2LastSeen: null });
      const held = await sit();
      expect(held.current.game?.id).toBe("g1");
      const before = asked;
      await pass(1_900);
      expect(asked).toBe(before);
      await pass(4_100);
      expect(asked).toBe(before + 3);
      await act(async () => TestSocket.last.open());
      await pass(6_000);
      expect(asked).toBe(before + 3);
    },
  );

  it("asks again as soon as the socket is lost, and hears of moves that way", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await act(async () => TestSocket.last.break());
    stored = { ...stored, currentTurn: 2 };
    await pass(2_100);
    expect(held.current.game?.currentTurn).toBe(2);
  });

  it("keeps the game on the table while the server is out of reach, and goes on afterwards", async () => {
    const held = await sit();
    reachable = false;
    await pass(10_000);
    expect(held.current.game?.id).toBe("g1");
    reachable = true;
    stored = { ...stored, currentTurn: 2 };
    await pass(2_100);
    expect(held.current.game?.currentTurn).toBe(2);
  });
});

describe("the opponent", () => {
  it("is here while the socket says nothing else", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await pass(100_000);
    expect(held.current.opponent).toMatchObject({ here: true, claimable: false });
  });

  it("is away when the socket says so, and can be claimed on after thirty seconds @A137", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await say("opponent_away", { player: 2 });
    await pass(10_000);
    expect(held.current.opponent).toMatchObject({ here: false, claimable: false });
    const until = (unseen: number) => pass(START + unseen - Date.now());
    await until(29_900);
    expect(held.current.opponent.claimable).toBe(false);
    await until(30_600);
    expect(held.current.opponent.claimable).toBe(true);
  });

  it("who was never seen at all cannot be claimed on @A137", async () => {
    stored = testGame({ player1LastSeen: stamp(), player2LastSeen: null });
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await say("opponent_away", { player: 2 });
    await pass(60_000);
    expect(held.current.opponent.claimable).toBe(false);
  });

  it("who comes back is here again", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await say("opponent_away", { player: 2 });
    await pass(31_000);
    await say("opponent_back", { player: 2 });
    expect(held.current.opponent).toMatchObject({ here: true, claimable: false });
  });

  it("who was away once and leaves again has just left", async () => {
    stored = testGame({ player1LastSeen: stamp(), player2LastSeen: stamp(-28_000) });
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await say("opponent_back", { player: 2 });
    await pass(60_000);
    stored = { ...stored, player2LastSeen: stamp() };
    await say("opponent_away", { player: 2 });
    expect(held.current.opponent).toMatchObject({ here: true, claimable: false });
  });

  it("is not blamed while the server itself is out of reach", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    reachable = false;
    await act(async () => TestSocket.last.break());
    await pass(60_000);
    expect(held.current.opponent).toMatchObject({ here: true, claimable: false });
  });

  it("who only asks now and then is here as well", async () => {
    const held = await sit();
    await act(async () => TestSocket.last.open());
    await say("game", stored);
    await say("opponent_away", { player: 2 });
    for (let poll = 0; poll < 20; poll++) {
      stored = { ...stored, player2LastSeen: stamp() };
      await pass(2_000);
    }
    expect(held.current.opponent).toMatchObject({ here: true, claimable: false });
  });
});
