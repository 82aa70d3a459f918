// What was in the wallet after each movement: steps, the oldest at the left, and the newest marked.
import { amount, inTnb } from "@/core/money";
import type { WalletEntry } from "@/core/wallet";

const WIDTH = 600;
const HEIGHT = 170;
const TOP = 26;
const BOTTOM = 30;

/** Newest first, as the server lists them. */
export function BalancePlot({ entries }: { entries: readonly WalletEntry[] }) {
  const balances = entries.map(({ balance }) => balance).reverse();
  const highest = Math.max(...balances);
  const lowest = Math.min(...balances);
  const step = WIDTH / balances.length;
  // A wallet that never changed lies in the middle.
  const height = (balance: number) =>
    highest === lowest ? 0.5 : (balance - lowest) / (highest - lowest);
  const y = (balance: number) => HEIGHT - BOTTOM - height(balance) * (HEIGHT - TOP - BOTTOM);
  const rises = balances.map((balance, index) => `H${index * step}V${y(balance)}`);
  const steps = `M0 ${y(balances[0] ?? 0)}${rises.join("")}H${WIDTH}`;
  const last = balances.at(-1) ?? 0;
  return (
    <figure className="flex flex-col gap-1.5">
      <div className="well relative px-2 py-2">
        <svg
          role="img"
          aria-label={`Balance after each of the last ${balances.length} movements: between ${inTnb(lowest)} and ${inTnb(highest)}, now ${inTnb(last)}.`}
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
        <span>{since.format(new Date(entries.at(-1)?.created_date ?? 0))}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

const since = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
