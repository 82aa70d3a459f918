// The blue grid itself: a glossy plate with 42 round holes on two feet. What is behind shows through.
import { memo } from "react";
import { COLUMNS, ROWS } from "./sides";

/** In hundredths of a cell. The head is where the chip in hand looks out above the plate. */
export const SHAPE = {
  side: 34,
  head: 78,
  rim: 26,
  base: 38,
  feet: 34,
  hole: 41,
};

const CELL = 100;
export const WIDTH = COLUMNS * CELL + 2 * SHAPE.side;
export const HEIGHT = SHAPE.head + SHAPE.rim + ROWS * CELL + SHAPE.base + SHAPE.feet;

const left = -SHAPE.side;
const top = -SHAPE.rim;
const width = WIDTH;
const height = SHAPE.rim + ROWS * CELL + SHAPE.base;

const centres = Array.from({ length: ROWS * COLUMNS }, (_, cell) => ({
  x: (cell % COLUMNS) * CELL + CELL / 2,
  y: Math.floor(cell / COLUMNS) * CELL + CELL / 2,
}));

function plate(): string {
  const r = 40;
  const body =
    `M${left + r} ${top}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}` +
    `a${r} ${r} 0 0 1 ${-r} ${r}h${-(width - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-(height - 2 * r)}` +
    `a${r} ${r} 0 0 1 ${r} ${-r}Z`;
  const h = SHAPE.hole;
  const holes = centres.map(
    ({ x, y }) => `M${x - h} ${y}a${h} ${h} 0 1 0 ${2 * h} 0a${h} ${h} 0 1 0 ${-2 * h} 0Z`,
  );
  return body + holes.join("");
}

const OUTLINE = plate();

export const Plate = memo(function Plate() {
  const bottom = top + height;
  return (
    <svg
      aria-hidden="true"
      viewBox={`${left} ${-SHAPE.head - SHAPE.rim} ${WIDTH} ${HEIGHT}`}
      className="pointer-events-none absolute inset-0 size-full"
    >
      <defs>
        <linearGradient
          id="plate-face"
          gradientUnits="userSpaceOnUse"
          x1="0"
          y1={top}
          x2="420"
          y2={bottom}
        >
          <stop offset="0" stopColor="#5288ff" />
          <stop offset=".3" stopColor="#2f6bf0" />
          <stop offset=".7" stopColor="#2460e6" />
          <stop offset="1" stopColor="#1a4cc4" />
        </linearGradient>
        <linearGradient id="plate-wall" x1=".15" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#0d2b78" />
          <stop offset=".5" stopColor="#1d4fc9" />
          <stop offset="1" stopColor="#a9c6ff" />
        </linearGradient>
        <linearGradient id="plate-collar" x1=".15" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#8fb3ff" stopOpacity=".95" />
          <stop offset=".5" stopColor="#3f78f5" stopOpacity=".25" />
          <stop offset="1" stopColor="#123a9c" stopOpacity=".9" />
        </linearGradient>
        <radialGradient id="plate-depth" cx=".58" cy=".62" r=".6">
          <stop offset=".72" stopColor="#0a1540" stopOpacity="0" />
          <stop offset="1" stopColor="#0a1540" stopOpacity=".5" />
        </radialGradient>
        <linearGradient id="plate-gloss" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#fff" stopOpacity=".34" />
          <stop offset=".6" stopColor="#fff" stopOpacity=".06" />
        </linearGradient>
        <linearGradient id="plate-foot" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#1b4cc0" />
          <stop offset="1" stopColor="#12348a" />
        </linearGradient>
      </defs>
      {/* The lip below and to the right, then the face on top of it. */}
      <path d={OUTLINE} transform="translate(0 11)" fill="#12348c" fillRule="evenodd" />
      {centres.map(({ x, y }) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r={SHAPE.hole + 1} fill="url(#plate-depth)" />
      ))}
      <path d={OUTLINE} fill="url(#plate-face)" fillRule="evenodd" />
      {centres.map(({ x, y }) => (
        <g key={`${x}-${y}`} fill="none">
          <circle
            cx={x}
            cy={y}
            r={SHAPE.hole + 4.5}
            stroke="url(#plate-collar)"
            strokeWidth="2.500"
          />
          <circle cx={x} cy={y} r={SHAPE.hole + 0.5} stroke="url(#plate-wall)" strokeWidth="5" />
        </g>
      ))}
      <path
        d={`M${left + 5} ${top + 52}v-12a36 36 0 0 1 36-36h${width - 96}`}
        fill="none"
        stroke="#cfe0ff"
        strokeOpacity=".85"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d={`M${left + width - 4} ${top + 60}v${height - 100}a36 36 0 0 1-36 36h-${width - 110}`}
        fill="none"
        stroke="#0d2f86"
        strokeOpacity=".55"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </svg>
  );
});

/** Behind the chips: the feet and the shadow on the shelf. */
export const PlateBack = memo(function PlateBack() {
  const bottom = top + height;
  return (
    <svg
      aria-hidden="true"
      viewBox={`${left} ${-SHAPE.head - SHAPE.rim} ${WIDTH} ${HEIGHT}`}
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <defs>
        <radialGradient id="plate-shadow">
          <stop offset="0" stopColor="rgb(var(--shadow-color))" stopOpacity=".55" />
          <stop offset="1" stopColor="rgb(var(--shadow-color))" stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse
        cx={left + width / 2 + 14}
        cy={bottom + SHAPE.feet - 6}
        rx={width / 2 + 16}
        ry="24"
        fill="url(#plate-shadow)"
      />
      {[left + 22, left + width - 22 - 150].map((x) => (
        <g key={x}>
          <rect x={x} y={bottom - 24} width="150" height={SHAPE.feet + 20} rx="18" fill="#0f2f80" />
          <rect x={x} y={bottom - 26} width="150" height={SHAPE.feet + 15} rx="18" fill="#1c4fc6" />
          <path
            d={`M${x + 14} ${bottom + 10}h122`}
            stroke="#5c8cff"
            strokeWidth="3"
            strokeLinecap="round"
            opacity=".7"
          />
        </g>
      ))}
    </svg>
  );
});
