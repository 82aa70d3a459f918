// What is left of a turn, as a ring that empties in its last seconds.
import { serverNow, useServerNow } from "@/core/clock";
import type { MoveTime } from "./model";

const AROUND = 2 * Math.PI * 20;

export function Countdown({ endsAt, showMs }: MoveTime) {
  useServerNow(250, true);
  const left = Math.max(0, endsAt - serverNow());
  if (left > showMs) return null;
  const seconds = Math.ceil(left / 1000);
  return (
    <span
      role="timer"
      aria-label={`${seconds} seconds left`}
      className="relative grid size-13 shrink-0 place-items-center wide:size-14"
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
          strokeDashoffset={AROUND * (1 - left / showMs)}
        />
      </svg>
      <span className="text-display text-xl tabular">{seconds}</span>
    </span>
  );
}
