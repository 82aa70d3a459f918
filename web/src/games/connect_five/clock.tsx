// A player's clock, live between what the server says. Low time shows in more than colour.
import { clsx } from "clsx";
import { AlarmClock } from "lucide-react";
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { useServerNow } from "@/core/clock";
import type { Seat } from "@/core/wire";
import { clockAt, isActive, LOW_MS, personAt } from "./match";
import type { Match } from "./wire";

const TICK_MS = 100;

/** "4:09", and tenths in the last ten seconds. */
export function clockText(ms: number): string {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

interface ClockProps {
  match: Match;
  seat: Seat;
  /** Whose clock it is to warn about. */
  mine: boolean;
}

export function Clock({ match, seat, mine }: ClockProps) {
  const running = isActive(match, seat);
  const now = useServerNow(TICK_MS, running);
  const left = clockAt(match, seat, now);
  const low = running && left <= LOW_MS;
  useWarning(low && mine);
  return (
    <div
      role="timer"
      aria-label={`Clock of ${personAt(match, seat).username}`}
      data-low={low}
      className={clsx(
        "text-display flex min-w-27 shrink-0 items-center justify-center gap-1.5 rounded-xl px-2.5 py-1.5 text-3xl leading-none tabular wide:min-w-31 wide:py-2.5 wide:text-4xl",
        "shadow-[inset_1px_2px_5px_rgb(0_0_0/0.6),0_1px_0_rgb(255_255_255/0.35)]",
        low ? "c5-low bg-[#b3121d] text-white" : "bg-[#10142a] text-[#ffe9a3]",
        !running && "opacity-80",
      )}
    >
      {low && <AlarmClock aria-hidden="true" className="size-6 shrink-0" />}
      {clockText(left)}
    </div>
  );
}

function useWarning(low: boolean): void {
  const warned = useRef(low);
  useEffect(() => {
    if (low && !warned.current) announce("Half a minute left on your clock.", "urgent");
    warned.current = low;
  }, [low]);
}
