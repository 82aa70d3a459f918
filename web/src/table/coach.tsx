// The first game of a kind on this browser tells what to do, turn by turn, until it is over or enough.
import { Lightbulb, X } from "lucide-react";
import { useEffect } from "react";
import { keptStore, useStore } from "@/core/store";
import type { Kit } from "./kit";
import type { TableModel } from "./model";

/** The games that need no more telling, by their titles. */
const taught = keptStore<readonly string[]>(
  "taught",
  [],
  (kept): kept is string[] => Array.isArray(kept) && kept.every((one) => typeof one === "string"),
);

const enough = (title: string): void => {
  if (!taught.get().includes(title)) taught.set([...taught.get(), title]);
};

/** What the coach says now; null: nothing. */
export function useCoach(title: string, table: TableModel, kit: Kit): string | null {
  const known = useStore(taught).includes(title);
  const over = table.ended !== null;
  const plays = table.seats.length > 0;
  useEffect(() => {
    if (over && plays) enough(title);
  }, [over, plays, title]);
  if (known || over || !plays) return null;
  return kit.coach?.(table) ?? null;
}

export function Coach({ title, words }: { title: string; words: string }) {
  return (
    <div
      role="note"
      className="flex w-full items-center gap-2.5 rounded-xl bg-[#fff3c4] py-1 pr-1 pl-3 text-left text-base leading-tight font-bold text-ink shadow-[inset_0_1px_0_#fffbe8,1px_2px_4px_rgb(var(--shadow-color)/var(--shadow-strength))]"
    >
      <Lightbulb aria-hidden="true" className="size-6 shrink-0 text-[#8a5f00]" />
      <p className="min-w-0 flex-1 text-pretty">{words}</p>
      <button
        type="button"
        aria-label="No more tips"
        className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-lg text-ink"
        onClick={() => enough(title)}
      >
        <X aria-hidden="true" className="size-5" />
      </button>
    </div>
  );
}
