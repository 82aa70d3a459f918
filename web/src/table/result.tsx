// How it ended, beside the board or below it and never over it: the result, the rating, another round.
import { clsx } from "clsx";
import { Bot, ChartSpline, House, RotateCcw, Swords, Undo2 } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Link } from "wouter";
import { signed } from "@/core/played";
import type { Seat } from "@/core/wire";
import { Button } from "@/ui/button";
import type { Another, Ended, Next, RatingMove, TableModel } from "./model";
import { nameAt, otherSeat, ownSeat } from "./names";

interface ResultProps {
  ref?: Ref<HTMLElement>;
  table: TableModel;
  ended: Ended;
  /** Above the words, where there is room. */
  cheer?: ReactNode;
  /** What was won besides the rating. */
  spoils?: ReactNode;
  /** Opens the look at the game; null: there is none. */
  look?: (() => void) | null;
  /** Where else one can go from here; without it, back to the shelf. */
  ways?: ReactNode;
}

export function Result({ ref, table, ended, cheer, spoils, look, ways }: ResultProps) {
  const { next } = table;
  const anyone = table.others.find(({ kind }) => kind === "anyone");
  const levels = table.others.filter(({ kind }) => kind === "level");
  const narrow = anyone !== undefined || levels.length > 0;
  return (
    <section ref={ref} aria-label="Result" className="table-result plastic flex flex-col gap-3">
      {cheer && <div className="table-cheer">{cheer}</div>}
      <div className="flex items-center gap-4 side:flex-col side:items-stretch side:text-center low:flex-row low:flex-wrap low:items-center low:gap-3 low:*:flex-1">
        <div className="min-w-0 flex-1 low:basis-full!">
          <h2 className="text-3xl leading-tight break-words">{ended.title}</h2>
          <p className="min-h-6 text-base text-balance text-soft wide:text-lg">{ended.reason}</p>
        </div>
        {look && (
          <Button size="small" className="px-3!" onClick={look}>
            <ChartSpline aria-hidden="true" className="low:hidden" />
            <span className="sr-only side:not-sr-only">Look at the game</span>
          </Button>
        )}
        {ended.rating && <Rating {...ended.rating} />}
      </div>
      {spoils}
      {next?.kind === "rematch" && isAgainstSomebody(table) && <Offer table={table} next={next} />}
      {levels.length > 0 && <Levels levels={levels} />}
      <div className="flex gap-2.5 side:grid side:grid-cols-2 side:gap-3">
        {next?.kind === "rematch" && (
          <Rematch
            table={table}
            next={next}
            narrow={narrow}
            className={clsx(narrow ? NARROW : FIRST, anyone && ways && CROWDED)}
          />
        )}
        {next?.kind === "again" && (
          <Button color="green" onClick={next.again} className={anyone ? NARROW : FIRST}>
            {!anyone && <RotateCcw aria-hidden="true" />}
            {next.label}
          </Button>
        )}
        {anyone && (
          <Button color="blue" onClick={anyone.begin} className={NARROW}>
            <Swords aria-hidden="true" className="hidden side:block" /> {anyone.label}
          </Button>
        )}
        {ways === undefined ? (
          <ToTheShelf short={table.others.length > 0} />
        ) : (
          <div className={clsx("min-w-0 side:col-span-2", anyone ? "shrink-0" : "flex-1")}>
            {ways}
          </div>
        )}
      </div>
    </section>
  );
}

/** Neither the computer nor who sits beside one has to be asked. */
const isAgainstSomebody = (table: TableModel): boolean =>
  table.seats.length === 1 && table.players.every(({ bot }) => !bot);

