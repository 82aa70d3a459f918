// How it ended, beside the board or below it and never over it: the result, the rating, another round.
import { clsx } from "clsx";
import { House, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import { signed } from "@/core/played";
import type { PlayTable, Seat } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { Button } from "@/ui/button";
import { ratingMove, resultReason, resultTitle } from "./ending";
import { nameAt, otherSeat, ownSeat } from "./names";

interface ResultProps {
  table: PlayTable;
  hosted: Hosted;
  rematch: () => void;
}

export function Result({ table, hosted, rematch }: ResultProps) {
  const rating = ratingMove(table);
  return (
    <section aria-label="Result" className="table-result plastic flex flex-col gap-3">
      <div className="flex items-center gap-4 side:flex-col side:items-stretch side:text-center">
        <div className="min-w-0 flex-1">
          <h2 className="text-3xl leading-tight break-words wide:text-4xl">{resultTitle(table)}</h2>
          <p className="min-h-6 text-base text-soft wide:text-lg">{resultReason(table, hosted)}</p>
        </div>
        {rating && <RatingMove {...rating} />}
      </div>
      {table.seat !== null && <Offer table={table} />}
      <div className="grid grid-cols-2 gap-3 side:grid-cols-1">
        {table.seat === null ? (
          <NextGame table={table} />
        ) : (
          <Rematch table={table} rematch={rematch} />
        )}
        <Button asChild className="px-2! only:col-span-2 max-wide:text-base">
          <Link href="~/">
            <House aria-hidden="true" /> Back to the shelf
          </Link>
        </Button>
      </div>
    </section>
  );
}

function RatingMove({ by, to }: { by: number; to: number }) {
  const tone = by > 0 ? "text-text-green" : by < 0 ? "text-text-red" : "text-soft";
  return (
    <p className="well shrink-0 px-3.5 py-2 text-center leading-tight" data-testid="rating">
      <span className="block text-sm font-bold text-soft">Rating</span>{" "}
      <span className="text-display text-xl tabular">{to}</span>{" "}
      <span className={`text-display text-xl tabular ${tone}`}>{signed(by)}</span>
    </p>
  );
}

function offers(table: PlayTable): { mine: boolean; theirs: Seat | null } {
  const by = table.rematch_by;
  const seat = ownSeat(table);
  return { mine: by !== null && by === seat, theirs: by === seat ? null : by };
}

/** Its room is kept, so that nothing jumps when somebody asks. */
function Offer({ table }: { table: PlayTable }) {
  const { mine, theirs } = offers(table);
  const seat = ownSeat(table);
  return (
    <p
      role="status"
      className="min-h-6 text-center text-base leading-6 font-bold text-text-gold wide:text-lg"
    >
      {mine && seat !== null && `Waiting for ${nameAt(table, otherSeat(seat))} to agree.`}
      {theirs !== null && `${nameAt(table, theirs)} wants a rematch.`}
    </p>
  );
}

function Rematch({ table, rematch }: { table: PlayTable; rematch: () => void }) {
  const { mine, theirs } = offers(table);
  return (
    <Button
      color="green"
      disabled={mine || table.status !== "finished"}
      onClick={rematch}
      className={clsx("px-2! max-wide:text-base", theirs !== null && "animate-pulse-glow")}
    >
      <RotateCcw aria-hidden="true" />
      {theirs !== null ? "Accept rematch" : mine ? "Rematch asked" : "Rematch"}
    </Button>
  );
}

/** Who watches goes along when the two play on. */
function NextGame({ table }: { table: PlayTable }) {
  if (table.next_match === null) return null;
  return (
    <Button asChild color="green" className="px-2! max-wide:text-base">
      <Link href={`/game/${table.next_match}`}>
        <RotateCcw aria-hidden="true" /> Their rematch
      </Link>
    </Button>
  );
}
