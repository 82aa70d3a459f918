// The server's time, as far as this page can tell. All deadlines are the server's.
import { useEffect, useState } from "react";

let offset: { millis: number; exact: boolean } | null = null;

/**
 * The server said what time it is. Stamps in milliseconds (socket events) beat the `Date` header,
 * which has whole seconds; of two exact stamps the one that travelled least, the larger, is right.
 */
export function noteServerTime(stamp: string | null | undefined, exact: boolean): void {
  const at = stamp ? Date.parse(stamp) : Number.NaN;
  if (Number.isNaN(at)) return;
  const millis = at - Date.now();
  if (offset?.exact) {
    if (exact && millis > offset.millis) offset = { millis, exact };
    return;
  }
  offset = { millis, exact };
}

/** A moment of this page's clock, on the server's. */
export function serverTime(local: number): number {
  return local + (offset?.millis ?? 0);
}

export function serverNow(): number {
  return serverTime(Date.now());
}

/** The server's time, renewed every `everyMs` while `running`. */
export function useServerNow(everyMs: number, running: boolean): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!running) return;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}

/** How long something has taken: "1:07". */
export function clockFace(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
