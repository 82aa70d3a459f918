// Quarto's addresses: the start, and a room by its code. No account is needed for either.
import "./quarto.css";
import { Redirect, Route, Switch } from "wouter";
import { NotFound } from "@/pages/lost";
import { isCode } from "@/table/enter-code";
import { Past } from "./past";
import { PiecePaints } from "./piece";
import { RoomView } from "./room-view";
import { QuartoStart } from "./start";

export default function QuartoPage() {
  return (
    <>
      <PiecePaints />
      <Switch>
        <Route path="/" component={QuartoStart} />
        <Route path="/game/:match">{({ match }) => <Past key={match} match={match} />}</Route>
        <Route path="/:code">{({ code }) => <RoomByCode code={code} />}</Route>
        <Route component={NotFound} />
      </Switch>
    </>
  );
}

function RoomByCode({ code }: { code: string }) {
  const proper = code.toUpperCase();
  if (!isCode(proper)) return <NotFound />;
  return proper === code ? (
    <RoomView key={code} code={code} />
  ) : (
    <Redirect to={`/${proper}`} replace />
  );
}
