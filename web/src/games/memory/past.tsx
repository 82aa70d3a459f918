// A game of Memory that was played, looked up later: its cards as they lay at the end.
import type { PlayTable } from "@/core/wire";
import { pastTable, personIn, ratingIn, usePast } from "@/host/past";
import { GameTable } from "@/table/game-table";
import type { TableModel } from "@/table/model";
import { otherSeat } from "@/table/names";
import { Closed, SettingUp } from "@/table/no-table";
import { Pile } from "./at-table";
import { Board, type View } from "./board";
import { endedBy, resultReason, resultTitle } from "./ending";
import { kitFor } from "./kit";
import { viewOf } from "./looking-back";
import type { Ending } from "./memory";
import { Ways } from "./ways";

export function Past({ match }: { match: string }) {
  const { table, gone } = usePast(match);
  if (gone) {
    return (
      <Closed title="Memory" heading="This game is gone">
        Nobody here knows how it ended.
      </Closed>
    );
  }
  if (!table) return <SettingUp title="Memory" label="Laying out the cards" />;
  const { shown, ending } = asPast(table);
  return (
    <GameTable
      title="Memory"
      table={shown}
      kit={kitFor(shown.view)}
      board={(props) => <Board {...props} aiming={false} spectacle={null} />}
      hand={(seat) => (
        <Pile
          owner={seat === 0 ? "you" : "opponent"}
          pairs={seat === 0 ? ending.you : ending.opponent}
        />
      )}
      ways={<Ways belowBoard />}
    />
  );
}

/** As while it was played: one sits at 0, the opponent at 1. */
function asPast(table: PlayTable): { shown: TableModel<View, number>; ending: Ending } {
  const own = table.seat ?? 0;
  const winner = table.result?.winner ?? null;
  const scores = table.result?.scores ?? [0, 0];
  const ending: Ending = {
    result: winner === null ? "draw" : winner === own ? "win" : "lose",
    you: scores[own],
    opponent: scores[otherSeat(own)],
    by: endedBy(table.result?.reason),
  };
  const opponent = personIn(table, otherSeat(own));
  const shown = pastTable<View, number>(table.match, {
    players: [personIn(table, own), opponent],
    seat: 0,
    view: viewOf(table.view),
    ended: {
      winner: winner === null ? null : winner === own ? 0 : 1,
      title: resultTitle(ending),
      reason: resultReason(ending, opponent.name),
      rating: ratingIn(table, own),
    },
  });
  return { shown, ending };
}
