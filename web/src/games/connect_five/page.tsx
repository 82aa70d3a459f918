// Connect Five's addresses: all one's challenges and games, and one of them.
import { Route, Switch } from "wouter";
import { useWalletLive } from "@/core/wallet";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { CoinPaints } from "./coins";
import { GameView } from "./game-view";
import { Landing } from "./landing";
import { useNews } from "./news";
import { StonePaints } from "./stone";

export default function ConnectFivePage() {
  return (
    <SignedIn>
      <Listening />
      <StonePaints />
      <CoinPaints />
      <Switch>
        <Route path="/" component={Landing} />
        <Route path="/games/:challengeId">
          {({ challengeId }) => <GameView key={challengeId} challengeId={challengeId} />}
        </Route>
        <Route component={NotFound} />
      </Switch>
    </SignedIn>
  );
}

/** Beside the page, so that what the sockets do never draws the table anew. */
function Listening() {
  useNews();
  useWalletLive();
  return null;
}
