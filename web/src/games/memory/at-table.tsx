// A game of Memory on the document's line.
import { ratingMove, useRecord } from "@/core/played";
import { asTable, type Held } from "./as-table";
import { mayUseAny } from "./memory";
import { MemoryTable } from "./memory-table";
import type { useMemory } from "./use-memory";
import { useNotices, useSpectacle } from "./use-notices";
import { useWhatNext } from "./what-next";

interface AtTableProps {
  held: Held;
  actions: Pick<ReturnType<typeof useMemory>, "flip" | "use" | "leaveGame" | "again" | "follow">;
}

export function AtTable({ held, actions }: AtTableProps) {
  const { found, state, ending, told, refusal, timeout, awayUntil } = held;
  const after = useWhatNext(ending && found.gameId, actions);
  const record = useRecord("memory", ending && found.gameId);
  const spectacle = useSpectacle(held.spectacle, state.you.name);
  useNotices({ told, refusal, timeout, away: awayUntil !== null, opponent: found.opponentName });
  const rating = record ? ratingMove(record) : null;
  const doing = { choose: actions.flip, leave: actions.leaveGame };
  return (
    <MemoryTable
      table={asTable(held, rating, after, doing)}
      pairs={[state.you.score, state.opponent.score]}
      hand={state.hand}
      usable={mayUseAny(state)}
      use={actions.use}
      spectacle={spectacle}
    />
  );
}
