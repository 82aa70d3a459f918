// Connect 4's addresses: the start, a game, and a friend's invitation.
import { Route, Switch } from "wouter";
import { NotFound } from "@/pages/lost";
import { SignedIn } from "@/shell/signed-in";
import { ChipPaints } from "./chip";
import { GameView } from "./game-view";
import { Invitation } from "./invitation";
import { Connect4Start } from "./start";

export default function Connect4Page() {
  return (
    <SignedIn>
      <ChipPaints />
      <Switch>
        <Route path="/" component={Connect4Start} />
        <Route path="/game/:publicId">
          {({ publicId }) => <GameView key={publicId} publicId={publicId} />}
        </Route>
        <Route path="/join/:code">{({ code }) => <Invitation code={code} />}</Route>
        <Route component={NotFound} />
      </Switch>
    </SignedIn>
  );
}
