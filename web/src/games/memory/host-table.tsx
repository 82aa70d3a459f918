// Memory at the host's table, where a computer of one's choice plays.
import { useMemo } from "react";
import { useLocation } from "wouter";
import type { PlayTable, Seat } from "@/core/wire";
import type { HostedTableProps } from "@/games/game";
import type { Another, Help, Next, TableModel } from "@/table/model";
import { otherSeat } from "@/table/names";
import { TASKS, timeOf } from "./as-table";
import type { View } from "./board";
import { resultReason, resultTitle } from "./ending";
import { MemoryTable } from "./memory-table";
import { type Action, cardIn, cardsToTurn, endingAt, happenedIn, seenIn, viewOf } from "./shown";
import { useNotices, useSpectacle } from "./use-notices";

export function HostTable({ table, shown, last }: HostedTableProps) {
  const [, go] = useLocation();
  const own: Seat = table.seat ?? 0;
  const other = otherSeat(own);
  /** As the page counts them, which is the other way round as well. */
  const near = (seat: Seat): Seat => (seat === own ? 0 : 1);
  const names = [table.players[0]?.name ?? "", table.players[1]?.name ?? ""] as const;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step happens once, whoever is called what
  const happened = useMemo(() => last && happenedIn(last, own, (seat) => names[seat]), [last]);
  const spectacle = useSpectacle(happened?.spectacle ?? null, names[own]);
  const presence = shown.players[other].presence;
  useNotices({
    told: happened,
    refusal: null,
    timeout: happened?.timeout ?? null,
    away: presence !== null && presence !== "here",
    opponent: names[other],
  });

  const seen = seenIn(table.view);
  const mine = shown.turn === own && shown.seats.length > 0;
  const model: TableModel<View, number> = {
    ...shown,
    players: [shown.players[own], shown.players[other]],
    seats: shown.seats.map(near),
    turn: shown.turn === null ? null : near(shown.turn),
    time: timeOf(seen.turn_ends_at, seen.options.countdown_show_ms),
    view: viewOf(table.view),
    legal: cardsToTurn(shown.legal),
    // More than one card may be on its way.
    chosen: null,
    told: shown.told && {
      ...shown.told,
      by: shown.told.by === null ? null : near(shown.told.by),
    },
    task: mine ? TASKS[seen.phase] : null,
    ended: shown.ended && endedOf(table, shown.ended, names[other], near),
    next: shown.next && nextOf(shown.next, near),
    others: othersOf(shown.others, () => go("/play")),
    act: (index) => shown.act({ type: "flip", index } satisfies Action),
    resignNote: `${names[other]} wins if you go.`,
    help: shown.help ? helpOf(shown.help) : null,
  };
  return (
    <MemoryTable
      table={model}
      pairs={[seen.scores[own], seen.scores[other]]}
      hand={seen.hand.map(({ power_up_id, count }) => ({
        powerUpId: power_up_id,
        count,
        usableCount: count,
      }))}
      usable={mine && seen.phase === "first_flip"}
      use={(power_up_id, card_index) =>
        shown.act({ type: "use_power_up", power_up_id, card_index } satisfies Action)
      }
      spectacle={spectacle}
    />
  );
}

type Ended = NonNullable<TableModel["ended"]>;

function endedOf(table: PlayTable, ended: Ended, other: string, near: (seat: Seat) => Seat): Ended {
  const winner = ended.winner === null ? null : near(ended.winner);
  if (table.status !== "finished") return { ...ended, winner };
  const ending = endingAt(table);
  return {
    ...ended,
    winner,
    title: resultTitle(ending),
    reason: resultReason(ending, other),
  };
}

const nextOf = (next: Next, near: (seat: Seat) => Seat): Next =>
  next.kind === "rematch" ? { ...next, by: next.by.map(near) } : next;

/** Whoever waits in the queue waits on the document's line. */
const othersOf = (others: readonly Another[], begin: () => void): readonly Another[] => [
  ...others.filter(({ kind }) => kind === "level"),
  { kind: "anyone", label: "New opponent", begin },
];

const helpOf = ({ advice, ...asked }: Help): Help<number> => ({
  ...asked,
  advice: advice && { ...advice, action: cardIn(advice.action) },
});
