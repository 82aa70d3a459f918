// Connect Five at the host's table: the board, both clocks, the tools, and a budget of the match's own.
import { useState } from "react";
import { play } from "@/core/sound";
import type { Seat } from "@/core/wire";
import type { HostedTableProps } from "@/games/game";
import { GameTable } from "@/table/game-table";
import type { Help, TableModel } from "@/table/model";
import { viewOf } from "./as-table";
import { Board, type Placement, type View } from "./board";
import { Clock } from "./clock";
import { Money } from "./coins";
import { type Action, asAction, asMatch, placementOf, placementsIn } from "./for-nothing";
import { kit } from "./kit";
import { isOver, playerAt } from "./match";
import { ShopDialog } from "./shop";
import { Inventory } from "./toolbar";
import { Tray } from "./tray";
import { useHand } from "./use-hand";
import { useSounds } from "./use-sounds";
import type { Match } from "./wire";

export function HostTable({ title, table, shown }: HostedTableProps) {
  const match = asMatch(table);
  // At one device, whoever is to move; who watches sees it from the first seat.
  const seat: Seat = shown.seats.length > 1 ? (table.turn ?? 0) : (shown.seats[0] ?? 0);
  const hand = useHand(match, seat);
  const [shopping, setShopping] = useState(false);
  useSounds(match, seat);
  const player = playerAt(match, seat);
  const model: TableModel<View, Placement> = {
    ...shown,
    view: viewOf(match),
    legal: placementsIn(shown.legal),
    chosen: placementOf(shown.chosen as Action | null),
    act: (placement) => shown.act(asAction(placement)),
    resign: null,
    help: shown.help ? helpOf(shown.help) : null,
  };
  return (
    <>
      <GameTable
        title={title}
        table={model}
        kit={kit}
        board={(props) => (
          <Board
            {...props}
            tool={props.advice?.tool ?? hand.tool}
            shownAt={props.advice?.place ?? null}
          />
        )}
        hand={(each) => <Clock match={match} seat={each} mine={each === seat} />}
        below={(each) => each !== seat && <Inventory player={playerAt(match, each)} />}
        hint={false}
        tray={
          shown.seats.length > 0 && (
            <Tray
              table={model}
              money={<LeftToSpend match={match} left={player.remaining_spend} />}
              player={player}
              hand={hand}
              openShop={() => setShopping(true)}
              openEvents={null}
              help={shown.help ?? null}
            />
          )
        }
      />
      <ShopDialog
        description="Tools come out of this match’s own budget: nothing leaves your wallet. Your clock keeps running."
        match={match}
        player={player}
        facts={
          <div className="well px-3 py-3 text-center">
            <LeftToSpend match={match} left={player.remaining_spend} />
          </div>
        }
        open={shopping && !isOver(match)}
        close={() => setShopping(false)}
        buy={(special_type, quantity) => {
          shown.act({ type: "purchase", special_type, quantity } satisfies Action);
          play("coins");
          setShopping(false);
        }}
        error={null}
        pending={shown.chosen !== null}
        forget={() => undefined}
      />
    </>
  );
}

/** What was advised; a purchase in words alone. The tray has the buttons. */
function helpOf(help: Help): Help<Placement> {
  const asked = { hint: null, takeBack: null };
  if (help.advice === null) return { ...asked, advice: null };
  const { action, words } = help.advice;
  return { ...asked, advice: { action: placementOf(action as Action | null), words } };
}

function LeftToSpend({ match, left }: { match: Match; left: number }) {
  return (
    <p className="text-center leading-tight" data-testid="left-to-spend">
      <span className="block text-sm font-bold whitespace-nowrap text-soft wide:text-base">
        Left to spend
      </span>
      <span className="text-display block text-xl tabular">
        <Money value={left} currency={match.currency} />
      </span>
    </p>
  );
}
