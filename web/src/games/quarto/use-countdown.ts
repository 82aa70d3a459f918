// Whole seconds until a moment of the server's, counted down; null: there is nothing to wait for.
import { useServerNow } from "@/core/clock";

export function useCountdown(until: number | null): number | null {
  const now = useServerNow(250, until !== null);
  return until === null ? null : Math.max(0, Math.ceil((until - now) / 1000));
}
