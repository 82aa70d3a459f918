// Who the computer can be in a game, from the weakest to the strongest: one click, and one plays.
import { clsx } from "clsx";
import { Bot } from "lucide-react";
import { keepLastOpponent, useLastOpponent } from "@/core/last-opponent";
import { usePlayedHere } from "@/core/played-here";
import type { Opponent } from "@/core/wire";
import { Button } from "@/ui/button";
import { Portrait } from "@/ui/portrait";

interface OpponentsProps {
  /** The server's key of the game. */
  game: string;
  begin: (name: string) => void;
  /** Nothing can be asked for now. */
  disabled?: boolean;
}

/** Nothing for a game that the computer does not play. */
export function Opponents({ game, begin, disabled = false }: OpponentsProps) {
  const opponents = usePlayedHere(game)?.opponents;
  const last = useLastOpponent(game);
  if (opponents?.length === 0) return null;
  const advised = opponents?.some(({ name }) => name === last)
    ? undefined
    : forABeginner(opponents);
  return (
    <fieldset className="well flex flex-col gap-2.5 p-3">
      <legend className="sr-only">Play the computer</legend>
      <p aria-hidden="true" className="flex items-center gap-2 text-base font-bold">
        <Bot className="size-5.5" /> Play the computer
      </p>
      <ul className="grid gap-x-2.5 gap-y-1.5 sm:grid-cols-2">
        {opponents === undefined && <Expected />}
        {opponents?.map((opponent, place) => (
          <li key={opponent.name} className="flex">
            <Card
              opponent={opponent}
              strength={[place + 1, opponents.length]}
              mark={
                opponent.name === last
                  ? "Last time"
                  : opponent.name === advised
                    ? "For a first game"
                    : null
              }
              disabled={disabled}
              begin={() => {
                keepLastOpponent(game, opponent.name);
                begin(opponent.name);
              }}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** The room that they will take, so that nothing moves when they come. */
function Expected() {
  return EXPECTED.map((place) => (
    <li key={place} aria-hidden="true" className="min-h-24 rounded-2xl bg-text/4 sm:min-h-28" />
  ));
}

const EXPECTED = [1, 2, 3, 4, 5, 6, 7] as const;

/** Of many the second: the weakest is for those who want to win every time. */
const forABeginner = (opponents: readonly Opponent[] = []): string | undefined =>
  opponents[opponents.length < 5 ? 0 : 1]?.name;

interface CardProps {
  opponent: Opponent;
  /** The how manyth of how many. */
  strength: readonly [number, number];
  mark: string | null;
  disabled: boolean;
  begin: () => void;
}

function Card({ opponent, strength, mark, disabled, begin }: CardProps) {
  const { title, character, rating, error } = opponent;
  return (
    <Button
      color={mark === null ? "cream" : "yellow"}
      className="w-full justify-start! gap-3! px-2.5! py-2! text-left!"
      disabled={disabled}
      onClick={begin}
    >
      <Portrait of={title} className="size-14! shrink-0 self-start" />
      <span className="flex min-w-0 flex-1 flex-col self-start">
        <span className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className="text-lg leading-tight">{title}</span>
          <span className="sr-only">. </span>
          {rating === null || error === null ? (
            <Level strength={strength} />
          ) : (
            <span className="text-base leading-tight whitespace-nowrap tabular">
              <span className="sr-only">Rating </span>
              {rating}
              <span className="text-sm font-normal opacity-80"> ±{error}</span>
              <span className="sr-only">. </span>
            </span>
          )}
        </span>
        <span className="text-sm leading-snug font-medium [font-family:var(--font-text)]">
          {character}
        </span>
        {mark !== null && (
          <span className="mt-1 w-fit rounded-full bg-ink-dark px-2 py-0.5 text-xs leading-snug text-white">
            {mark}
          </span>
        )}
      </span>
    </Button>
  );
}

/** Where nothing was measured, its place among the others. */
function Level({ strength: [place, all] }: Pick<CardProps, "strength">) {
  return (
    <span className="inline-flex shrink-0 gap-0.5">
      <span className="sr-only">{`Level ${place} of ${all}. `}</span>
      {Array.from({ length: all }, (_, index) => index).map((index) => (
        <span
          key={index}
          aria-hidden="true"
          className={clsx(
            "h-2.5 w-1.5 rounded-sm border border-current",
            index < place ? "bg-current" : "opacity-45",
          )}
        />
      ))}
    </span>
  );
}
