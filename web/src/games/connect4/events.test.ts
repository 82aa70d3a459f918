// What the socket says, applied to the game at hand.
import { describe, expect, it } from "vitest";
import type { Connect4Event, Game, PlayerNumber } from "@/core/wire";
import { heard, newer } from "./events";
import { EMPTY, testGame } from "./test-game";

const at = "2024-01-01T00:00:05.000Z";

/** Red in the middle of the bottom row: the socket's first row, the game object's last. */
function firstMove(
  moveCount = 1,
  nextTurn: PlayerNumber | null = 2,
  height = [0, 0, 0, 1, 0, 0, 0],
): Connect4Event {
  const cells = Array.from({ length: 6 }, (_, row) =>
    Array.from({ length: 7 }, (_, column): "" | "red" => (row === 0 && column === 3 ? "red" : "")),
  );
  return {
    type: "move_made",
    timestamp: at,
    payload: {
      gameId: "g1",
      player: 1,
      column: 3,
      row: 0,
      board: { cells, height },
      nextTurn,
      moveCount,
    },
  };
}

describe("a move", () => {
  it("is shown with its rows turned over, as the game object has them", () => {
    const { game, refetch } = heard(testGame(), firstMove());
    expect(refetch).toBe(false);
    expect(game.board).toBe(`${"0".repeat(38)}1000`);
    expect(game.moves).toEqual([
      { moveNumber: 1, column: 3, row: 5, player: 1, userId: "u1", ts: at },
    ]);
    expect(game.currentTurn).toBe(2);
  });

  it("lets the next one drop at once, and again as the server says", () => {
    const moved = heard(testGame(), firstMove()).game;
    expect(moved.legalColumns).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const turn: Connect4Event = {
      type: "turn_changed",
      timestamp: at,
      payload: { currentTurn: 2, legalColumns: [0, 2] },
    };
    expect(heard(moved, turn)).toEqual({
      game: { ...moved, currentTurn: 2, legalColumns: [0, 2] },
      refetch: false,
    });
  });

  it("that is known already changes nothing", () => {
    const moved = heard(testGame(), firstMove()).game;
    expect(heard(moved, firstMove()).game).toBe(moved);
  });

  it("after a gap is not guessed at", () => {
    const game = testGame();
    expect(heard(game, firstMove(3))).toEqual({ game, refetch: true });
  });

  it("that fills a column closes it", () => {
    const full = firstMove(1, 2, [0, 6, 0, 1, 0, 6, 0]);
    expect(heard(testGame(), full).game.legalColumns).toEqual([0, 2, 3, 4, 6]);
  });

  it("that is the last leaves the turn with its mover", () => {
    const { game } = heard(testGame(), firstMove(1, null));
    expect(game.currentTurn).toBe(1);
    expect(game.legalColumns).toEqual([]);
  });
});

describe("other events", () => {
  it("tell of a rematch asked for and agreed to", () => {
    const asked = heard(testGame({ status: "COMPLETED" }), {
      type: "rematch_requested",
      timestamp: at,
      payload: { player: 2 },
    }).game;
    expect(asked.rematchRequestedBy).toBe(2);
    const agreed = heard(asked, {
      type: "rematch_accepted",
      timestamp: at,
      payload: { newGameId: "g2", newPublicId: "WXYZ2345" },
    }).game;
    expect(agreed.rematchPublicId).toBe("WXYZ2345");
  });

  it("do no harm when they are unknown or refusals", () => {
    const game = testGame();
    const refusal: Connect4Event = {
      type: "error",
      timestamp: at,
      payload: { code: "NOT_YOUR_TURN", message: "wait" },
    };
    expect(heard(game, refusal)).toEqual({ game, refetch: false });
    const future = { type: "confetti", timestamp: at, payload: {} } as unknown as Connect4Event;
    expect(heard(game, future)).toEqual({ game, refetch: false });
  });
});

describe("of two answers", () => {
  const moved = (count: number, more: Partial<Game> = {}): Game =>
    testGame({
      board: EMPTY,
      moves: Array.from({ length: count }, (_, index) => ({
        moveNumber: index + 1,
        column: index % 7,
        row: 5,
        player: ((index % 2) + 1) as PlayerNumber,
        userId: "u1",
        ts: at,
      })),
      ...more,
    });

  it("the one with more moves is the newer, whichever came last", () => {
    const old = moved(2);
    const fresh = moved(3);
    expect(newer(fresh, old)).toBe(fresh);
    expect(newer(old, fresh)).toBe(fresh);
  });

  it("an ended game does not go on", () => {
    const ended = moved(3, { status: "ABANDONED" });
    expect(newer(ended, moved(3))).toBe(ended);
  });

  it("with the same moves the last one counts", () => {
    const later = moved(3, { player2LastSeen: at });
    expect(newer(moved(3), later)).toBe(later);
  });

  it("another game simply takes its place", () => {
    const next = moved(0, { id: "g2" });
    expect(newer(moved(9), next)).toBe(next);
  });
});
