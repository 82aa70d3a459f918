// A table to test with: four cards, your turn, Clairvoyance in the hand.
import type { PlayedRecord } from "@/core/wire";
import type { Found, State } from "./memory";

export const GAME_ID = "0197a1f2-0000-7000-8000-000000000001";

export function testFound(changes: Partial<Found> = {}): Found {
  return {
    type: "match_found",
    opponentName: "Bob",
    opponentUserId: "u2",
    boardRows: 2,
    boardCols: 2,
    yourTurn: true,
    gameId: GAME_ID,
    rejoinToken: "secret",
    ...changes,
  };
}

export function testState(changes: Partial<State> = {}): State {
  return {
    type: "game_state",
    cards: [0, 1, 2, 3].map((index) => ({ index, state: "hidden" })),
    you: { name: "Anna", score: 1 },
    opponent: { name: "Bob", score: 2 },
    yourTurn: true,
    hand: [{ powerUpId: "clairvoyance", count: 1, usableCount: 1 }],
    flippedIndices: [],
    phase: "first_flip",
    ...changes,
  };
}

/** Anna's game against Bob, who won because she stayed away. */
export function testRecord(changes: Partial<PlayedRecord> = {}): PlayedRecord {
  return {
    id: "r1",
    game_id: GAME_ID,
    game: "memory",
    played_at: "2024-01-01T00:00:00.000Z",
    player0_user_id: "u1",
    player1_user_id: "u2",
    player0_name: "Anna",
    player1_name: "Bob",
    player0_score: 1,
    player1_score: 2,
    player0_elo_before: 1000,
    player0_elo_after: 984,
    player1_elo_before: 1000,
    player1_elo_after: 1016,
    winner_index: 1,
    your_index: 0,
    end_reason: "opponent_disconnected",
    left: false,
    ...changes,
  };
}
