// Quarto's addresses: the start, a room by its code, and tables with the computer. No account is needed for rooms.
import "./quarto.css";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { besideOf } from "@/host/place";
import { useHosted } from "@/host/use-hosted";
import { View } from "@/host/view";
import { NotFound } from "@/pages/lost";
import { isCode } from "@/table/enter-code";
import { game } from "./game";
import hosted from "./hosted";
import { PiecePaints } from "./piece";
import { RoomView } from "./room-view";
import { QuartoStart } from "./start";

export default function QuartoPage() {
  const [path] = useLocation();
  const place = besideOf(path);
  const play = useHosted(game.key, place);
  return (
    <>
      <PiecePaints />
      {place.kind === "table" ? (
        <View key={place.match} game={game} hosted={hosted} play={play} />
      ) : (
        <Switch>
          <Route path="/">
            <QuartoStart play={play} />
          </Route>
          <Route path="/:code">{({ code }) => <RoomByCode code={code} />}</Route>
          <Route component={NotFound} />
        </Switch>
      )}
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
