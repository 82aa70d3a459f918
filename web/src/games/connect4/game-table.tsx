// The table while a game is played and after: board, both players, and what one can do now.
import { House } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { useTitle } from "@/core/title";
import type { Game, PlayerNumber } from "@/core/wire";
import { Button } from "@/ui/button";
import { Strip } from "@/ui/strip";
import { Table } from "@/ui/table";
import { BOARD_RATIO, Board } from "./board";
import { Chip } from "./chip";
import { GameOver, RematchButton, resultReason, resultTitle } from "./game-over";
import { isOver, otherPlayer, playerAt, ratingChange, sideOf, winnerOf } from "./sides";
import { useActions } from "./use-actions";
import type { HeldGame, Opponent } from "./use-game";
import { useTelling } from "./use-telling";

/** First the four light up; then the dialog comes. */
const DIALOG_AFTER_MS = 2300;

interface GameTableProps {
  held: HeldGame;
  game: Game;
}

export function GameTable({ held, game }: GameTableProps) {
  const { seat, opponent } = held;
  const over = isOver(game);
  const myTurn = !over && seat === game.currentTurn;
  const actions = useActions(held, game);
  const result = useResultDialog(over);
  useTelling(game, seat);
  useTitle(tabTitle(game, seat));

  const last = game.moves.at(-1) ?? null;
  const near = seat ?? 1;
  return (
    <>
      <Table
        name={`Connect 4: ${game.player1.username} against ${game.player2?.username ?? "nobody"}`}
        ratio={BOARD_RATIO}
        board={
          <Board
            board={game.board}
            lastMove={last}
            legal={myTurn && actions.held === null ? game.legalColumns : []}
            side={seat === null || over ? null : sideOf(seat)}
            held={actions.held}
            winning={game.winningCells.map(([row, column]) => ({ row, column }))}
            onDrop={actions.drop}
          />
        }
        opponent={
          <PlayerStrip game={game} player={otherPlayer(near)} seat={seat} opponent={opponent} />
        }
        you={<PlayerStrip game={game} player={near} seat={seat} />}
        actions={
          over ? (
            <Ended game={game} seat={seat} rematch={actions.rematch} asking={actions.asking} />
          ) : (
            <Playing seat={seat} myTurn={myTurn} opponent={opponent} claim={actions.claim} />
          )
        }
      />
      {seat !== null && (
        <GameOver
          game={game}
          seat={seat}
          open={result.open}
          onClose={result.close}
          rematch={actions.rematch}
          asking={actions.asking}
        />
      )}
    </>
  );
}

function useResultDialog(over: boolean) {
  const [open, setOpen] = useState(false);
  const [overAtFirst] = useState(over);
  useEffect(() => {
    // A game looked up later is looked at, not celebrated.
    if (!over || overAtFirst) return;
    const timer = setTimeout(() => setOpen(true), DIALOG_AFTER_MS);
    return () => clearTimeout(timer);
  }, [over, overAtFirst]);
  return { open, close: () => setOpen(false) };
}

function tabTitle(game: Game, seat: PlayerNumber | null): string {
  if (isOver(game)) return resultTitle(game, seat);
  if (seat === game.currentTurn) return "Your turn";
  return `${playerAt(game, game.currentTurn)?.username ?? "Opponent"} to move`;
}

interface PlayerStripProps {
  game: Game;
  player: PlayerNumber;
  /** The viewer's own seat. */
  seat: PlayerNumber | null;
  /** Given for the player across the table. */
  opponent?: Opponent;
}

function PlayerStrip({ game, player, seat, opponent }: PlayerStripProps) {
  const { username, rating } = playerAt(game, player) ?? { username: "Nobody", rating: 0 };
  const over = isOver(game);
  const change = ratingChange(game, player);
  const active = over ? winnerOf(game) === player : game.currentTurn === player;
  return (
    <Strip
      token={<Chip side={sideOf(player)} />}
      name={username}
      detail={change ? change.before + change.delta : rating}
      color={sideOf(player)}
      active={active}
      presence={opponent && seat !== null && !over ? (opponent.here ? "here" : "away") : undefined}
      status={stripStatus(game, player, seat, opponent)}
    />
  );
}

function stripStatus(
  game: Game,
  player: PlayerNumber,
  seat: PlayerNumber | null,
  opponent: Opponent | undefined,
): string {
  const plain = seat === player ? `You, ${sideOf(player)}` : `Plays ${sideOf(player)}`;
  if (isOver(game)) return winnerOf(game) === player ? "Winner" : plain;
  if (opponent && !opponent.here) return `Away for ${Math.floor(opponent.unseenMs / 1000)} s`;
  if (game.currentTurn !== player) return plain;
  return seat === player ? "Your turn" : "Thinking";
}

interface PlayingProps {
  seat: PlayerNumber | null;
  myTurn: boolean;
  opponent: Opponent;
  claim: () => void;
}

function Playing({ seat, myTurn, opponent, claim }: PlayingProps) {
  if (seat !== null && opponent.claimable) {
    return (
      <Button
        color="yellow"
        size="large"
        className="w-full animate-pulse-glow px-4!"
        onClick={claim}
      >
        Opponent Disconnected - Claim Win
      </Button>
    );
  }
  return (
    <p className="grid min-h-17 place-items-center text-center text-lg text-balance text-soft">
      {hint(seat, myTurn, opponent)}
    </p>
  );
}

function hint(seat: PlayerNumber | null, myTurn: boolean, opponent: Opponent): ReactNode {
  if (seat === null) return "You are watching this game.";
  if (!opponent.here) {
    const seconds = Math.ceil(opponent.claimableInMs / 1000);
    return `Your opponent lost the connection. You can claim the win in ${seconds} s.`;
  }
  if (!myTurn) return "";
  return (
    <>
      <span className="pointer-coarse:hidden">Pick a column, or press 1 to 7.</span>
      <span className="hidden pointer-coarse:inline">Tap a column.</span>
    </>
  );
}

interface EndedProps {
  game: Game;
  seat: PlayerNumber | null;
  rematch: () => void;
  asking: boolean;
}

function Ended({ game, seat, rematch, asking }: EndedProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="text-center max-wide:hidden">
        <h2 className="text-4xl leading-tight">{resultTitle(game, seat)}</h2>
        <p className="text-lg text-soft">{resultReason(game, seat)}</p>
      </div>
      {seat !== null && <RematchButton game={game} seat={seat} rematch={rematch} asking={asking} />}
      <Button asChild>
        <Link href="~/">
          <House aria-hidden="true" /> Back to the shelf
        </Link>
      </Button>
    </div>
  );
}
