// Memory's addresses: the start, the queue and its table, tables with a computer of one's choice, and who is best.
import { Route, Switch, useLocation } from "wouter";
import { besideOf } from "@/host/place";
import { useHosted } from "@/host/use-hosted";
import { View } from "@/host/view";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import "./cards.css";
import { game } from "./game";
import hosted from "./hosted";
import { Leaderboard } from "./leaderboard";
import { Play } from "./play";
import { MemoryStart } from "./start";

export default function MemoryPage() {
  return (
    <SignedIn>
      <Places />
    </SignedIn>
  );
}

function Places() {
  const [path] = useLocation();
  const place = besideOf(path);
  const play = useHosted(game.key, place);
  if (place.kind === "table") {
    return <View key={place.match} game={game} hosted={hosted} play={play} />;
  }
  return (
    <Switch>
      <Route path="/">
        <MemoryStart play={play} />
      </Route>
      <Route path="/play">
        <Play host={play} />
      </Route>
      <Route path="/leaderboard" component={Leaderboard} />
      <Route component={NotFound} />
    </Switch>
  );
}
