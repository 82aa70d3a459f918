// Connect Five at the table: the board, both clocks, the tools and the pot.
import { useState } from "react";
import { useLocation } from "wouter";
import type { Seat } from "@/core/wire";
import { GameTable } from "@/table/game-table";
import { asTable } from "./as-table";
import { Board } from "./board";
import { Clock } from "./clock";
import { Pot } from "./coins";
import { Events } from "./events";
import { kit } from "./kit";
import { hasWon, isOver, playerAt } from "./match";
import { Spoils, Ways } from "./result";
import { Shop } from "./shop";
import { Inventory } from "./toolbar";
import { Tray } from "./tray";
import { useMove } from "./use-actions";
import { useHand } from "./use-hand";
import { useSounds } from "./use-sounds";
import type { Match } from "./wire";

interface MatchTableProps {
  match: Match;
  seat: Seat;
}

export function MatchTable({ match, seat }: MatchTableProps) {
  const [, go] = useLocation();
  const over = isOver(match);
  // A match looked up later is looked at, not celebrated.
  const [overAtFirst] = useState(over);
  const hand = useHand(match, seat);
  const [open, setOpen] = useState<"shop" | "events" | null>(null);
  useSounds(match, seat);
  const table = asTable(match, seat, {
    ...useMove(match),
    challengeAgain: () => go(`/?again=${match.challenge}`),
    challengeAnother: () => go("/?new"),
  });
  const winner = match.winner === null ? null : hasWon(match, seat) ? "you" : "opponent";
  return (
    <>
      <GameTable
        title="Connect Five"
        table={table}
        kit={kit}
        board={(props) => (
          <Board
            {...props}
            tool={props.advice?.tool ?? hand.tool}
            shownAt={props.advice?.place ?? null}
          />
        )}
        hand={(player) => <Clock match={match} seat={player} mine={player === seat} />}
        below={(player) => player !== seat && <Inventory player={playerAt(match, player)} />}
        hint={false}
        tray={
          <Tray
            table={table}
            money={<Pot total={match.prize_pool_total} currency={match.currency} goesTo={null} />}
            player={playerAt(match, seat)}
            hand={hand}
            openShop={() => setOpen("shop")}
            openEvents={() => setOpen("events")}
          />
        }
        spoils={<Spoils match={match} seat={seat} goesTo={overAtFirst ? null : winner} />}
        ways={<Ways openEvents={() => setOpen("events")} />}
      />
      <Shop match={match} seat={seat} open={open === "shop" && !over} close={() => setOpen(null)} />
      <Events match={match} open={open === "events"} close={() => setOpen(null)} />
    </>
  );
}
