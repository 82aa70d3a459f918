// How it ended: the result, what it did to the rating, and another round.
import { House, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import type { Game, PlayerNumber } from "@/core/wire";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { RatingLine } from "@/ui/rating-line";
import { Chip } from "./chip";
import { otherPlayer, playerAt, ratingChange, sideOf, winnerOf } from "./sides";

/** From one seat; a spectator sees names. */
export function resultTitle(game: Game, seat: PlayerNumber | null): string {
  const winner = winnerOf(game);
  if (winner === null) return "A draw";
  if (seat === null) return `${playerAt(game, winner)?.username ?? "Someone"} wins`;
  return winner === seat
    ? "You win"
    : `${playerAt(game, winner)?.username ?? "Your opponent"} wins`;
}

export function resultReason(game: Game, seat: PlayerNumber | null): string {
  switch (game.endedReason) {
    case "CONNECT4":
      return winnerOf(game) === seat ? "Four in a row, nicely done." : "Four in a row.";
    case "BOARD_FULL":
      return "The board is full and nobody has four.";
    case "ABANDONED":
      return winnerOf(game) === seat
        ? "Your opponent left the table."
        : "The win was claimed by absence.";
    default:
      return "";
  }
}

interface GameOverProps {
  game: Game;
  seat: PlayerNumber;
  open: boolean;
  onClose: () => void;
  rematch: () => void;
  asking: boolean;
}

export function GameOver({ game, seat, open, onClose, rematch, asking }: GameOverProps) {
  const winner = winnerOf(game);
  const change = ratingChange(game, seat);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={resultTitle(game, seat)}
      description={resultReason(game, seat)}
      picture={<Picture winner={winner} seat={seat} />}
    >
      {change && <RatingLine by={change.delta} to={change.before + change.delta} />}
      <div className="flex flex-col gap-3">
        <RematchButton game={game} seat={seat} rematch={rematch} asking={asking} />
        <Button asChild>
          <Link href="~/">
            <House aria-hidden="true" /> Back to the shelf
          </Link>
        </Button>
      </div>
    </Dialog>
  );
}

interface RematchProps {
  game: Game;
  seat: PlayerNumber;
  rematch: () => void;
  asking: boolean;
}

export function RematchButton({ game, seat, rematch, asking }: RematchProps) {
  const opponent = playerAt(game, otherPlayer(seat))?.username ?? "your opponent";
  const theyAsked = game.rematchRequestedBy === otherPlayer(seat);
  const iAsked = game.rematchRequestedBy === seat;
  if (game.rematchPublicId !== null) {
    return (
      <Button asChild color="green" size="large">
        <Link href={`/game/${game.rematchPublicId}`}>
          <RotateCcw aria-hidden="true" /> To the rematch
        </Link>
      </Button>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="min-h-7 text-center text-lg font-bold text-text-gold">
        {theyAsked && `${opponent} wants a rematch.`}
        {iAsked && `Waiting for ${opponent} to agree.`}
      </p>
      <Button
        color="green"
        size="large"
        disabled={asking || iAsked}
        onClick={rematch}
        className={theyAsked ? "animate-pulse-glow" : ""}
      >
        <RotateCcw aria-hidden="true" />
        {theyAsked ? "Accept rematch" : iAsked ? "Rematch asked" : "Rematch"}
      </Button>
    </div>
  );
}

function Picture({ winner, seat }: { winner: PlayerNumber | null; seat: PlayerNumber }) {
  const sides =
    winner === null ? [sideOf(1), sideOf(2), sideOf(1), sideOf(2)] : Array(4).fill(sideOf(winner));
  return (
    <div
      aria-hidden="true"
      className="mr-15 flex justify-center gap-1 rounded-[18px] bg-blue px-4 py-3 shadow-[inset_0_2px_0_var(--color-blue-light),inset_0_-8px_10px_-6px_var(--color-blue-dark),0_4px_0_var(--color-blue-dark)]"
    >
      {sides.map((side, index) => (
        <span
          key={`chip-${
            // biome-ignore lint/suspicious/noArrayIndexKey: four chips that never move
            index
          }`}
          className="rounded-full bg-blue-dark p-1"
        >
          <Chip
            side={side}
            className={
              winner !== null && winner !== seat
                ? "size-14 sm:size-16"
                : "c4-cheer size-14 sm:size-16"
            }
          />
        </span>
      ))}
    </div>
  );
}
