// The power-ups one holds, as small cards; those that need a target are armed first.
import { clsx } from "clsx";
import { toast } from "@/ui/toast";
import { Tooltip } from "@/ui/tooltip";
import type { State } from "./memory";
import { powerUp } from "./power-ups";
import { CardSymbol } from "./symbols";

interface HandProps {
  hand: State["hand"];
  /** It is one's turn and no card is open yet. */
  usable: boolean;
  /** The one that waits for its card. */
  armed: string | null;
  onUse: (id: string) => void;
}

export function Hand({ hand, usable, armed, onUse }: HandProps) {
  return (
    <section
      aria-label="Your power-ups"
      className="flex min-w-0 flex-1 flex-col gap-1.5 wide:order-first wide:basis-full"
    >
      <h2 className="text-display text-lg max-wide:sr-only">Power-ups</h2>
      <ul className="flex min-h-19 items-start justify-center gap-1.5 wide:flex-wrap wide:justify-start wide:gap-2.5">
        {hand.length === 0 && (
          <li className="grid min-h-19 place-items-center text-center text-base text-balance text-soft wide:text-left">
            Match a gold-edged pair to win one.
          </li>
        )}
        {hand.map(({ powerUpId, count }) => (
          <li key={powerUpId}>
            <Held
              id={powerUpId}
              count={count}
              usable={usable}
              armed={armed === powerUpId}
              onUse={() => onUse(powerUpId)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface HeldProps {
  id: string;
  count: number;
  usable: boolean;
  armed: boolean;
  onUse: () => void;
}

function Held({ id, count, usable, armed, onUse }: HeldProps) {
  const { label, description, pairId } = powerUp(id);
  return (
    <Tooltip text={description}>
      <button
        type="button"
        aria-label={`${label}${count > 1 ? `, ${count} of them` : ""}. ${description}`}
        aria-pressed={armed}
        aria-disabled={!usable}
        onClick={() => (usable ? onUse() : toast("Power-ups are for the beginning of your turn."))}
        className={clsx(
          "plastic pressable flex w-18 flex-col items-center gap-0.5 px-1 pt-1 pb-0.5 wide:w-24 wide:pt-1.5 wide:pb-1",
          armed && "plastic-yellow -translate-y-1",
          !usable && "opacity-60 saturate-50",
        )}
      >
        <span className="relative grid size-11 wide:size-12 place-items-center rounded-xl border-3 border-brass bg-[#fff6d6]">
          <CardSymbol pairId={pairId} className="size-9" />
          {count > 1 && (
            <span className="text-display absolute -top-2 -right-3 grid size-6 place-items-center rounded-full bg-red text-sm text-white">
              {count}
            </span>
          )}
        </span>
        <span className="w-full truncate text-center text-[0.68rem] leading-tight font-bold wide:text-[0.85rem]">
          {label}
        </span>
      </button>
    </Tooltip>
  );
}
