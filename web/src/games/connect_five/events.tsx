// What happened in a match, from the challenge to the payout, as the server wrote it down.
import { useInfiniteQuery } from "@tanstack/react-query";
import { money } from "@/core/money";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/spinner";
import { calls } from "./calls";
import { keys } from "./news";
import { type Place, placeName } from "./places";
import { toolOf } from "./tools";
import type { Match, MatchEvent, MoveType, Person, SpecialType } from "./wire";

interface EventsProps {
  match: Match;
  open: boolean;
  close: () => void;
}

export function Events({ match, open, close }: EventsProps) {
  return (
    <Dialog open={open} onClose={close} title="What happened">
      <Log match={match} />
    </Dialog>
  );
}

function Log({ match }: { match: Match }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: keys.events(match.id),
    queryFn: ({ signal, pageParam }) => calls.events(match.id, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (last.next === null ? undefined : page + 1),
  });
  if (error) return <p className="py-6 text-lg text-soft">{sayError(error)}</p>;
  if (!data) return <Spinner label="Looking it up" />;
  const events = data.pages.flatMap((page) => page.results);
  return (
    <>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="well flex max-h-[60dvh] flex-col overflow-y-auto px-4 py-2"
      >
        {events.map((event) => (
          <li
            key={event.id}
            className="flex items-baseline gap-3 border-b border-soft/20 py-2 last:border-0"
          >
            <time dateTime={event.created_date} className="shrink-0 text-sm text-soft tabular">
              {time.format(new Date(event.created_date))}
            </time>
            <span className="text-base">{inWords(event, match)}</span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

const time = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

type Payload = Record<string, unknown>;

export function inWords(event: MatchEvent, match: Match): string {
  const who = event.actor?.username ?? "The house";
  const payload = event.payload as Payload;
  const named = (id: unknown) =>
    (Number(id) === match.player_a.id ? match.player_a : match.player_b).username;
  switch (event.event_type) {
    case "challenge_created":
      return `${who} challenged ${match.player_b.username} for ${money(Number(payload.stake_amount), match.currency)}.`;
    case "challenge_accepted":
      return `${who} accepted.`;
    case "match_started":
      return `The match began. ${(payload.active_player as Person).username} goes first.`;
    case "move":
      return `${who}: ${moveInWords(payload)}.`;
    case "purchase":
      return `${who} bought ${payload.quantity} × ${toolOf(payload.special_type as SpecialType).label} for ${money(Number(payload.total_cost), match.currency)}.`;
    case "timeout":
      return `${named(payload.player)}’s clock ran out.`;
    case "cancelled":
      return "The house called the match off.";
    case "settlement":
      return settlementInWords(payload, named, match.currency);
    default:
      return event.event_type.replaceAll("_", " ");
  }
}

export function moveInWords({ move_type, x, y }: Payload): string {
  const where = placeName({ x, y } as Place);
  switch (move_type as MoveType) {
    case "SINGLE":
      return `a stone on ${where}`;
    case "H2":
      return `two side by side from ${where}`;
    case "V2":
      return `two downwards from ${where}`;
    case "CROSS4":
      return `four around ${where}`;
    case "BOMB":
      return `a bomb on ${where}`;
  }
}

function settlementInWords(
  payload: Payload,
  named: (id: unknown) => string,
  currency: string,
): string {
  const paid = Object.entries(payload.payouts as Record<string, number>).filter(
    ([, sum]) => sum > 0,
  );
  if (paid.length === 0) return "Nothing was at stake.";
  return `${paid.map(([id, sum]) => `${named(id)} got ${money(sum, currency)}`).join(", ")}.`;
}
