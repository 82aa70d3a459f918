// A game in a list of games played: against whom, how it ended, what it did to the rating, and the way to it.
import { Bot } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { signed } from "@/core/played";

const OUTCOMES = {
  won: { word: "Won", tone: "text-text-green" },
  lost: { word: "Lost", tone: "text-text-red" },
  drawn: { word: "Draw", tone: "text-soft" },
};

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

export type Outcome = keyof typeof OUTCOMES;

export const outcomeOf = <Player,>(winner: Player | null, own: Player): Outcome =>
  winner === null ? "drawn" : winner === own ? "won" : "lost";

interface PlayedRowProps {
  /** What one played with, or against whom. */
  mark: ReactNode;
  outcome: Outcome;
  opponent: string;
  /** Which was the computer. */
  bot?: boolean;
  /** When it ended. */
  at: string | null;
  /** What else is to be said of it; what is empty is left out. */
  notes: readonly (string | undefined)[];
  /** Null: it did not count. */
  rating: number | null;
  /** Where it can be looked at. */
  href?: string | undefined;
}

const ROW = "well flex min-h-16 items-center gap-3.5 px-4 py-2";

const MARK = "mr-1 inline size-5 align-[-0.2em] text-soft";

export function PlayedRow(props: PlayedRowProps) {
  const { mark, outcome, opponent, bot = false, at, notes, rating, href } = props;
  const { word, tone } = OUTCOMES[outcome];
  const said = [at === null ? undefined : day.format(new Date(at)), ...notes];
  const row = (
    <>
      {mark}
      <span className="min-w-0 flex-1">
        <span className="block text-lg leading-tight">
          <span className={`text-display ${tone}`}>{word}</span> against{" "}
          {bot && <Bot role="img" aria-label="the computer" className={MARK} />}
          <span className="font-bold">{opponent}</span>
        </span>
        <span className="block text-base text-soft">{said.filter(Boolean).join(" · ")}</span>
      </span>
      <span className={`text-display text-xl tabular ${tone}`}>
        {rating === null ? "–" : signed(rating)}
      </span>
    </>
  );
  return href === undefined ? (
    <li className={ROW}>{row}</li>
  ) : (
    <li>
      <Link href={href} className={`${ROW} pressable`}>
        {row}
      </Link>
    </li>
  );
}
