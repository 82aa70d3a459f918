// A player at the table: token, name, rating, whether they are here, and whose turn it is.
import { Bot } from "lucide-react";
import type { ReactNode } from "react";
import { useServerNow } from "@/core/clock";
import type { Seat } from "@/core/wire";
import { Avatar } from "@/ui/avatar";
import { Portrait } from "@/ui/portrait";
import { Strip } from "@/ui/strip";
import { Countdown } from "./countdown";
import type { Kit, Side } from "./kit";
import type { Person, Presence, TableModel } from "./model";
import { isLocal, nearSeat, ownSeat } from "./names";

interface PlayerStripProps {
  table: TableModel;
  kit: Kit;
  player: Seat;
  /** At the far end: a score, a clock, a hand. */
  children?: ReactNode;
}

export function PlayerStrip({ table, kit, player, children }: PlayerStripProps) {
  const side = kit.sides?.[player];
  const { name, presence } = table.players[player];
  const near = nearSeat(table) === player;
  const away = useAway(presence);
  return (
    <Strip
      token={tokenOf(side, table.players[player])}
      name={name}
      detail={detail(table, side !== undefined || kit.status !== undefined, player)}
      color={side?.color ?? (near ? "green" : "blue")}
      active={table.ended ? table.ended.winner === player : table.turn === player}
      presence={presence === null ? undefined : presence === "here" ? "here" : "away"}
      status={away ?? kit.status?.(table, player) ?? status(table, side?.name, player)}
    >
      {table.time && table.turn === player && <Countdown {...table.time} />}
      {children}
      {kit.score && table.view !== null && (
        <span
          className="text-display text-4xl leading-none tabular wide:text-5xl"
          data-testid="score"
        >
          {kit.score(table.view, player)}
        </span>
      )}
    </Strip>
  );
}

/** What a seat plays with; the computer's also shows who plays. */
function tokenOf(side: Side | undefined, { name, bot }: Person): ReactNode {
  if (side === undefined) return bot ? <Portrait of={name} /> : <Avatar name={name} />;
  if (!bot) return <side.Token />;
  return (
    <span className="relative block">
      <side.Token className="size-full" />
      <Portrait
        of={name}
        className="absolute -right-2 -bottom-1.5 size-[58%] shadow-[1px_2px_3px_rgb(0_0_0/0.45)]"
      />
    </span>
  );
}

/** `said`: its status says who one is. */
function detail(table: TableModel, said: boolean, player: Seat): ReactNode {
  const { bot, rating } = table.players[player];
  if (bot) {
    return (
      // Where it would leave no room for the name, the word is pushed out of sight, and the picture has to do.
      <span data-gives-way className="flex h-5.5 flex-wrap items-center gap-x-1 overflow-hidden">
        <Bot aria-hidden="true" className="size-5" />
        <span className="leading-5.5">computer</span>
      </span>
    );
  }
  return rating ?? (ownSeat(table) === player && !said ? "you" : undefined);
}

/** How long somebody is gone, or has left to come back; null: they are here. */
function useAway(presence: Presence | null): string | null {
  const until = presence !== null && presence !== "here" && "awayUntil" in presence;
  const now = useServerNow(500, until);
  if (presence === null || presence === "here") return null;
  if ("awayForMs" in presence) return `Away for ${Math.floor(presence.awayForMs / 1000)} s`;
  if (presence.awayUntil === null) return "Away";
  return `Away, ${Math.max(0, Math.ceil((presence.awayUntil - now) / 1000))} s to return`;
}

function status(table: TableModel, side: string | undefined, player: Seat): string {
  const mine = ownSeat(table) === player;
  if (table.ended === null && table.turn === player) {
    if (isLocal(table)) return "To move";
    return mine ? "Your turn" : "Thinking";
  }
  if (table.ended?.winner === player) return "Winner";
  if (side === undefined) return "";
  return mine ? `You, ${side}` : `Plays ${side}`;
}
