// How a game ended, in words.
import { resultTitle } from "@/table/ending";
import type { Ended, RatingMove } from "@/table/model";
import { nameOf, otherSeat, type Room, seatAt, winnerOf, winningPieces } from "./room";
import { listed, sharedWords } from "./traits";
import type { Game, Seat } from "./wire";

/** `own` is null for spectators and two at one device: they see names. */
export function endedOf(
  game: Game,
  own: Seat | null,
  left: Room["left"],
  rating: RatingMove | null,
): Ended {
  const winner = winnerOf(game);
  const called = game.winningLine !== null ? "Quarto! " : "";
  return {
    winner: winner === null ? null : seatAt(winner),
    title: called + resultTitle(winner, own, (seat) => nameOf(game, seat)),
    reason: reasonOf(game, own, left),
    rating,
  };
}

function reasonOf(game: Game, own: Seat | null, left: Room["left"]): string {
  const winner = winnerOf(game);
  if (winner === null) {
    return game.availablePieces.length === 0
      ? "The board is full and nobody called a line."
      : "Both of you were away for too long.";
  }
  if (game.winningLine !== null) return `All four are ${listed(sharedWords(winningPieces(game)))}.`;
  const loser = otherSeat(winner);
  if (own === loser) return "You left the table.";
  return left === "timeout"
    ? `${nameOf(game, loser)} was away for too long.`
    : `${nameOf(game, loser)} left the table.`;
}
