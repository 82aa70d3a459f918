// Quarto at the table: the board, the tray both choose from, the hands, and the call.
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { ratingMove, useRecord } from "@/core/played";
import { usePlayedHere } from "@/core/played-here";
import { play } from "@/core/sound";
import type { Seat } from "@/core/wire";
import { GameTable } from "@/table/game-table";
import { boardOf } from "@/table/kit";
import type { Another } from "@/table/model";
import { nextLevels } from "@/table/next-levels";
import { sayWhyNot } from "@/table/why-not";
import { asTable } from "./as-table";
import { Board } from "./board";
import { CallButton } from "./call-button";
import { CARRY_MS, Carrying } from "./carry";
import { openRoom } from "./entrance";
import { Hand } from "./hand";
import { Hint } from "./hint";
import { kit } from "./kit";
import { usePlayName } from "./name-field";
import { Piece } from "./piece";
import { Pieces } from "./pieces";
import { choicesOf, isOver, NOTHING, trayOf, winningPieces } from "./room";
import { useGuidedFocus, useTableKeys } from "./use-keys";
import type { HeldRoom } from "./use-room";
import type { Game } from "./wire";

/** A piece in the hand sounds softer than one put down on the board. */
const IN_HAND = 0.45;

export function AtTable({ held, game }: { held: HeldRoom; game: Game }) {
  const { room, seat, pending } = held;
  const record = useRecord("quarto", isOver(game) ? game.id : null);
  const others = useOthers(game);
  const table = asTable(game, held, (record && ratingMove(record)) ?? null, others);
  const allowed = choicesOf(game, seat);
  const choices = pending === null ? allowed : NOTHING;
  const board = useRef<HTMLTableElement>(null);
  const tray = useRef<HTMLDivElement>(null);
  const [lifted, setLifted] = useState<number | null>(null);
  if (lifted !== null && !allowed.pieces.includes(lifted)) setLifted(null);

  const call = () => choices.call && table.act({ type: "CALL_QUARTO" });
  useKnocks(game);
  useTableKeys({ board, tray, choices, call });
  useGuidedFocus({ board, tray, choices: allowed });

  const inHand = (player: Seat) =>
    table.turn === player && game.phase === "placing" ? game.selectedPiece : null;
  return (
    <Carrying>
      <GameTable
        key={table.id}
        title="Quarto"
        table={table}
        kit={kit}
        board={(props) => <Board ref={board} {...props} />}
        hand={(player) => <Hand piece={inHand(player)} />}
        hint={<Hint game={game} task={table.task} lifted={lifted} status={held.status} />}
        tray={
          <Pieces
            ref={tray}
            left={trayOf(game)}
            open={choices.pieces}
            lifted={lifted}
            held={pending?.type === "SELECT_PIECE" ? pending.pieceId : null}
            onLift={setLifted}
            onSelect={(pieceId) => {
              if (choices.pieces.includes(pieceId)) table.act({ type: "SELECT_PIECE", pieceId });
              else sayWhyNot(boardOf(table), "First place the piece that you were given.");
            }}
          />
        }
        extra={<CallButton enabled={choices.call} call={call} until={room.finalCall} />}
        cheer={<Cheer game={game} />}
      />
    </Carrying>
  );
}

/** Against the computer one that is easier or harder; there is no queue in which to look for anybody. */
function useOthers(game: Game): readonly Another[] {
  const [, go] = useLocation();
  const name = usePlayName();
  const opponents = usePlayedHere("quarto")?.opponents ?? [];
  if (game.mode !== "ai") {
    return [{ kind: "anyone", label: "New opponent", begin: () => go("/") }];
  }
  // A room tells what an opponent is called, and not its name.
  const title = game.players.find(({ type }) => type === "ai")?.name;
  const level = opponents.find((each) => each.title === title)?.name ?? "";
  return nextLevels("quarto", opponents, level, (each) => go(`/${openRoom(name, each)}`));
}

/** Wood on wood, when a piece has arrived. */
function useKnocks(game: Game): void {
  const heard = useRef({ id: game.id, steps: game.history.length });
  useEffect(() => {
    const before = heard.current.id === game.id ? heard.current.steps : 0;
    heard.current = { id: game.id, steps: game.history.length };
    const last = game.history.slice(before).at(-1);
    if (!last || last.type === "quarto") return;
    play("knock", { delayMs: CARRY_MS * 0.8, loudness: last.type === "place" ? 1 : IN_HAND });
  }, [game]);
}

const SOME = [15, 0, 13, 6];

/** The four that won, on their plank; for a draw some that did not. */
export function Cheer({ game }: { game: Game }) {
  const line = winningPieces(game);
  return (
    <div aria-hidden="true" className="q-cheer q-plank">
      {(line.length > 0 ? line : SOME).map((piece, turn) => (
        <span key={piece} style={{ "--turn": turn } as CSSProperties}>
          <Piece piece={piece} className="w-12" />
        </span>
      ))}
    </div>
  );
}
