// How it ended: who won, by what, and another round.
import { House, RotateCcw } from "lucide-react";
import type { CSSProperties } from "react";
import { Link } from "wouter";
import { ratingMove, useRecord } from "@/core/played";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { RatingLine } from "@/ui/rating-line";
import { Piece } from "./piece";
import { nameOf, otherSeat, type Room, winnerOf, winningPieces } from "./room";
import { listed, sharedWords } from "./traits";
import type { Game, Seat } from "./wire";

/** From one seat; spectators and two at one device see names. */
export function resultTitle(game: Game, seat: Seat | null): string {
  const winner = winnerOf(game);
  if (winner === null) return "A draw";
  const called = game.winningLine !== null ? "Quarto! " : "";
  const named = seat !== winner || game.mode === "local";
  return `${called}${named ? `${nameOf(game, winner)} wins` : "You win"}`;
}

/** "All four are tall and dark." */
export const sharedLine = (game: Game): string =>
  `All four are ${listed(sharedWords(winningPieces(game)))}.`;

export function resultReason(game: Game, seat: Seat | null, left: Room["left"]): string {
  const winner = winnerOf(game);
  if (winner === null) {
    return game.availablePieces.length === 0
      ? "The board is full and nobody called a line."
      : "Both of you were away for too long.";
  }
  if (game.winningLine !== null) return sharedLine(game);
  const loser = otherSeat(winner);
  if (seat === loser && game.mode !== "local") return "You left the table.";
  return left === "timeout"
    ? `${nameOf(game, loser)} was away for too long.`
    : `${nameOf(game, loser)} left the table.`;
}

interface ResultProps {
  game: Game;
  room: Room;
  seat: Seat;
  open: boolean;
  onClose: () => void;
  rematch: () => void;
}

export function ResultDialog({ game, room, seat, open, onClose, rematch }: ResultProps) {
  const record = useRecord("quarto", open ? game.id : null);
  const rating = record && ratingMove(record);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={resultTitle(game, seat)}
      description={resultReason(game, seat, room.left)}
      picture={<Picture game={game} />}
    >
      <div className="flex flex-col gap-3">
        {rating && <RatingLine {...rating} />}
        <RematchButton game={game} room={room} seat={seat} rematch={rematch} />
        <BackButton />
      </div>
    </Dialog>
  );
}

export function BackButton() {
  return (
    <Button asChild>
      <Link href="~/">
        <House aria-hidden="true" /> Back to the shelf
      </Link>
    </Button>
  );
}

interface RematchProps {
  game: Game;
  room: Room;
  seat: Seat;
  rematch: () => void;
}

export function RematchButton({ game, room, seat, rematch }: RematchProps) {
  const opponent = nameOf(game, otherSeat(seat));
  const online = game.mode === "online";
  const iAsked = online && room.rematch.includes(seat);
  const theyAsked = online && room.rematch.includes(otherSeat(seat));
  return (
    <div className="flex flex-col gap-2">
      {online && (
        <p role="status" className="min-h-7 text-center text-lg font-bold text-text-gold">
          {theyAsked && `${opponent} wants a rematch.`}
          {iAsked && !theyAsked && `Waiting for ${opponent} to agree.`}
        </p>
      )}
      <Button
        color="green"
        size="large"
        disabled={iAsked}
        onClick={rematch}
        className={theyAsked ? "animate-pulse-glow" : ""}
      >
        <RotateCcw aria-hidden="true" />
        {theyAsked ? "Accept rematch" : iAsked ? "Rematch asked" : "Rematch"}
      </Button>
    </div>
  );
}

const SOME = [15, 0, 13, 6];

/** The four that won, on their plank; for a draw some that did not. */
function Picture({ game }: { game: Game }) {
  const line = winningPieces(game);
  return (
    <div aria-hidden="true" className="q-cheer q-plank mr-15">
      {(line.length > 0 ? line : SOME).map((piece, turn) => (
        <span key={piece} style={{ "--turn": turn } as CSSProperties}>
          <Piece piece={piece} className="w-14 sm:w-16" />
        </span>
      ))}
    </div>
  );
}
