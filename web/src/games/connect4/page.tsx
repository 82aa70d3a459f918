// Connect 4's addresses: the start, a game, a friend's invitation, and tables with the computer.
import { Route, Switch, useLocation } from "wouter";
import { besideOf } from "@/host/place";
import { useHosted } from "@/host/use-hosted";
import { View } from "@/host/view";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { ChipPaints } from "./chip";
import { game } from "./game";
import { GameView } from "./game-view";
import hosted from "./hosted";
import { Invitation } from "./invitation";
import { Connect4Start } from "./start";

export default function Connect4Page() {
  return (
    <SignedIn>
      <ChipPaints />
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
        <Connect4Start play={play} />
      </Route>
      <Route path="/game/:publicId">
        {({ publicId }) => <GameView key={publicId} publicId={publicId} />}
      </Route>
      <Route path="/join/:code">{({ code }) => <Invitation code={code} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
