// One table by its address: waiting, being played, played elsewhere, or gone.
import { useLocation } from "wouter";
import { usePlayedHere } from "@/core/played-here";
import { useSession } from "@/core/session";
import type { Game, Hosted } from "@/games/game";
import { GameTable } from "@/table/game-table";
import { Closed, Elsewhere, SettingUp, SomebodyElses } from "@/table/no-table";
import { Searching } from "@/table/searching";
import { Juggling, TwoTokens } from "@/table/tokens";
import { WaitingRoom } from "@/table/waiting-room";
import { asTable } from "./as-table";
import type { Play } from "./use-play";

interface ViewProps {
  game: Game;
  hosted: Hosted;
  play: Play;
}

export function View({ game, hosted, play }: ViewProps) {
  const [, go] = useLocation();
  const { table, left, refused, seeking } = play.held;
  const opponents = usePlayedHere(game.key)?.opponents ?? [];
  const signedIn = useSession() !== null;
  const unknown =
    refused?.ref === "watch" || (refused?.ref === "join" && refused.code !== "NOT_SEATED");
  if (left === "taken_over") return <Elsewhere sitAgain={play.sitAgain} />;
  if (left === "closed" || table?.status === "cancelled" || unknown) {
    return (
      <Closed title={game.title} heading="This table is closed">
        Tables that nobody comes to are put away after a while. Open a new one and send the code
        again.
      </Closed>
    );
  }
  if (table === null) return <SettingUp title={game.title} />;
  if (table.status !== "waiting") {
    const shown = asTable(table, hosted, play, opponents);
    const { Board, Table } = hosted;
    return (
      <>
        {Table ? (
          <Table
            title={game.title}
            table={table}
            shown={shown}
            last={play.held.last}
            status={play.status}
          />
        ) : (
          <GameTable
            title={game.title}
            table={shown}
            kit={hosted}
            board={(props) => <Board {...props} />}
          />
        )}
        {seeking && (
          <Searching {...seeking} picture={<Juggling sides={hosted.sides} />} close={play.stop} />
        )}
      </>
    );
  }
  if (table.seat === null) {
    return (
      <SomebodyElses
        title={game.title}
        name={table.players[0]?.name ?? "Somebody"}
        picture={<TwoTokens sides={hosted.sides} />}
        sit={() =>
          signedIn
            ? play.say({ type: "join", match: table.match, take: true })
            : go(`~/sign-in?next=${encodeURIComponent(`${game.route}/game/${table.match}`)}`)
        }
      />
    );
  }
  return (
    <WaitingRoom
      title={game.title}
      picture={<TwoTokens sides={hosted.sides} />}
      code={table.code ?? ""}
      path={`${game.route}/${table.code}`}
      cancel={() => {
        play.say({ type: "withdraw", match: table.match });
        go("/");
      }}
      cancelLabel="Close this table"
    />
  );
}
