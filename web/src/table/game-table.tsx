// The table while a game is played and after: board, both players, and what one can do now.
import { useEffect, useRef } from "react";
import { useTitle } from "@/core/title";
import type { PlayTable } from "@/core/wire";
import type { Game, Hosted } from "@/games/game";
import { Table } from "@/ui/table";
import { resultTitle } from "./ending";
import { isMyTurn, nameAt, otherSeat } from "./names";
import { PlayerStrip } from "./player-strip";
import { Playing } from "./playing";
import { Result } from "./result";
import type { Play } from "./use-play";
import { useTelling } from "./use-telling";

interface GameTableProps {
  table: PlayTable;
  game: Game;
  hosted: Hosted;
  play: Play;
}

export function GameTable({ table, game, hosted, play }: GameTableProps) {
  const { last, chosen } = play.held;
  const { Board, ratio } = hosted;
  const over = table.status !== "active";
  const board = useRef<HTMLDivElement>(null);
  useTitle(tabTitle(table));
  useTelling(table, last, hosted);
  useBoardInSight(board, over);

  const near = table.seat ?? 0;
  const acting = table.seats.length > 1 ? (table.turn ?? near) : table.seat;
  return (
    <Table
      name={`${game.title}: ${nameAt(table, 0)} against ${nameAt(table, 1)}`}
      ratio={ratio}
      board={
        <div ref={board} className="table-board-face">
          <Board
            view={table.view}
            legal={table.legal}
            seat={acting}
            turn={table.turn}
            act={play.choose}
            last={last}
            result={table.result}
            disabled={chosen !== null}
          />
        </div>
      }
      opponent={<PlayerStrip table={table} hosted={hosted} player={otherSeat(near)} />}
      you={<PlayerStrip table={table} hosted={hosted} player={near} />}
      actions={
        over ? (
          <Result table={table} hosted={hosted} rematch={() => play.say(rematchOf(table))} />
        ) : (
          <Playing
            table={table}
            last={last}
            hosted={hosted}
            resign={() => play.say({ type: "resign", match: table.match })}
          />
        )
      }
    />
  );
}

const rematchOf = ({ match }: PlayTable) => ({ type: "rematch", match }) as const;

function tabTitle(table: PlayTable): string {
  if (table.turn === null) return resultTitle(table);
  return isMyTurn(table) ? "Your turn" : `${nameAt(table, table.turn)} to move`;
}

/** The result comes in from below on a small screen; what it is about stays in sight above it. */
function useBoardInSight(board: { current: HTMLElement | null }, over: boolean): void {
  const overAtFirst = useRef(over);
  useEffect(() => {
    if (over && !overAtFirst.current) board.current?.scrollIntoView?.({ block: "nearest" });
  }, [board, over]);
}
