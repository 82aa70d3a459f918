// A hosted game's addresses: its start, a friend's code, and a table, all over one socket.
import { useLocation } from "wouter";
import type { Game, Hosted } from "@/games/game";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { ByCode } from "./by-code";
import { placeOf } from "./place";
import { HostedStart } from "./start";
import { useHosted } from "./use-hosted";
import { View } from "./view";

interface HostedPageProps {
  game: Game;
  hosted: Hosted;
}

export function HostedPage({ game, hosted }: HostedPageProps) {
  const [path] = useLocation();
  const place = placeOf(path);
  const play = useHosted(game.key, place);
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
