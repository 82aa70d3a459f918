// How it ended: the result, what was paid out, and another round.
import { LayoutList, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import { money } from "@/core/money";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { CoinPile } from "./coins";
import { hasWon, paidIn, payout, resultReason, resultTitle, type Seat, sideOf } from "./match";
import { Stone } from "./stone";
import type { Match } from "./wire";

interface ResultProps {
  match: Match;
  seat: Seat;
}

interface ResultDialogProps extends ResultProps {
  open: boolean;
  close: () => void;
}

export function ResultDialog({ match, seat, open, close }: ResultDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={close}
      title={resultTitle(match, seat)}
      description={resultReason(match, seat)}
      picture={<Picture match={match} seat={seat} />}
    >
      <Payout match={match} seat={seat} />
      <ChallengeAgain match={match} />
      <Button asChild>
        <Link href="/">
          <LayoutList aria-hidden="true" /> All games
        </Link>
      </Button>
    </Dialog>
  );
}

export function ChallengeAgain({ match }: { match: Match }) {
  return (
    <Button asChild color="green" size="large">
      <Link href={`/?again=${match.challenge}`}>
        <RotateCcw aria-hidden="true" /> Challenge again
      </Link>
    </Button>
  );
}

export function Payout({ match, seat }: ResultProps) {
  const got = payout(match, seat);
  const paid = paidIn(match, seat);
  const gain = got - paid;
  const sign = gain > 0 ? "+" : gain < 0 ? "−" : "±";
  const tone = gain > 0 ? "text-text-green" : gain < 0 ? "text-text-red" : "text-soft";
  return (
    <dl className="well grid grid-cols-3 gap-2 px-3 py-3 text-center" data-testid="payout">
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

function Picture({ match, seat }: ResultProps) {
  const winner = match.winner === null ? null : match.winner === match.player_a.id ? 0 : 1;
  const won = hasWon(match, seat);
  const sides = [0, 1, 2, 3, 4].map((index) => sideOf(winner ?? (index % 2 === 0 ? 0 : 1)));
  return (
    <div
      aria-hidden="true"
      className="mr-15 flex items-center justify-center gap-2 rounded-[18px] bg-felt px-4 py-4 shadow-[inset_0_2px_0_var(--color-felt-light),inset_0_-8px_10px_-6px_var(--color-felt-dark),0_4px_0_var(--color-felt-dark)]"
    >
      {won && match.prize_pool_total > 0 ? (
        <CoinPile total={match.prize_pool_total} className="h-20 overflow-visible" />
      ) : (
        sides.map((side, index) => (
          <Stone
            key={`stone-${
              // biome-ignore lint/suspicious/noArrayIndexKey: five stones that never move
              index
            }`}
            side={side}
            className="size-11 sm:size-13"
          />
        ))
      )}
    </div>
  );
}
