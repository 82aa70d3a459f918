// What a screen reader hears at the table: each thing once.
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { announce } from "@/core/announce";
import type { Game } from "@/core/wire";
import { testGame } from "./test-game";
import { useTelling } from "./use-telling";

vi.mock("@/core/announce", () => ({ announce: vi.fn() }));
const said = () => vi.mocked(announce).mock.calls.map(([words]) => words);

beforeEach(() => vi.mocked(announce).mockClear());

it("says whose turn it is when play begins, and not again with every look at the game", () => {
  const game = testGame({ currentTurn: 1, moves: [] });
  const { rerender } = renderHook(({ now }: { now: Game }) => useTelling(now, 1), {
    initialProps: { now: game },
  });
  expect(said()).toEqual(["Your turn."]);
  for (let look = 0; look < 3; look++) rerender({ now: { ...game } });
  expect(said()).toEqual(["Your turn."]);
});
