// The four that won, dropped into their grid; after a draw, two of each.
import { clsx } from "clsx";
import type { Seat } from "@/core/wire";
import { Chip } from "./chip";
import { SIDES } from "./sides";

const FOUR = [0, 1, 2, 3] as const;

interface CheerProps {
  winner: Seat | null;
  /** They fall for whoever has not lost. */
  lost: boolean;
}

export function Cheer({ winner, lost }: CheerProps) {
  return (
    <div
      aria-hidden="true"
      className="flex justify-center gap-1 rounded-[18px] bg-blue px-3 py-2.5 shadow-[inset_0_2px_0_var(--color-blue-light),inset_0_-8px_10px_-6px_var(--color-blue-dark),0_4px_0_var(--color-blue-dark)]"
    >
      {FOUR.map((index) => (
        <span key={index} className="rounded-full bg-blue-dark p-1">
          <Chip
            side={SIDES[winner ?? (index % 2 === 0 ? 0 : 1)]}
            className={clsx("size-12", !lost && "c4-cheer")}
          />
        </span>
      ))}
    </div>
  );
}
