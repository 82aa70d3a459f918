// What a match came to in money, and where to go from it.
import { LayoutList, ScrollText } from "lucide-react";
import { Link } from "wouter";
import { money } from "@/core/money";
import type { Seat } from "@/core/wire";
import { Button } from "@/ui/button";
import { Pot } from "./coins";
import { paidIn, payout } from "./match";
import type { Match } from "./wire";

interface PayoutProps {
  match: Match;
  seat: Seat;
}

interface SpoilsProps extends PayoutProps {
  /** Where the coins slide, where that is still to be seen. */
  goesTo: "opponent" | "you" | null;
}

/** On a phone, where the board needs the room, the pot is a spot below that the coins rise from. */
export function Spoils({ match, seat, goesTo }: SpoilsProps) {
  return (
    <>
      <div className="sr-only bottom-8 left-1/2 side:not-sr-only">
        <Pot
          total={match.prize_pool_total}
          currency={match.currency}
          goesTo={goesTo}
          paidOut={match.winner === null ? "Paid back" : "Prize, paid out"}
        />
      </div>
      <Payout match={match} seat={seat} />
    </>
  );
}

export function Payout({ match, seat }: PayoutProps) {
  const got = payout(match, seat);
  const paid = paidIn(match, seat);
  const gain = got - paid;
  const sign = gain > 0 ? "+" : gain < 0 ? "−" : "±";
  const tone = gain > 0 ? "text-text-green" : gain < 0 ? "text-text-red" : "text-soft";
  return (
    <dl className="well grid grid-cols-3 gap-2 px-3 py-2 text-center" data-testid="payout">
      <div>
        <dt className="text-sm font-bold text-soft">Paid in</dt>
        <dd className="text-display text-lg tabular">{money(paid, match.currency)}</dd>
      </div>
      <div>
        <dt className="text-sm font-bold text-soft">Paid out</dt>
        <dd className="text-display text-lg tabular">{money(got, match.currency)}</dd>
      </div>
      <div>
        <dt className="text-sm font-bold text-soft">In all</dt>
        <dd className={`text-display text-lg tabular ${tone}`}>
          {sign}
          {money(Math.abs(gain), match.currency)}
        </dd>
      </div>
    </dl>
  );
}

const SMALL = "h-full min-w-11 flex-1 px-0! side:px-2! side:text-base!";

export function Ways({ openEvents }: { openEvents: () => void }) {
  return (
    <div className="flex h-full gap-2 side:h-auto side:gap-3">
      <Button asChild size="small" className={SMALL}>
        <Link href="/">
          <LayoutList aria-hidden="true" className="shrink-0" />
          <span className="sr-only side:not-sr-only">All games</span>
        </Link>
      </Button>
      <Button size="small" className={SMALL} onClick={openEvents}>
        <ScrollText aria-hidden="true" className="shrink-0" />
        <span className="sr-only side:not-sr-only">What happened</span>
      </Button>
    </div>
  );
}
