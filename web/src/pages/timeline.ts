// Where moments stand on a line from the first of them to now.

/** The least room for what lies between two moments, so that a busy minute stays readable. */
const LEAST = 0.03;
/** At most this much of the line goes to the least rooms; the rest is the time's. */
const MOST_FOR_LEAST = 0.5;

/** For each moment, earliest first, its place between 0, the first, and 1, now. */
export function timeline(moments: readonly number[], now: number): number[] {
  const first = moments[0] ?? now;
  const span = Math.max(now, moments.at(-1) ?? now) - first;
  const least = Math.min(LEAST, MOST_FOR_LEAST / moments.length);
  const rest = 1 - least * moments.length;
  return moments.map((at, index) => index * least + (rest * (at - first)) / Math.max(1, span));
}

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** When the line begins: a time of today, or a date. */
export function startLabel(first: number, now: number): string {
  const today = new Date(first).toDateString() === new Date(now).toDateString();
  return (today ? time : date).format(first);
}
