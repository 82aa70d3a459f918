// The host's line for a page, with what is said beside the table: why not, and that tables opened or ended.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "@/ui/toast";
import type { Refusal } from "./held";
import { OPEN_TABLES } from "./open-tables";
import type { Place } from "./place";
import { type Play, usePlay } from "./use-play";

export function useHosted(game: string, place: Place): Play {
  const play = usePlay(game, place);
  useRefusals(play.held.refused);
  useFreshTables(play.held.table?.status);
  return play;
}

/** Who cannot come in is told by the page; who leaves need not know whether that was needed. */
const TOLD_ELSEWHERE: readonly (string | null)[] = ["join", "watch", "unwatch", "withdraw"];

function useRefusals(refused: Refusal | null): void {
  useEffect(() => {
    if (refused && !TOLD_ELSEWHERE.includes(refused.ref)) toast(refused.message, "bad");
  }, [refused]);
}

/** The shelf's Resume is right as soon as a table opens or ends. */
function useFreshTables(status: string | undefined): void {
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the status changes, whatever to
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: OPEN_TABLES });
  }, [queries, status]);
}
