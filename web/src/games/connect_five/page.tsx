// Connect Five's addresses: all one's challenges and games, one of them, and a table for nothing.
import { Route, Switch } from "wouter";
import { useWalletLive } from "@/core/wallet";
import { HostedPage } from "@/host/page";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { CoinPaints } from "./coins";
import { game } from "./game";
import { GameView } from "./game-view";
import hosted from "./hosted";
import { Landing } from "./landing";
import { useNews } from "./news";
import { StonePaints } from "./stone";

export default function ConnectFivePage() {
  return (
    <>
      <StonePaints />
      <CoinPaints />
      <Switch>
        <Route path="/game/:match">
          <HostedPage game={game} hosted={hosted} />
        </Route>
        <Route component={ForStakes} />
      </Switch>
    </>
  );
}

function ForStakes() {
  return (
    <SignedIn>
      <Listening />
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
