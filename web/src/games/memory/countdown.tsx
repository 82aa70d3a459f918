// What is left of a turn, as a ring that empties in its last seconds.
import { serverNow, useServerNow } from "@/core/clock";

const AROUND = 2 * Math.PI * 20;

interface CountdownProps {
  endsAt: number | undefined;
  showSec: number | undefined;
}

export function Countdown({ endsAt, showSec }: CountdownProps) {
  const running = endsAt !== undefined && showSec !== undefined;
  useServerNow(250, running);
  if (endsAt === undefined || showSec === undefined) return null;
  const left = Math.max(0, endsAt - serverNow());
  if (left > showSec * 1000) return null;
  const seconds = Math.ceil(left / 1000);
  return (
    <span
      role="timer"
      aria-label={`${seconds} seconds left`}
      className="relative grid size-14 place-items-center"
    >
      <svg aria-hidden="true" viewBox="0 0 48 48" className="absolute inset-0 -rotate-90">
        <circle
          cx="24"
          cy="24"
          r="20"
          fill="none"
          stroke="currentColor"
          strokeOpacity=".25"
          strokeWidth="6"
        />
        <circle
          cx="24"
          cy="24"
          r="20"
          fill="none"
          stroke="currentColor"
          strokeWidth="6"
          strokeLinecap="round"
          strokeDasharray={AROUND}
          strokeDashoffset={AROUND * (1 - left / (showSec * 1000))}
        />
      </svg>
      <span className="text-display text-xl tabular">{seconds}</span>
    </span>
  );
}
