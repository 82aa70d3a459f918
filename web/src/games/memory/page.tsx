// Memory's addresses: the start, the table, and who is best.
import { Route, Switch } from "wouter";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import "./cards.css";
import { Leaderboard } from "./leaderboard";
import { Past } from "./past";
import { Play } from "./play";
import { MemoryStart } from "./start";

export default function MemoryPage() {
  return (
    <SignedIn>
      <Switch>
        <Route path="/" component={MemoryStart} />
        <Route path="/play" component={Play} />
        <Route path="/leaderboard" component={Leaderboard} />
        <Route path="/game/:match">{({ match }) => <Past key={match} match={match} />}</Route>
        <Route component={NotFound} />
      </Switch>
    </SignedIn>
  );
}
