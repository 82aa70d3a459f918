// Between the players: the pot, the tools, what to do with them, and how it ended.

import { clsx } from "clsx";
import { Check, LayoutList, ScrollText, ShoppingBag, X } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/ui/button";
import { Pot } from "./coins";
import { playerAt, resultReason, resultTitle, type Seat } from "./match";
import { isLegal, placeName } from "./places";
import { ChallengeAgain, Payout } from "./result";
import { Toolbar } from "./toolbar";
import { toolOf } from "./tools";
import type { Hand } from "./use-hand";
import type { Match } from "./wire";

interface PlayingProps {
  match: Match;
  seat: Seat;
  hand: Hand;
  busy: boolean;
  play: () => void;
  openShop: () => void;
  openEvents: () => void;
}

export function Playing(props: PlayingProps) {
  const { match, seat, hand, openShop, openEvents } = props;
  const confirming = hand.picked !== null && match.legal !== null;
  return (
    <div className="flex flex-col gap-3 wide:gap-4">
      {/* On a phone the place to confirm takes the pot's room, so that all stays in sight. */}
      <div
        className={clsx(
          "grid min-h-13 grid-cols-[1fr_auto_auto] items-center gap-2 max-wide:order-1 wide:grid-cols-2 wide:gap-3",
          confirming && "max-wide:hidden",
        )}
      >
        <div className="min-w-0 wide:col-span-2">
          <Pot total={match.prize_pool_total} currency={match.currency} goesTo={null} />
        </div>
        <Button color="yellow" size="small" onClick={openShop}>
          <ShoppingBag aria-hidden="true" />
          <span>
            Buy<span className="max-wide:sr-only"> tools</span>
          </span>
        </Button>
        <Button size="small" onClick={openEvents}>
          <ScrollText aria-hidden="true" />
          <span className="max-wide:sr-only">What happened</span>
        </Button>
      </div>
      <Toolbar player={playerAt(match, seat)} chosen={hand.tool} onChoose={hand.choose} />
      {confirming ? <Confirm {...props} /> : <Hint match={match} hand={hand} />}
    </div>
  );
}

/** On a touch screen nothing is placed before it is confirmed. */
function Confirm({ match, hand, busy, play }: PlayingProps) {
  const { tool, picked, pick } = hand;
  if (!picked) return null;
  const fits = isLegal(match.legal?.[tool], picked);
  const where = placeName(picked);
  return (
    <div className="grid min-h-13 grid-cols-[1fr_auto] gap-2 max-wide:order-1 wide:min-h-14">
      <Button color={fits ? "green" : "cream"} disabled={!fits || busy} onClick={play}>
        {fits ? <Check aria-hidden="true" /> : <X aria-hidden="true" />}
        {!fits && `${toolOf(tool).label} does not fit on ${where}`}
        {fits && (tool === "BOMB" ? `Bomb ${where}` : `Place ${toolOf(tool).label} on ${where}`)}
      </Button>
      <Button aria-label="Pick another place" onClick={() => pick(null)}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

function Hint({ match, hand }: { match: Match; hand: Hand }) {
  return (
    <p className="grid min-h-14 place-items-center max-wide:hidden text-center text-base text-balance text-soft wide:text-lg">
      {match.legal === null ? (
        "You can choose a tool and buy others meanwhile."
      ) : (
        <span>
          {hand.tool === "BOMB" ? "Point at one of their stones." : "Point and click to place."}{" "}
          Keys 1 to 5 change the tool.
        </span>
      )}
    </p>
  );
}

interface EndedProps {
  match: Match;
  seat: Seat;
  /** Where the coins slide, where that is still to be seen. */
  goesTo: "opponent" | "you" | null;
  openEvents: () => void;
}

export function Ended({ match, seat, goesTo, openEvents }: EndedProps) {
  return (
    <div className="flex flex-col gap-3">
      <Pot total={match.prize_pool_total} currency={match.currency} goesTo={goesTo} />
      <div className="text-center max-wide:hidden">
        <h2 className="text-3xl leading-tight">{resultTitle(match, seat)}</h2>
        <p className="text-lg text-balance text-soft">{resultReason(match, seat)}</p>
      </div>
      <Payout match={match} seat={seat} />
      <ChallengeAgain match={match} />
      <div className="grid grid-cols-2 gap-3">
        <Button asChild size="small">
          <Link href="/">
            <LayoutList aria-hidden="true" /> All games
          </Link>
        </Button>
        <Button size="small" onClick={openEvents}>
          <ScrollText aria-hidden="true" /> What happened
        </Button>
      </div>
    </div>
  );
}
