// What was in the wallet over time: a step for each movement, the oldest at the left, now at the right.
import { useServerNow } from "@/core/clock";
import { amount, money } from "@/core/money";
import type { WalletEntry } from "@/core/wallet";
import { startLabel, timeline } from "./timeline";

const WIDTH = 600;
const HEIGHT = 170;
const TOP = 26;
const BOTTOM = 30;
const RENEW_MS = 10_000;

/** Newest first, as the server lists them. */
export function BalancePlot({ entries }: { entries: readonly WalletEntry[] }) {
  const now = useServerNow(RENEW_MS, true);
  const oldestFirst = [...entries].reverse();
  const balances = oldestFirst.map(({ balance }) => balance);
  const moments = oldestFirst.map(({ created_date }) => Date.parse(created_date));
  const begins = startLabel(moments[0] ?? now, now);
  const highest = Math.max(...balances);
  const lowest = Math.min(...balances);
  const places = timeline(moments, now);
  // A wallet that never changed lies in the middle.
  const height = (balance: number) =>
    highest === lowest ? 0.5 : (balance - lowest) / (highest - lowest);
  const y = (balance: number) => HEIGHT - BOTTOM - height(balance) * (HEIGHT - TOP - BOTTOM);
  const rises = balances.map((balance, index) => `H${(places[index] ?? 0) * WIDTH}V${y(balance)}`);
  const steps = `M0 ${y(balances[0] ?? 0)}${rises.join("")}H${WIDTH}`;
  const last = balances.at(-1) ?? 0;
  const named = (balance: number) => money(balance, entries[0]?.currency ?? "");
  return (
    <figure className="flex flex-col gap-1.5">
      <div className="well relative px-2 py-2">
        <svg
          role="img"
          aria-label={`Balance since ${begins}: between ${named(lowest)} and ${named(highest)}, now ${named(last)}.`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-40 w-full sm:h-48"
        >
          <defs>
            <linearGradient id="wallet-fill" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" stopColor="var(--color-brass)" stopOpacity=".55" />
              <stop offset="1" stopColor="var(--color-brass)" stopOpacity=".08" />
            </linearGradient>
          </defs>
          {[...new Set([highest, lowest])].map((balance) => (
            <path
              key={balance}
              d={`M0 ${y(balance)}H${WIDTH}`}
              stroke="currentColor"
              strokeOpacity=".25"
              strokeDasharray="3 6"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <path d={`${steps}V${HEIGHT}H0Z`} fill="url(#wallet-fill)" />
          <path
            d={steps}
            fill="none"
            stroke="var(--text-gold)"
            strokeWidth="3.500"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span aria-hidden="true" className="absolute top-1.5 left-3 text-sm font-bold text-soft">
          {amount(highest)}
        </span>
        {lowest !== highest && (
          <span aria-hidden="true" className="absolute bottom-2 left-3 text-sm font-bold text-soft">
            {amount(lowest)}
          </span>
        )}
      </div>
      <figcaption className="flex justify-between text-sm font-bold text-soft">
        <span>{begins}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
