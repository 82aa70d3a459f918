// A match in a list: against whom, how it stands or ended, and what is or was in the pot.
import { Link } from "wouter";
import { amount, money } from "@/core/money";
import { otherSeat } from "@/table/names";
import { hasWon, isActive, isOver, paidIn, payout, personAt, seatOf, sideOf } from "./match";
import { Stone } from "./stone";
import type { Match } from "./wire";

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const reasons = {
  connect5: "five in a row",
  timeout: "on time",
  draw: "board full",
  cancelled: "called off",
};

export function GameRow({ match, userId }: { match: Match; userId: number }) {
  const seat = seatOf(match, userId);
  const over = isOver(match);
  const gain = payout(match, seat) - paidIn(match, seat);
  const won = hasWon(match, seat);
  const tone = won ? "text-text-green" : match.winner ? "text-text-red" : "text-soft";
  const outcome = won ? "Won" : match.winner ? "Lost" : "Draw";
  const turn = isActive(match, seat) ? "Your turn" : "Playing";
  return (
    <li>
      <Link
        href={`~/connect-five/games/${match.challenge}`}
        className="well pressable relative flex min-h-16 items-center gap-3.5 px-4 py-2 max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-3"
      >
        <Stone side={sideOf(seat)} className="size-10 shrink-0 max-sm:size-8" />
        <span className="min-w-36 flex-1">
          <span className="block text-lg leading-tight">
            <span className={`text-display ${over ? tone : "text-text-gold"}`}>
              {over ? outcome : turn}
            </span>{" "}
            against <span className="font-bold">{personAt(match, otherSeat(seat)).username}</span>
          </span>
          <span className="block text-base text-soft">
            {day.format(new Date(match.finished_at ?? match.created_date))}
            {match.finish_reason && ` · ${reasons[match.finish_reason]}`}
          </span>
        </span>
        <span
          className={`text-display ml-auto shrink-0 text-xl tabular ${over ? tone : "text-text-gold"}`}
        >
          {over
            ? `${gain > 0 ? "+" : gain < 0 ? "−" : "±"}${amount(Math.abs(gain))}`
            : money(match.prize_pool_total, match.currency)}
        </span>
      </Link>
    </li>
  );
}
