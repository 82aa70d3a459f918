// After a game of Memory on the document's line: once more, somebody else, another computer. That line knows only the
// queue; the rest is the host's. A rematch is gone on with on the document's line, another computer at the host's table.
import { useLocation } from "wouter";
import { usePlayedHere } from "@/core/played-here";
import type { Opponent, PlayTable } from "@/core/wire";
import { type Afterwards, useAfterwards } from "@/host/use-afterwards";
import type { Another, Next } from "@/table/model";
import { nextLevels } from "@/table/next-levels";
import type { useMemory } from "./use-memory";

export interface WhatNext {
  next: Next;
  others: readonly Another[];
}

type Actions = Pick<ReturnType<typeof useMemory>, "again" | "follow">;

/** `over` is the game that has ended, null while it is played. */
export function useWhatNext(over: string | null, { again, follow }: Actions): WhatNext {
  const [, go] = useLocation();
  const after = useAfterwards(over, (match, anew) => (anew ? go(`/game/${match}`) : follow(match)));
  const opponents = usePlayedHere("memory")?.opponents ?? [];
  const next = nextAt(after);
  const anyone: Another = {
    kind: "anyone",
    label: "New opponent",
    begin: () => {
      next.withdraw?.();
      again();
    },
  };
  return { next, others: [...levelsAt(after, opponents), anyone] };
}

type Rematch = Extract<Next, { kind: "rematch" }>;

/** One sits at 0, as everywhere on this page. */
function nextAt({ table, gone, say }: Afterwards): Rematch {
  const asked = table?.rematch_by ?? null;
  const mine = table !== null && asked === table.seat;
  const match = table?.match;
  return {
    kind: "rematch",
    by: asked === null ? [] : [mine ? 0 : 1],
    href: null,
    ask: match === undefined ? null : () => say({ type: "rematch", match }),
    withdraw: mine && match !== undefined ? () => say({ type: "withdraw", match }) : null,
    gone: gone && botAt(table) === null,
  };
}

const botAt = (table: PlayTable | null): string | null =>
  table?.players.find(({ bot }) => bot !== null)?.bot ?? null;

function levelsAt({ table, say }: Afterwards, opponents: readonly Opponent[]): readonly Another[] {
  const level = botAt(table);
  if (level === null) return [];
  return nextLevels("memory", opponents, level, (bot) =>
    say({ type: "play_bot", game: "memory", bot }),
  );
}
