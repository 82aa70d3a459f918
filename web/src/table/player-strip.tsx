// A player at a hosted table: token, name, rating, whether they are here, and whose turn it is.
import { Bot } from "lucide-react";
import { useServerNow } from "@/core/clock";
import type { PlayTable, Seat } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { Strip } from "@/ui/strip";
import { isLocal, nameAt, ownSeat } from "./names";

interface PlayerStripProps {
  table: PlayTable;
  hosted: Hosted;
  player: Seat;
}

export function PlayerStrip({ table, hosted, player }: PlayerStripProps) {
  const { color, Token } = hosted.sides[player];
  const shown = table.players[player];
  const over = table.status !== "active";
  const watched = !over && !isLocal(table) && ownSeat(table) !== player && shown?.bot === null;
  const away = useAway(table, watched && !shown?.here);
  return (
    <Strip
      token={<Token />}
      name={nameAt(table, player)}
      detail={detail(table, player)}
      color={color}
      active={over ? table.result?.winner === player : table.turn === player}
      presence={watched ? (shown?.here ? "here" : "away") : undefined}
      status={away ?? status(table, hosted, player)}
    >
      {hosted.score && table.view !== null && (
        <span
          className="text-display text-4xl leading-none tabular wide:text-5xl"
          data-testid="score"
        >
          {hosted.score(table.view, player)}
        </span>
      )}
    </Strip>
  );
}

function detail(table: PlayTable, player: Seat) {
  const shown = table.players[player];
  if (shown?.bot) {
    return (
      <span className="inline-flex items-center gap-1">
        <Bot aria-hidden="true" className="size-5" /> computer
      </span>
    );
  }
  if (shown?.rating == null) return undefined;
  return shown.rating + (table.result?.rating_changes[player] ?? 0);
}

/** How long somebody who is gone has left to come back; null: they are here. */
function useAway({ deadline_at }: PlayTable, gone: boolean): string | null {
  const now = useServerNow(1000, gone);
  if (!gone) return null;
  if (deadline_at === null) return "Away";
  return `Away, ${Math.max(0, Math.ceil((deadline_at - now) / 1000))} s to return`;
}

function status(table: PlayTable, hosted: Hosted, player: Seat): string {
  const mine = ownSeat(table) === player;
  const { name } = hosted.sides[player];
  if (table.status === "active" && table.turn === player) {
    if (isLocal(table)) return "To move";
    return mine ? "Your turn" : "Thinking";
  }
  if (table.result !== null && table.result.winner === player) return "Winner";
  return mine ? `You, ${name}` : `Plays ${name}`;
}
