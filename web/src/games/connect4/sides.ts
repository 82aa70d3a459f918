// The two sides, and a game seen from one of them. Nothing here decides what a move does.
import type { Game, Player, PlayerNumber, Seat } from "@/core/wire";

export const ROWS = 6;
export const COLUMNS = 7;

export type Side = "red" | "yellow";

/** By the table's seats, which are counted from 0. */
export const SIDES: readonly [Side, Side] = ["red", "yellow"];
export const seatAt = (player: PlayerNumber): Seat => (player === 1 ? 0 : 1);
export const sideOf = (player: PlayerNumber): Side => SIDES[seatAt(player)];
export const otherPlayer = (player: PlayerNumber): PlayerNumber => (player === 1 ? 2 : 1);

/** Which player a user is here; null: a spectator. */
export function seatOf(game: Game, userId: string | undefined): PlayerNumber | null {
  if (userId === undefined) return null;
  if (game.player1Id === userId) return 1;
  return game.player2Id === userId ? 2 : null;
}

export function playerAt(game: Game, player: PlayerNumber): Player | null {
  return player === 1 ? game.player1 : game.player2;
}

export function lastSeen(game: Game, player: PlayerNumber): string | null {
  return player === 1 ? game.player1LastSeen : game.player2LastSeen;
}

export interface RatingChange {
  before: number;
  delta: number;
}

export function ratingChange(game: Game, player: PlayerNumber): RatingChange | null {
  const before = player === 1 ? game.p1RatingBefore : game.p2RatingBefore;
  const delta = player === 1 ? game.p1RatingDelta : game.p2RatingDelta;
  return before === null || delta === null ? null : { before, delta };
}

export function winnerOf(game: Game): PlayerNumber | null {
  if (game.result === "P1_WIN") return 1;
  return game.result === "P2_WIN" ? 2 : null;
}

export const isOver = (game: Game): boolean =>
  game.status === "COMPLETED" || game.status === "ABANDONED";
