// A move that was refused: the page looks again and says so; a claim replaces the game.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import type { Game } from "@/core/wire";
import { TestSocket } from "@/test-socket";
import { Toasts } from "@/ui/toast";
import { testGame } from "./test-game";
import { useActions } from "./use-actions";
import { useGame } from "./use-game";

/** What the server has, and how it answers what is done. */
let stored: Game;
let answer: { status: number; body: unknown };
let done: string[];

beforeEach(() => {
  TestSocket.install();
  stored = testGame();
  done = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    if (path === "/api/users/me") return Response.json({ id: "u1", username: "Anna" });
    if (method === "GET") return Response.json(stored);
    done.push(path);
    return Response.json(answer.body, { status: answer.status });
  });
  session.set({ kind: "guest", token: "t" });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function sit() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      {children}
      <Toasts />
    </QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const held = useGame("ABCD2345");
      return { held, actions: useActions(held, held.game ?? testGame(), () => undefined) };
    },
    { wrapper },
  );
  await vi.waitFor(() => expect(result.current.held.seat).toBe(1));
  return result;
}

it.each([
  ["NOT_YOUR_TURN", 403],
  ["COLUMN_FULL", 400],
  ["MOVE_CONFLICT", 409],
])("looks again after %s, and says that the move failed @A139", async (code, status) => {
  const table = await sit();
  answer = { status, body: { error: code, code, message: "no" } };
  stored = testGame({ currentTurn: 2, legalColumns: [0, 1, 2, 4, 5, 6] });
  act(() => void table.current.actions.drop(3));
  await screen.findByText("Move failed - please try again");
  expect(done).toEqual(["/api/games/g1/move"]);
  expect(table.current.held.game?.currentTurn).toBe(2);
  expect(table.current.held.game?.legalColumns).toEqual([0, 1, 2, 4, 5, 6]);
  expect(table.current.actions.held).toBeNull();
});

it("holds the game that a claim is answered with @A138", async () => {
  const table = await sit();
  const won = testGame({ status: "ABANDONED", result: "P1_WIN", winnerId: "u1" });
  answer = { status: 200, body: { game: won } };
  act(() => void table.current.actions.claim());
  await vi.waitFor(() => expect(table.current.held.game?.status).toBe("ABANDONED"));
  expect(done).toEqual(["/api/games/g1/claim-abandoned"]);
});
