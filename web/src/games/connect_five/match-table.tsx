// The table while a match is played and after: board, both players with their clocks, tools and pot.
import { useEffect, useState } from "react";
import { announce } from "@/core/announce";
import { useTitle } from "@/core/title";
import { Strip } from "@/ui/strip";
import { Table } from "@/ui/table";
import { Ended, Playing } from "./actions";
import { Board } from "./board";
import { Clock } from "./clock";
import { Events } from "./events";
import {
  hasWon,
  isActive,
  isOver,
  otherSeat,
  personAt,
  playerAt,
  resultTitle,
  type Seat,
  sideOf,
} from "./match";
import { isLegal, type Place, placeName } from "./places";
import { ResultDialog } from "./result";
import { Shop } from "./shop";
import { Stone } from "./stone";
import { Inventory } from "./toolbar";
import { toolOf } from "./tools";
import { useMove } from "./use-actions";
import { useHand } from "./use-hand";
import { useTelling } from "./use-telling";
import type { Match } from "./wire";

/** First the five light up and the coins go; then the dialog comes. */
const DIALOG_AFTER_MS = 2900;

interface MatchTableProps {
  match: Match;
  seat: Seat;
}

export function MatchTable({ match, seat }: MatchTableProps) {
  const over = isOver(match);
  const hand = useHand(match, seat);
  const { held, place } = useMove(match);
  const [open, setOpen] = useState<"shop" | "events" | null>(null);
  const ending = useEnding(match);
  useTelling(match, seat);
  useTitle(tabTitle(match, seat));

  const playAt = (at: Place) => {
    if (!match.legal) return;
    if (isLegal(match.legal[hand.tool], at)) place(hand.tool, at);
    else announce(`${toolOf(hand.tool).label} does not fit on ${placeName(at)}.`);
  };
  const other = otherSeat(seat);
  return (
    <>
      <Table
        name={`Connect Five: ${match.player_a.username} against ${match.player_b.username}`}
        ratio={1}
        board={
          <Board
            match={match}
            seat={seat}
            tool={hand.tool}
            picked={hand.picked}
            onPick={hand.pick}
            held={held}
            onPlay={playAt}
          />
        }
        opponent={
          <>
            <PlayerStrip match={match} player={other} seat={seat} />
            <Inventory player={playerAt(match, other)} />
          </>
        }
        you={<PlayerStrip match={match} player={seat} seat={seat} />}
        actions={
          over ? (
            <Ended
              match={match}
              seat={seat}
              goesTo={
                ending.seen && match.winner ? (hasWon(match, seat) ? "you" : "opponent") : null
              }
              openEvents={() => setOpen("events")}
            />
          ) : (
            <Playing
              match={match}
              seat={seat}
              hand={hand}
              busy={held !== null}
              play={() => hand.picked && playAt(hand.picked)}
              openShop={() => setOpen("shop")}
              openEvents={() => setOpen("events")}
            />
          )
        }
      />
      <Shop match={match} seat={seat} open={open === "shop" && !over} close={() => setOpen(null)} />
      <Events match={match} open={open === "events"} close={() => setOpen(null)} />
      <ResultDialog match={match} seat={seat} open={ending.told} close={ending.close} />
    </>
  );
}

/** Whether the end came before these eyes, and when it is time to speak of it. */
function useEnding(match: Match) {
  const over = isOver(match);
  const [told, setTold] = useState(false);
  // A match looked up later is looked at, not celebrated.
  const [overAtFirst] = useState(over);
  const seen = over && !overAtFirst;
  useEffect(() => {
    if (!seen) return;
    const timer = setTimeout(() => setTold(true), DIALOG_AFTER_MS);
    return () => clearTimeout(timer);
  }, [seen]);
  return { seen, told, close: () => setTold(false) };
}

function tabTitle(match: Match, seat: Seat): string {
  if (isOver(match)) return resultTitle(match, seat);
  if (isActive(match, seat)) return "Your turn";
  return `${personAt(match, otherSeat(seat)).username} to move`;
}

interface PlayerStripProps {
  match: Match;
  player: Seat;
  /** The viewer's own seat. */
  seat: Seat;
}

function PlayerStrip({ match, player, seat }: PlayerStripProps) {
  const over = isOver(match);
  const mine = player === seat;
  const active = over ? hasWon(match, player) : isActive(match, player);
  return (
    <Strip
      token={<Stone side={sideOf(player)} />}
      name={personAt(match, player).username}
      color={sideOf(player) === "sapphire" ? "blue" : "yellow"}
      active={active}
      status={stripStatus(over, active, mine, sideOf(player))}
    >
      <Clock match={match} seat={player} mine={mine} />
    </Strip>
  );
}

function stripStatus(over: boolean, active: boolean, mine: boolean, side: string): string {
  if (over && active) return "Winner";
  if (active) return mine ? "Your turn" : "Thinking";
  return mine ? `You, ${side}` : `Plays ${side}`;
}
