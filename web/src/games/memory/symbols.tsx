// What is printed on the cards: our own symbols, told apart by their shapes before their colours.
import type { ReactNode } from "react";

interface Symbol {
  name: string;
  drawing: ReactNode;
}

const INK = "#1e2440";
const line = {
  fill: "none",
  stroke: INK,
  strokeWidth: 4,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const shape = { stroke: INK, strokeWidth: 4, strokeLinejoin: "round" } as const;

/** The first pairs carry the power-ups, in the order in which the server numbers them. */
export const powerSymbols: readonly Symbol[] = [
  {
    name: "Whirl",
    drawing: (
      <>
        <path
          {...shape}
          fill="#ef4444"
          d="M50 10c24 0 40 17 40 39 0 20-15 35-34 35-16 0-28-12-28-27 0-13 10-22 22-22 10 0 17 7 17 16 0 8-5 13-12 13-5 0-9-4-9-8 0-4 3-6 6-6-1-5-9-4-12 0-6 7-1 20 10 21 13 1 23-9 23-21 0-14-11-24-25-24-18 0-31 14-31 32 0 11 4 20 11 27C17 79 10 66 10 52 10 28 28 10 50 10Z"
        />
        <path {...line} d="M81 76l8 12-14 1M22 20 11 15l2 14" />
      </>
    ),
  },
  {
    name: "Eye",
    drawing: (
      <>
        <path
          {...shape}
          fill="#fffdf8"
          d="M6 52C20 29 35 20 50 20s30 9 44 32C80 73 65 82 50 82S20 73 6 52Z"
        />
        <circle {...shape} cx="50" cy="51" r="22" fill="#2563eb" />
        <circle cx="50" cy="51" r="10" fill={INK} />
        <circle cx="57" cy="44" r="5.500" fill="#fff" />
        <path {...line} d="M50 8v5M28 12l3 5M72 12l-3 5M12 24l4 4M88 24l-4 4" />
      </>
    ),
  },
  {
    name: "Candle",
    drawing: (
      <>
        <path
          {...shape}
          fill="#eab308"
          d="M50 6c12 13 15 20 15 27a15 15 0 0 1-30 0c0-7 3-14 15-27Z"
        />
        <path fill="#fff3b0" d="M50 22c5 6 7 9 7 13a7 7 0 0 1-14 0c0-4 2-7 7-13Z" />
        <path {...shape} fill="#fff6e5" d="M35 50h30v32H35z" />
        <path {...line} d="M50 50v-6M57 50c0 9 3 9 3 15" />
        <path {...shape} fill="#7c4fb0" d="M20 80h60l-6 13H26z" />
      </>
    ),
  },
  {
    name: "Lantern",
    drawing: (
      <>
        <path {...line} d="M34 20a16 12 0 0 1 32 0" />
        <path {...shape} fill="#1f7a4d" d="M30 20h40l6 12H24zM26 82h48l4 11H22z" />
        <path {...shape} fill="#ffdf66" d="M28 32h44v50H28z" />
        <path fill="#fffbe0" d="M50 42c7 8 9 12 9 17a9 9 0 0 1-18 0c0-5 2-9 9-17Z" />
        <path {...line} d="M38 32v50M62 32v50M12 46l8 3M88 46l-8 3M11 68l8-3M89 68l-8-3" />
      </>
    ),
  },
];

const plainSymbols: readonly Symbol[] = [
  {
    name: "Moon",
    drawing: <path {...shape} fill="#6d9bff" d="M62 9A43 43 0 1 0 91 66 35 35 0 0 1 62 9Z" />,
  },
  {
    name: "Sun",
    drawing: (
      <>
        <path
          {...shape}
          fill="#ff9f43"
          d="m50 4 9 15 16-8 1 18 18 1-8 16 15 9-15 9 8 16-18 1-1 18-16-8-9 15-9-15-16 8-1-18-18-1 8-16L-1 55l15-9-8-16 18-1 1-18 16 8Z"
          transform="translate(4 3) scale(.92)"
        />
        <circle {...shape} cx="50" cy="53" r="21" fill="#ffdf66" />
      </>
    ),
  },
  {
    name: "Leaf",
    drawing: (
      <>
        <path
          {...shape}
          fill="#22c55e"
          d="M86 12c6 44-12 68-38 70-20 1-33-14-30-32C21 29 47 14 86 12Z"
        />
        <path {...line} d="M12 92 66 36M40 62V44M50 54h18M30 74V60" />
      </>
    ),
  },
  {
    name: "Drop",
    drawing: (
      <>
        <path
          {...shape}
          fill="#38bdf8"
          d="M50 6c20 26 30 42 30 56a30 30 0 0 1-60 0C20 48 30 32 50 6Z"
        />
        <path {...line} stroke="#fff" strokeWidth="6" d="M34 62a16 16 0 0 0 12 15" />
      </>
    ),
  },
  {
    name: "Heart",
    drawing: (
      <path
        {...shape}
        fill="#f472a6"
        d="M50 90C18 66 7 50 7 34c0-14 10-24 22-24 9 0 17 5 21 14 4-9 12-14 21-14 12 0 22 10 22 24 0 16-11 32-43 56Z"
      />
    ),
  },
  {
    name: "Anchor",
    drawing: (
      <>
        <path
          {...shape}
          fill="#414a75"
          d="M45 30v-6a13 13 0 1 1 10 0v6h16v10H55v41c13-2 22-10 25-22l-9 3 12-20 11 20-7-1C84 80 70 94 50 94S16 80 13 61l-7 1 11-20 12 20-9-3c3 12 12 20 25 22V40H29V30Z"
        />
        <circle cx="50" cy="17" r="5" fill="#fffdf8" />
      </>
    ),
  },
  {
    name: "Key",
    drawing: (
      <>
        <path
          {...shape}
          fill="#c9962f"
          d="M36 8a24 24 0 0 1 22 34l34 34v16H76v-9h-9v-9h-9L50 66l-8-8A24 24 0 1 1 36 8Z"
        />
        <circle {...shape} cx="31" cy="27" r="7" fill="#fffdf8" />
      </>
    ),
  },
  {
    name: "Bell",
    drawing: (
      <>
        <circle {...shape} cx="50" cy="85" r="9" fill="#a17000" />
        <path
          {...shape}
          fill="#eab308"
          d="M50 8c5 0 8 4 8 8 15 4 20 17 20 33 0 15 4 21 12 29v5H10v-5c8-8 12-14 12-29 0-16 5-29 20-33 0-4 3-8 8-8Z"
        />
        <path {...line} d="M18 71h64" />
      </>
    ),
  },
  {
    name: "Mushroom",
    drawing: (
      <>
        <path {...shape} fill="#fff6e5" d="M36 52h28l5 34c1 5-8 8-19 8s-20-3-19-8Z" />
        <path
          {...shape}
          fill="#ef4444"
          d="M50 9c27 0 44 20 44 42 0 7-20 9-44 9S6 58 6 51C6 29 23 9 50 9Z"
        />
        <circle cx="31" cy="37" r="8" fill="#fffdf8" />
        <circle cx="56" cy="26" r="7" fill="#fffdf8" />
        <circle cx="74" cy="43" r="6.500" fill="#fffdf8" />
      </>
    ),
  },
  {
    name: "Fish",
    drawing: (
      <>
        <path
          {...shape}
          fill="#14b8a6"
          d="M4 52C16 29 34 20 50 20c14 0 24 8 31 18l15-14v56L81 66c-7 10-17 18-31 18-16 0-34-9-46-32Z"
        />
        <circle cx="27" cy="46" r="6" fill={INK} />
        <path {...line} d="M43 34c8 11 8 25 0 36M58 42c3 6 3 14 0 20" />
      </>
    ),
  },
  {
    name: "Kite",
    drawing: (
      <>
        <path {...line} d="M50 70c-12 8 12 12 0 24" />
        <path {...shape} fill="#7c4fb0" d="M50 4 84 36 50 74 16 36Z" />
        <path fill="#b79ae0" d="M50 6v29H18z" />
        <path {...line} d="M50 6v66M18 36h64" />
      </>
    ),
  },
  {
    name: "Boat",
    drawing: (
      <>
        <path {...shape} fill="#fffdf8" d="M54 8c20 14 30 32 32 54H54Z" />
        <path {...shape} fill="#ff8f86" d="M46 22C36 34 28 48 26 62h20Z" />
        <path {...shape} fill="#6b4226" d="M8 68h84c-4 14-13 22-24 22H32C21 90 12 82 8 68Z" />
      </>
    ),
  },
  {
    name: "Cherries",
    drawing: (
      <>
        <path
          {...line}
          strokeWidth="5"
          stroke="#12823d"
          d="M31 62C33 40 44 22 64 12c4 18 6 34 6 50"
        />
        <path {...shape} fill="#22c55e" d="M64 12c14-8 26-2 28 8-12 6-22 4-28-8Z" />
        <circle {...shape} cx="29" cy="73" r="19" fill="#b01f24" />
        <circle {...shape} cx="71" cy="75" r="19" fill="#d92c3a" />
        <circle cx="23" cy="67" r="5" fill="#ffb3ad" />
        <circle cx="65" cy="69" r="5" fill="#ffb3ad" />
      </>
    ),
  },
  {
    name: "Crown",
    drawing: (
      <>
        <path {...shape} fill="#f3d488" d="M8 26l20 20L50 12l22 34 20-20-8 50H16Z" />
        <path {...shape} fill="#c9962f" d="M16 76h68v14H16z" />
        <circle cx="50" cy="60" r="6.500" fill="#ef4444" />
        <circle cx="29" cy="63" r="4.500" fill="#2563eb" />
        <circle cx="71" cy="63" r="4.500" fill="#2563eb" />
      </>
    ),
  },
  {
    name: "Umbrella",
    drawing: (
      <>
        <path {...line} strokeWidth="6" d="M50 20v60c0 14 18 14 18 1" />
        <path
          {...shape}
          fill="#2563eb"
          d="M50 12c26 0 43 17 45 42-8-6-14-6-20 0-7-7-17-7-25 0-8-7-18-7-25 0-6-6-12-6-20 0 2-25 19-42 45-42Z"
        />
        <path {...line} d="M50 12v-6M25 54c2-20 10-34 25-42M75 54c-2-20-10-34-25-42" />
      </>
    ),
  },
  {
    name: "Balloon",
    drawing: (
      <>
        <path
          {...shape}
          fill="#ff9f43"
          d="M50 5c20 0 34 15 34 33 0 17-15 30-34 30S16 55 16 38C16 20 30 5 50 5Z"
        />
        <path fill="#ffd9a8" d="M50 7c-8 8-12 18-12 30s4 22 12 29c8-7 12-17 12-29S58 15 50 7Z" />
        <path {...shape} fill="#99673f" d="M40 82h20v12H40z" />
        <path {...line} d="m34 66 6 16M66 66l-6 16" />
      </>
    ),
  },
];

const PLAIN_FROM = powerSymbols.length;

/** Boards with more pairs than symbols use them again, with a number printed beside. */
function symbolOf(pairId: number): { symbol: Symbol; edition: number } {
  const power = powerSymbols[pairId];
  if (power) return { symbol: power, edition: 1 };
  const plain = pairId - PLAIN_FROM;
  const symbol = plainSymbols[plain % plainSymbols.length] as Symbol;
  return { symbol, edition: 1 + Math.floor(plain / plainSymbols.length) };
}

export const isPower = (pairId: number): boolean => pairId < PLAIN_FROM;

export function symbolName(pairId: number): string {
  const { symbol, edition } = symbolOf(pairId);
  return edition === 1 ? symbol.name : `${symbol.name} ${edition}`;
}

export function CardSymbol({ pairId, className }: { pairId: number; className?: string }) {
  const { symbol, edition } = symbolOf(pairId);
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" className={className}>
      {symbol.drawing}
      {edition > 1 && (
        <>
          <circle {...shape} cx="84" cy="84" r="14" fill="#fffdf8" />
          <text
            x="84"
            y="84"
            dy=".36em"
            textAnchor="middle"
            fontFamily="var(--font-display)"
            fontWeight="600"
            fontSize="20"
            fill={INK}
          >
            {edition}
          </text>
        </>
      )}
    </svg>
  );
}
