// A game of Quarto that was played, looked up later: the board as it stood at the end.
import { useRef } from "react";
import type { PlayTable } from "@/core/wire";
import { pastTable, personIn, ratingIn, usePast } from "@/host/past";
import { GameTable } from "@/table/game-table";
import { Closed, SettingUp } from "@/table/no-table";
import { Cheer } from "./at-table";
import { Board } from "./board";
import { Carrying } from "./carry";
import { endedOf } from "./ending";
import { kit } from "./kit";
import { TRAY_ORDER } from "./traits";
import type { Game, Move } from "./wire";

/** What the server sends of a game to whoever may see it. */
interface Seen {
  state: { board: (number | null)[]; turn: number; line: Game["winningLine"] };
}

export function Past({ match }: { match: string }) {
  const { table, gone } = usePast(match);
  const board = useRef<HTMLTableElement>(null);
  if (gone) {
    return (
      <Closed title="Quarto" heading="This game is gone">
        Nobody here knows how it ended.
      </Closed>
    );
  }
  if (!table) return <SettingUp title="Quarto" />;
  const game = gameIn(table);
  const { reason } = table.result ?? {};
  const left = reason === "forfeit" || reason === "timeout" ? reason : null;
  const seat = table.seats.length === 1 ? table.seat : null;
  const shown = pastTable<Game, Move>(table.match, {
    players: [personIn(table, 0), personIn(table, 1)],
    seat,
    view: game,
    ended: endedOf(game, seat, left, ratingIn(table, seat)),
  });
  return (
    <Carrying>
      <GameTable
        title="Quarto"
        table={shown}
        kit={kit}
        board={(props) => <Board ref={board} {...props} />}
        cheer={<Cheer game={game} />}
      />
    </Carrying>
  );
}

function gameIn({ match, mode, players, result, view }: PlayTable): Game {
  const { board, turn, line } = (view as Seen).state;
  return {
    id: match,
    mode,
    status: "finished",
    players: players.map(({ name, bot }, seat) => ({
      id: String(seat),
      type: bot === null ? "human-remote" : "ai",
      name,
    })),
    board: { positions: board },
    availablePieces: TRAY_ORDER.filter((piece) => !board.includes(piece)),
    currentTurn: turn,
    phase: "selecting",
    selectedPiece: null,
    winner: result?.winner ?? "draw",
    winningLine: result?.reason === "quarto" ? line : null,
    history: [],
    createdAt: 0,
    updatedAt: 0,
  };
}
