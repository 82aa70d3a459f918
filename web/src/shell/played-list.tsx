// The games of one kind that one finished, newest first.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ratingMove, usePlayed } from "@/core/played";
import { usePlayedHere } from "@/core/played-here";
import type { Opponent, PlayedRecord } from "@/core/wire";
import { sayError } from "@/core/words";
import { botName } from "@/table/names";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Portrait } from "@/ui/portrait";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";
import { outcomeOf, PlayedRow } from "./played-row";

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
  /** What stands before each game; without it, who one played against. */
  mark?: (record: PlayedRecord) => ReactNode;
  /** How it ended, where that needs words; by the server's reason, or by all that it says. */
  reasons: Record<string, string> | ((record: PlayedRecord) => string | undefined);
  /** Whether its points are told. */
  scored?: boolean;
  /** Where each can be looked at. */
  href?: (record: PlayedRecord) => string;
}

export function PlayedList(props: PlayedListProps) {
  const { game, none, start, mark, reasons, scored = false, href } = props;
  const reasonOf = (record: PlayedRecord) =>
    typeof reasons === "function" ? reasons(record) : reasons[record.end_reason];
  const list = usePlayed(game);
  const opponents = usePlayedHere(game)?.opponents ?? [];
  const { data, error } = list;
  if (error) return <p className="py-10 text-center text-lg text-soft">{sayError(error)}</p>;
  if (!data) return <Spinner label="Looking them up" />;
  const records = data.pages.flat();
  if (records.length === 0) return <NonePlayed none={none} start={start} />;
  return (
    <>
      <ul className="flex flex-col gap-2.5">
        {records.map((record) => {
          const { name, bot } = opponentOf(record, opponents);
          return (
            <PlayedRow
              key={record.id}
              mark={mark?.(record) ?? <Likeness name={name} bot={bot} />}
              outcome={outcomeOf(record.winner_index, record.your_index)}
              opponent={bot ? botName(name) : name}
              bot={bot}
              at={record.played_at}
              notes={[scored ? scoreOf(record) : undefined, reasonOf(record)]}
              rating={ratingMove(record)?.by ?? null}
              href={href?.(record)}
            />
          );
        })}
      </ul>
      <ShowOlder list={list} />
    </>
  );
}

function Likeness({ name, bot }: { name: string; bot: boolean }) {
  return bot ? (
    <Portrait of={name} className="size-11 shrink-0" />
  ) : (
    <Avatar name={name} className="size-11 shrink-0" />
  );
}

interface Played {
  name: string;
  /** It was the computer. */
  bot: boolean;
}

/** Computers have no account, or one whose id says so; they go by their titles, once by their levels. */
export function opponentOf(record: PlayedRecord, opponents: readonly Opponent[]): Played {
  const [name, userId] =
    record.your_index === 0
      ? [record.player1_name, record.player1_user_id]
      : [record.player0_name, record.player0_user_id];
  const marked = /^ai:/;
  const called = name.replace(marked, "");
  const known = opponents.some(
    (each) => each.title === called || each.name.toLowerCase() === called.toLowerCase(),
  );
  const account = userId === null ? known : marked.test(userId) || marked.test(name);
  return { name: called, bot: account };
}

/** One's own points first. */
function scoreOf(record: PlayedRecord): string | undefined {
  const { player0_score: first, player1_score: second } = record;
  if (first === null || second === null) return undefined;
  return record.your_index === 0 ? `${first} to ${second}` : `${second} to ${first}`;
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
