// A game of Connect 4 as the server would send it, for tests.
import type { Game } from "@/core/wire";

export const EMPTY = "0".repeat(42);

export function testGame(changes: Partial<Game> = {}): Game {
  return {
    id: "g1",
    publicId: "ABCD2345",
    code: null,
    player1Id: "u1",
    player2Id: "u2",
    player1: { id: "u1", username: "Anna", rating: 1000 },
    player2: { id: "u2", username: "Bert", rating: 1000 },
    board: EMPTY,
    currentTurn: 1,
    status: "ACTIVE",
    moves: [],
    result: null,
    endedReason: null,
    winnerId: null,
    p1RatingBefore: 1000,
    p2RatingBefore: 1000,
    p1RatingDelta: null,
    p2RatingDelta: null,
    ratingAppliedAt: null,
    rematchRequestedBy: null,
    rematchGameId: null,
    rematchPublicId: null,
    player1LastSeen: "2024-01-01T00:00:00.000Z",
    player2LastSeen: "2024-01-01T00:00:00.000Z",
    createdAt: "2024-01-01T00:00:00.000Z",
    updatedAt: "2024-01-01T00:00:00.000Z",
    completedAt: null,
    legalColumns: [0, 1, 2, 3, 4, 5, 6],
    winningCells: [],
    ...changes,
  };
}
