// The games of one kind that one finished, newest first.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ratingMove, signed, usePlayed } from "@/core/played";
import type { PlayedRecord } from "@/core/wire";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";

export const outcomes = {
  won: { word: "Won", tone: "text-text-green" },
  lost: { word: "Lost", tone: "text-text-red" },
  drawn: { word: "Draw", tone: "text-soft" },
};

export const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

interface Start {
  href: string;
  label: string;
}

interface PlayedListProps {
  /** The server's key of the game. */
  game: string;
  /** Said while there is nothing to list. */
  none: string;
  /** The way to change that. */
  start: Start;
  /** What stands before each game. */
  mark: (record: PlayedRecord) => ReactNode;
  /** How it ended, where that needs words; by the server's reason. */
  reasons: Record<string, string>;
}

export function PlayedList({ game, none, start, mark, reasons }: PlayedListProps) {
  const list = usePlayed(game);
  const { data, error } = list;
  if (error) return <p className="py-10 text-center text-lg text-soft">{sayError(error)}</p>;
  if (!data) return <Spinner label="Looking them up" />;
  const records = data.pages.flat();
  if (records.length === 0) return <NonePlayed none={none} start={start} />;
  return (
    <>
      <ul className="flex flex-col gap-2.5">
        {records.map((record) => (
          <Played
            key={record.id}
            record={record}
            mark={mark(record)}
            reason={reasons[record.end_reason]}
          />
        ))}
      </ul>
      <ShowOlder list={list} />
    </>
  );
}

/** Instead of an empty list. */
export function NonePlayed({ none, start }: { none: string; start: Start }) {
  return (
    <div className="flex flex-col items-center gap-4 py-12 text-center">
      <p className="text-lg text-soft">{none}</p>
      <Button asChild color="green">
        <Link href={start.href}>{start.label}</Link>
      </Button>
    </div>
  );
}

interface PlayedProps {
  record: PlayedRecord;
  mark: ReactNode;
  reason: string | undefined;
}

function Played({ record, mark, reason }: PlayedProps) {
  const winner = record.winner_index;
  const outcome = winner === null ? "drawn" : winner === record.your_index ? "won" : "lost";
  const { word, tone } = outcomes[outcome];
  const opponent = record.your_index === 0 ? record.player1_name : record.player0_name;
  const rating = ratingMove(record);
  return (
    <li className="well flex min-h-16 items-center gap-3.5 px-4 py-2">
      {mark}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-lg leading-tight">
          <span className={`text-display ${tone}`}>{word}</span> against{" "}
          <span className="font-bold">{opponent.replace(/^ai:/, "")}</span>
        </span>
        <span className="block text-base text-soft">
          {day.format(new Date(record.played_at))}
          {reason && ` · ${reason}`}
        </span>
      </span>
      <span className={`text-display text-xl tabular ${tone}`}>
        {rating ? signed(rating.by) : "–"}
      </span>
    </li>
  );
}
