// Coins: the pot as a pile that grows with what is in it, and their way to whoever wins it.
import { useEffect, useRef } from "react";
import { amount, money } from "@/core/money";
import { isCalm } from "@/core/preferences";
import { play } from "@/core/sound";

const STACKS = [34, 78, 122, 56, 100] as const;
const MOST = 22;

/** More money, more coins, but ever more slowly: there is only so much room. */
export const coinsFor = (total: number): number =>
  total <= 0 ? 0 : Math.min(MOST, Math.max(1, Math.round(2.4 * Math.log2(1 + total / 6))));

export function CoinPaints() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        <linearGradient id="c5-coin" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#fff4c0" />
          <stop offset="1" stopColor="#e0a81f" />
        </linearGradient>
        <linearGradient id="c5-coin-edge">
          <stop offset="0" stopColor="#e9bd4e" />
          <stop offset=".3" stopColor="#fff0b3" />
          <stop offset="1" stopColor="#8a5f0c" />
        </linearGradient>
      </defs>
    </svg>
  );
}

/** A coin lying flat, its middle at (0, 0). */
function CoinShape() {
  return (
    <>
      <path d="M-21-2v6a21 8 0 0 0 42 0v-6z" fill="url(#c5-coin-edge)" />
      <ellipse cy="-2" rx="21" ry="8" fill="url(#c5-coin)" stroke="#a87717" strokeWidth=".6" />
      <ellipse
        cy="-2"
        rx="15"
        ry="5.400"
        fill="none"
        stroke="#80590f"
        strokeOpacity=".6"
        strokeWidth="1.300"
      />
    </>
  );
}

export function CoinPile({ total, className }: { total: number; className?: string }) {
  const coins = coinsFor(total);
  return (
    <svg aria-hidden="true" viewBox="0 0 156 74" className={className}>
      {coins > 0 && (
        <ellipse cx="82" cy="64" rx="70" ry="9" fill="rgb(var(--shadow-color))" opacity=".3" />
      )}
      {Array.from({ length: coins }, (_, index) => {
        const stack = index % STACKS.length;
        const level = Math.floor(index / STACKS.length);
        const lean = (index * 7) % 5;
        const front = stack < 3 ? 0 : 7;
        return {
          key: `${stack}-${level}`,
          stack,
          x: (STACKS[stack] ?? 0) + lean - 2,
          y: 54 + front - level * 9,
        };
      })
        // Those in front are drawn last.
        .sort((a, b) => Number(a.stack > 2) - Number(b.stack > 2))
        .map(({ key, x, y }) => (
          <g key={key} transform={`translate(${x} ${y})`}>
            <g className="c5-coin-in">
              <CoinShape />
            </g>
          </g>
        ))}
    </svg>
  );
}

interface PotProps {
  total: number;
  currency: string;
  /** Where the coins go when it is won; null while it is not. */
  goesTo: "opponent" | "you" | null;
  /** What it was, once it is no pool any more. */
  paidOut?: string | null;
}

export function Pot({ total, currency, goesTo, paidOut = null }: PotProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (goesTo === null) return;
    const timer = setTimeout(() => ref.current && slide(ref.current, goesTo), WON_MS);
    return () => clearTimeout(timer);
  }, [goesTo]);
  return (
    <div
      ref={ref}
      className="flex min-w-0 items-center justify-center gap-2 wide:gap-4"
      data-testid="pot"
    >
      {paidOut === null && (
        <CoinPile
          total={total}
          className="h-11 w-auto shrink-0 overflow-visible max-[23.5rem]:h-7 wide:h-20"
        />
      )}
      <p className="min-w-0 leading-tight">
        <span className="block text-sm font-bold whitespace-nowrap text-soft wide:text-base">
          {paidOut ?? "Prize pool"}
        </span>
        <span className="text-display block text-xl whitespace-nowrap tabular wide:text-3xl">
          {amount(total)} <span className="text-base text-soft wide:text-lg">{currency}</span>
        </span>
      </p>
    </div>
  );
}

/** First the five light up, and the pot is where it stays. */
const WON_MS = 900;
const FLYING = 12;
const FLIGHT_MS = 620;
const APART_MS = 55;
const COIN = `<svg viewBox="-22 -11 44 24" width="44" height="24"><path d="M-21-2v6a21 8 0 0 0 42 0v-6z" fill="url(#c5-coin-edge)"/><ellipse cy="-2" rx="21" ry="8" fill="url(#c5-coin)"/></svg>`;

/** Coins slide over the table, one after the other, to the strip of whoever won them. */
function slide(pot: HTMLElement, to: "opponent" | "you"): void {
  const target = document.querySelector(`.table-${to}`)?.getBoundingClientRect();
  if (!target || isCalm()) return;
  const from = pot.getBoundingClientRect();
  const start = { x: from.left + from.width * 0.3, y: from.top + from.height * 0.6 };
  const end = { x: target.left + target.width * 0.5, y: target.top + target.height * 0.5 };
  for (let index = 0; index < FLYING; index++) {
    const coin = document.createElement("div");
    coin.setAttribute("aria-hidden", "true");
    coin.innerHTML = COIN;
    coin.style.cssText = `position:fixed;z-index:30;pointer-events:none;left:${start.x - 22}px;top:${start.y - 12}px;opacity:0`;
    document.body.append(coin);
    const aside = ((index * 37) % 60) - 30;
    const flight = coin.animate(
      [
        { transform: `translate(${aside}px, 0)`, opacity: 1 },
        {
          transform: `translate(${end.x - start.x + aside}px, ${end.y - start.y}px)`,
          opacity: 1,
          offset: 0.85,
        },
        { transform: `translate(${end.x - start.x + aside}px, ${end.y - start.y}px)`, opacity: 0 },
      ],
      {
        duration: FLIGHT_MS,
        delay: index * APART_MS,
        easing: "cubic-bezier(0.45, 0, 0.2, 1)",
      },
    );
    flight.onfinish = () => coin.remove();
    flight.oncancel = () => coin.remove();
  }
  play("coins", { delayMs: FLIGHT_MS * 0.5 });
  play("coins", { delayMs: FLIGHT_MS });
}

/** An amount with a coin beside it. */
export function Money({ value, currency }: { value: number; currency: string }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap tabular">
      <svg aria-hidden="true" viewBox="-22 -12 44 26" className="h-4 w-auto">
        <CoinShape />
      </svg>
      {money(value, currency)}
    </span>
  );
}