function Levels({ levels }: { levels: readonly Another[] }) {
  return (
    <fieldset className="flex items-center gap-2.5">
      <legend className="sr-only">Another level</legend>
      <Bot aria-hidden="true" className="size-6 shrink-0 text-soft" />
      {levels.map(({ label, begin }) => (
        <Button key={label} size="small" className="min-w-0 flex-1 px-2!" onClick={begin}>
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

const NARROW = "min-w-0 flex-1 px-1.5! text-base leading-tight!";
/** Where its picture would leave no room for the word. */
const CROWDED = "[&>svg]:hidden side:[&>svg]:block";
/** Beside the board it has a row of its own. */
const FIRST = `${NARROW} side:col-span-2 side:text-lg`;

/** Where three stand in one row on a phone, its picture has to do. */
function ToTheShelf({ short }: { short: boolean }) {
  return (
    <Button
      asChild
      className={short ? "shrink-0 px-3.5! text-base side:px-2!" : clsx(NARROW, "side:col-span-2")}
    >
      <Link href="~/">
        <House aria-hidden="true" />
        <span className={clsx(short && "sr-only side:not-sr-only")}>
          <span className={clsx(short && "sr-only")}>Back to the </span>
          <span className={clsx(short && "capitalize")}>shelf</span>
        </span>
      </Link>
    </Button>
  );
}

function Rating({ by, to }: RatingMove) {
  const tone = by > 0 ? "text-text-green" : by < 0 ? "text-text-red" : "text-soft";
  return (
    <p className="well shrink-0 px-3.5 py-2 text-center leading-tight" data-testid="rating">
      <span className="block text-sm font-bold text-soft side:mr-1 side:inline side:text-base">
        Rating
      </span>{" "}
      <span className="text-display text-xl tabular">{to}</span>{" "}
      <span className={`text-display text-xl tabular ${tone}`}>{signed(by)}</span>
    </p>
  );
}

type Rematching = Extract<Next, { kind: "rematch" }>;

interface RematchProps {
  table: TableModel;
  next: Rematching;
}

function offers(table: TableModel, { by }: Rematching): { mine: boolean; theirs: Seat | null } {
  const seat = ownSeat(table);
  return {
    mine: seat !== null && by.includes(seat),
    theirs: by.find((each) => each !== seat) ?? null,
  };
}

/** Its room is kept, so that nothing jumps when somebody asks. */
function Offer({ table, next }: RematchProps) {
  const { mine, theirs } = offers(table, next);
  const seat = ownSeat(table);
  const other = seat === null ? null : nameAt(table, otherSeat(seat));
  return (
    <p
      role="status"
      className="min-h-6 text-center text-base leading-6 font-bold text-text-gold wide:text-lg"
    >
      {next.gone && next.href === null && other !== null
        ? `${other} has left the table.`
        : theirs !== null
          ? `${nameAt(table, theirs)} wants a rematch.`
          : mine && other !== null && `Waiting for ${other} to agree.`}
    </p>
  );
}

interface RematchLook {
  /** It shares its row, and says no more than fits there: what is asked stands above it. */
  narrow: boolean;
  className: string;
}

/** Who watches goes along when the two play on; so does who looks a game up later. */
function Rematch({ table, next, narrow, className }: RematchProps & RematchLook) {
  const { mine, theirs } = offers(table, next);
  const watching = table.seats.length === 0;
  if (next.href !== null) {
    return (
      <Button asChild color="green" className={className}>
        <Link href={next.href}>
          <RotateCcw aria-hidden="true" /> {watching ? "Their rematch" : "To the rematch"}
        </Link>
      </Button>
    );
  }
  if (watching) return null;
  if (mine && next.withdraw !== null) {
    return (
      <Button onClick={next.withdraw} className={className}>
        <Undo2 aria-hidden="true" /> Withdraw<span className="sr-only"> the rematch</span>
      </Button>
    );
  }
  return (
    <Button
      color="green"
      disabled={mine || next.ask === null || next.gone}
      onClick={next.ask ?? undefined}
      className={clsx(className, theirs !== null && "glowing")}
    >
      <RotateCcw aria-hidden="true" />
      {theirs !== null ? <Accept narrow={narrow} /> : mine ? "Rematch asked" : "Rematch"}
    </Button>
  );
}

function Accept({ narrow }: { narrow: boolean }) {
  if (!narrow) return "Accept rematch";
  return (
    <>
      Accept <span className="sr-only">rematch</span>
    </>
  );
}
