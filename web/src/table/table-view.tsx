// One table by its address: waiting, being played, played elsewhere, or gone.
import { MonitorSmartphone } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { Game, Hosted } from "@/games/game";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { GameTable } from "./game-table";
import { nameAt } from "./names";
import type { Play } from "./use-play";
import { WaitingRoom } from "./waiting-room";

interface TableViewProps {
  game: Game;
  hosted: Hosted;
  play: Play;
}

export function TableView({ game, hosted, play }: TableViewProps) {
  const [, go] = useLocation();
  const { table, left, refused } = play.held;
  if (left === "taken_over") return <Elsewhere sitAgain={play.sitAgain} />;
  if (left === "closed" || table?.status === "cancelled") return <Closed game={game} />;
  if (refused?.ref === "watch" || (refused?.ref === "join" && refused.code !== "NOT_SEATED")) {
    return <Closed game={game} />;
  }
  if (table === null) {
    return (
      <main className="flex flex-1 flex-col justify-center">
        <h1 className="sr-only">{game.title}</h1>
        <Spinner label="Setting up the board" />
      </main>
    );
  }
  if (table.status !== "waiting") {
    return <GameTable table={table} game={game} hosted={hosted} play={play} />;
  }
  if (table.seat === null) {
    return (
      <Lost title="A seat is free here">
        {nameAt(table, 0)} is waiting for a friend. Ask them for the code to sit down.
      </Lost>
    );
  }
  const cancel = () => {
    play.say({ type: "withdraw", match: table.match });
    go("/");
  };
  return <WaitingRoom game={game} hosted={hosted} code={table.code ?? ""} cancel={cancel} />;
}

function Elsewhere({ sitAgain }: { sitAgain: () => void }) {
  return (
    <Lost
      title="You play in another window"
      actions={
        <Button color="green" className="flex-1" onClick={sitAgain}>
          <MonitorSmartphone aria-hidden="true" /> Play here
        </Button>
      }
    >
      Your seat was taken over there, and the game goes on. You can take it back here.
    </Lost>
  );
}

function Closed({ game }: { game: Game }) {
  return (
    <Lost
      title="This table is closed"
      actions={
        <Button asChild color="green" className="flex-1">
          <Link href="/">Play {game.title}</Link>
        </Button>
      }
    >
      Tables that nobody comes to are put away after a while. Open a new one and send the code
      again.
    </Lost>
  );
}
