// The two sides' tokens where nobody plays yet: beside each other, or passing the time.
import type { Sides } from "./kit";

/** One's own, and a place for theirs. */
export function TwoTokens({ sides: [{ Token: Mine }, { Token: Theirs }] }: { sides: Sides }) {
  return (
    <span aria-hidden="true" className="flex shrink-0">
      <Mine className="size-14" />
      <Theirs className="-ml-3 size-14 opacity-35 grayscale" />
    </span>
  );
}

export function Juggling({ sides: [{ Token: One }, { Token: Other }] }: { sides: Sides }) {
  return (
    <div
      aria-hidden="true"
      className="table-juggle well relative mr-15 flex h-28 items-end justify-center gap-5 overflow-hidden px-6 pb-4"
    >
      <One className="size-14" />
      <Other className="size-14" />
      <One className="size-14" />
    </div>
  );
}
