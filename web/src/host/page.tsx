// A hosted game's addresses: its start, a friend's code, and a table, all over one socket.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { Game, Hosted } from "@/games/game";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { toast } from "@/ui/toast";
import { ByCode } from "./by-code";
import type { Refusal } from "./held";
import { OPEN_TABLES } from "./open-tables";
import { placeOf } from "./place";
import { HostedStart } from "./start";
import { usePlay } from "./use-play";
import { View } from "./view";

interface HostedPageProps {
  game: Game;
  hosted: Hosted;
}

export function HostedPage({ game, hosted }: HostedPageProps) {
  const [path] = useLocation();
  const place = placeOf(path);
  const play = usePlay(game.key, place);
  useRefusals(play.held.refused);
  useFreshTables(play.held.table?.status);
  switch (place.kind) {
    case "start":
      return (
        <SignedIn>
          <HostedStart game={game} hosted={hosted} play={play} />
        </SignedIn>
      );
    case "code":
      return (
        <SignedIn>
          <ByCode game={game} code={place.code} refused={play.held.refused} />
        </SignedIn>
      );
    case "table":
      return <View key={place.match} game={game} hosted={hosted} play={play} />;
    default:
      return <NotFound />;
  }
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
