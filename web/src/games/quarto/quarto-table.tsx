// Quarto at the table, whatever line it came over: the board, the tray both choose from, the hands, and the call.
import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { LiveStatus } from "@/core/live";
import { play } from "@/core/sound";
import type { Seat } from "@/core/wire";
import { GameTable } from "@/table/game-table";
import { boardOf } from "@/table/kit";
import type { TableModel } from "@/table/model";
import { sayWhyNot } from "@/table/why-not";
import { Board } from "./board";
import { CallButton } from "./call-button";
import { CARRY_MS, Carrying } from "./carry";
import { Hand } from "./hand";
import { Hint } from "./hint";
import { kit } from "./kit";
import { Piece } from "./piece";
import { Pieces } from "./pieces";
import { choicesIn, NOTHING, trayOf, winningPieces } from "./room";
import { useGuidedFocus, useTableKeys } from "./use-keys";
import type { Game, Move } from "./wire";

/** A piece in the hand sounds softer than one put down on the board. */
const IN_HAND = 0.45;

interface QuartoTableProps {
  table: TableModel<Game, Move>;
  /** Of the line it is played over. */
  status: LiveStatus;
  /** Until when a line on the full board may be called. */
  finalCall: number | null;
}

export function QuartoTable({ table, status, finalCall }: QuartoTableProps) {
  const { view: game, chosen } = table;
  const advice = table.help?.advice?.action;
  const allowed = choicesIn(table.legal);
  const choices = chosen === null ? allowed : NOTHING;
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
        hint={<Hint game={game} task={table.task} lifted={lifted} status={status} />}
        tray={
          <Pieces
            ref={tray}
            left={trayOf(game)}
            open={choices.pieces}
            lifted={lifted}
            held={chosen?.type === "SELECT_PIECE" ? chosen.pieceId : null}
            advised={advice?.type === "SELECT_PIECE" ? advice.pieceId : null}
            onLift={setLifted}
            onSelect={(pieceId) => {
              if (choices.pieces.includes(pieceId)) table.act({ type: "SELECT_PIECE", pieceId });
              else sayWhyNot(boardOf(table), "First place the piece that you were given.");
            }}
          />
        }
        extra={
          <CallButton
            enabled={choices.call}
            advised={advice?.type === "CALL_QUARTO"}
            call={call}
            until={finalCall}
          />
        }
        cheer={<Cheer game={game} />}
      />
    </Carrying>
  );
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
function Cheer({ game }: { game: Game }) {
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
