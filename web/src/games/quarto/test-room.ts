// A game of Quarto as the server would send it, for tests.
import type { Game } from "./wire";

export function testGame(changes: Partial<Game> = {}): Game {
  return {
    id: "g1",
    mode: "online",
    status: "playing",
    players: [
      { id: "secret-0", type: "human-remote", name: "Anna" },
      { id: "public-1", type: "human-remote", name: "Bert" },
    ],
    board: { positions: Array(16).fill(null) },
    availablePieces: Array.from({ length: 16 }, (_, piece) => piece),
    currentTurn: 0,
    phase: "selecting",
    selectedPiece: null,
    winner: null,
    winningLine: null,
    history: [],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    ...changes,
  };
}
