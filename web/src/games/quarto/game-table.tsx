// The table while a game is played and after: board, tray, both players, and what one can do now.
import { useEffect, useRef, useState } from "react";
import { useTitle } from "@/core/title";
import { Avatar } from "@/ui/avatar";
import { Strip } from "@/ui/strip";
import { Table } from "@/ui/table";
import { Ended, Playing } from "./actions";
import { BOARD_RATIO, Board } from "./board";
import { Carrying } from "./carry";
import { Hand } from "./hand";
import { Pieces } from "./pieces";
import { ResultDialog, resultTitle } from "./result";
import { choicesOf, isOver, NOTHING, nameOf, otherSeat, trayOf, winnerOf } from "./room";
import { useCountdown } from "./use-countdown";
import { useGuidedFocus, useTableKeys } from "./use-keys";
import type { HeldRoom } from "./use-room";
import { useTelling } from "./use-telling";
import type { Game, Seat } from "./wire";

/** First the four light up; then the dialog comes. */
const DIALOG_AFTER_MS = 2600;

export function GameTable({ held, game }: { held: HeldRoom; game: Game }) {
  const { room, seat, pending, say } = held;
  const over = isOver(game);
  const allowed = choicesOf(game, seat);
  const choices = pending === null ? allowed : NOTHING;
  const result = useResultDialog(game.id, over);
  const board = useRef<HTMLTableElement>(null);
  const tray = useRef<HTMLDivElement>(null);
  const [lifted, setLifted] = useState<number | null>(null);
  if (lifted !== null && !allowed.pieces.includes(lifted)) setLifted(null);

  const call = () => choices.call && say({ type: "CALL_QUARTO" });
  const rematch = () => say({ type: "REMATCH" });
  useTelling(game, seat, room.left);
  useTitle(tabTitle(game, seat));
  useTableKeys({ board, tray, choices, call });
  useGuidedFocus({ board, tray, choices: allowed });

  const near = seat ?? 0;
  const strips = { held, game };
  return (
    <Carrying>
      <Table
        name={`Quarto: ${nameOf(game, 0)} against ${nameOf(game, 1)}`}
        ratio={BOARD_RATIO}
        board={
          <Board
            ref={board}
            positions={game.board.positions}
            open={choices.positions}
            inHand={allowed.positions.length > 0 ? game.selectedPiece : null}
            held={pending?.type === "PLACE_PIECE" ? pending.position : null}
            last={lastPlaced(game)}
            winning={game.winningLine ?? []}
            onPlace={(position) => say({ type: "PLACE_PIECE", position })}
          />
        }
        opponent={<PlayerStrip {...strips} player={otherSeat(near)} />}
        you={<PlayerStrip {...strips} player={near} />}
        actions={
          over ? (
            <Ended game={game} room={room} seat={seat} rematch={rematch} />
          ) : (
            <Playing held={held} game={game} choices={choices} lifted={lifted} call={call}>
              <Pieces
                ref={tray}
                left={trayOf(game)}
                open={choices.pieces}
                lifted={lifted}
                held={pending?.type === "SELECT_PIECE" ? pending.pieceId : null}
                onLift={setLifted}
                onSelect={(pieceId) => say({ type: "SELECT_PIECE", pieceId })}
              />
            </Playing>
          )
        }
      />
      {seat !== null && (
        <ResultDialog
          game={game}
          room={room}
          seat={seat}
          open={result.open}
          onClose={result.close}
          rematch={rematch}
        />
      )}
    </Carrying>
  );
}

function useResultDialog(id: string, over: boolean) {
  const [open, setOpen] = useState(false);
  // A game looked up later is looked at, not celebrated.
  const [overAtFirst] = useState(over ? id : null);
  useEffect(() => {
    if (!over || id === overAtFirst) return;
    const timer = setTimeout(() => setOpen(true), DIALOG_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setOpen(false);
    };
  }, [id, over, overAtFirst]);
  return { open, close: () => setOpen(false) };
}

function lastPlaced(game: Game): number | null {
  return game.history.findLast((entry) => entry.type === "place")?.position ?? null;
}

function tabTitle(game: Game, seat: Seat | null): string {
  if (isOver(game)) return resultTitle(game, seat);
  if (seat === game.currentTurn && game.mode !== "local") return "Your turn";
  return `${nameOf(game, game.currentTurn)} to move`;
}

interface PlayerStripProps {
  held: HeldRoom;
  game: Game;
  player: Seat;
}

function PlayerStrip({ held, game, player }: PlayerStripProps) {
  const { room, seat } = held;
  const over = isOver(game);
  const mine = seat === player && game.mode !== "local";
  const turn = !over && game.currentTurn === player;
  const away = useCountdown(over ? null : (room.away[player] ?? null));
  const watched = game.mode === "online" && !over && !mine;
  return (
    <Strip
      token={<Avatar name={game.players[player]?.name ?? "?"} />}
      name={nameOf(game, player)}
      detail={mine ? "you" : undefined}
      color={player === (seat ?? 0) ? "green" : "blue"}
      active={over ? winnerOf(game) === player : turn}
      presence={watched ? (away === null ? "here" : "away") : undefined}
      status={away === null ? stripStatus(game, player, mine) : `Away, ${away} s to return`}
    >
      <Hand piece={turn && game.phase === "placing" ? game.selectedPiece : null} />
    </Strip>
  );
}

function stripStatus(game: Game, player: Seat, mine: boolean): string {
  if (isOver(game)) return winnerOf(game) === player ? "Winner" : "";
  if (game.currentTurn !== player) {
    if (game.availablePieces.length === 0) return "";
    return game.phase === "placing" ? "Gave the piece" : "Places next";
  }
  if (game.phase === "placing") return mine ? "Place it" : "Places it";
  if (game.availablePieces.length === 0) return mine ? "Last chance" : "Looks for a line";
  return mine ? "Give a piece" : "Picks a piece";
}
