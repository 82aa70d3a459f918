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
  hole: 42,
  corner: 40,
  lip: 11,
};

const CELL = 100;
export const WIDTH = COLUMNS * CELL + 2 * SHAPE.side;
export const HEIGHT = SHAPE.head + SHAPE.rim + ROWS * CELL + SHAPE.base + SHAPE.feet;
export const VIEW_BOX = `${-SHAPE.side} ${-SHAPE.head - SHAPE.rim} ${WIDTH} ${HEIGHT}`;

const left = -SHAPE.side;
const top = -SHAPE.rim;
const height = SHAPE.rim + ROWS * CELL + SHAPE.base;

const centres = Array.from({ length: ROWS * COLUMNS }, (_, cell) => ({
  x: (cell % COLUMNS) * CELL + CELL / 2,
  y: Math.floor(cell / COLUMNS) * CELL + CELL / 2,
}));

/** The plate's outline, `inset` from its edge and `down` by so much. */
function body(inset: number, down: number): string {
  const r = SHAPE.corner - inset;
  const across = WIDTH - 2 * inset - 2 * r;
  const along = height - 2 * inset - 2 * r;
  return (
    `M${left + inset + r} ${top + inset + down}h${across}a${r} ${r} 0 0 1 ${r} ${r}v${along}` +
    `a${r} ${r} 0 0 1 ${-r} ${r}h${-across}a${r} ${r} 0 0 1 ${-r} ${-r}v${-along}` +
    `a${r} ${r} 0 0 1 ${r} ${-r}Z`
  );
}

function holes(of: typeof centres, down: number): string {
  const r = SHAPE.hole;
  return of
    .map(
      ({ x, y }) => `M${x - r} ${y + down}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
    )
    .join("");
}

const FACE = body(0, 0) + holes(centres, 0);
// Seen through the holes the plate is thinner than its outer lip, or it would hide the chips.
const LIP = body(0, SHAPE.lip) + holes(centres, 4);

/** One column of the plate, with its holes, to be lit when it is aimed at. */
export function columnOf(column: number): string {
  const x = column * CELL;
  const path = `M${x + 26} -12h48a24 24 0 0 1 24 24v576a24 24 0 0 1 -24 24h-48a24 24 0 0 1 -24 -24v-576a24 24 0 0 1 24 -24Z`;
  return (
    path +
    holes(
      centres.filter((centre) => centre.x === x + CELL / 2),
      0,
    )
  );
}

export const Plate = memo(function Plate() {
  const bottom = top + height;
  return (
    <svg
      aria-hidden="true"
      viewBox={VIEW_BOX}
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
          <stop offset="0" stopColor="#5a8fff" />
          <stop offset=".28" stopColor="#3270f4" />
          <stop offset=".65" stopColor="#2563eb" />
          <stop offset="1" stopColor="#1b4fc8" />
        </linearGradient>
        <linearGradient id="plate-edge" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#d8e6ff" />
          <stop offset=".4" stopColor="#8fb3ff" stopOpacity=".45" />
          <stop offset=".62" stopColor="#0f3390" stopOpacity=".2" />
          <stop offset="1" stopColor="#0c2b7c" stopOpacity=".75" />
        </linearGradient>
        <linearGradient id="plate-wall" x1=".15" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#0f308a" />
          <stop offset=".5" stopColor="#1d4fc9" />
          <stop offset="1" stopColor="#b4ceff" />
        </linearGradient>
        <linearGradient id="plate-collar" x1=".15" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#9dbdff" />
          <stop offset=".5" stopColor="#3f78f5" stopOpacity=".2" />
          <stop offset="1" stopColor="#123a9c" stopOpacity=".85" />
        </linearGradient>
        <radialGradient id="plate-depth" cx=".56" cy=".6" r=".58">
          <stop offset=".76" stopColor="#0a1540" stopOpacity="0" />
          <stop offset="1" stopColor="#0a1540" stopOpacity=".42" />
        </radialGradient>
      </defs>
      <path d={LIP} fill="#12348c" fillRule="evenodd" />
      {centres.map(({ x, y }) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r={SHAPE.hole + 1} fill="url(#plate-depth)" />
      ))}
      <path d={FACE} fill="url(#plate-face)" fillRule="evenodd" />
      {centres.map(({ x, y }) => (
        <g key={`${x}-${y}`} fill="none">
          <circle
            cx={x}
            cy={y}
            r={SHAPE.hole + 5.2}
            stroke="url(#plate-collar)"
            strokeWidth="2.4"
          />
          <circle cx={x} cy={y} r={SHAPE.hole + 1.6} stroke="url(#plate-wall)" strokeWidth="4" />
        </g>
      ))}
      <path d={body(3, 0)} fill="none" stroke="url(#plate-edge)" strokeWidth="4.500" />
    </svg>
  );
});

/** Behind the chips: the feet and the shadow on the shelf. */
export const PlateBack = memo(function PlateBack() {
  const bottom = top + height;
  return (
    <svg
      aria-hidden="true"
      viewBox={VIEW_BOX}
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <defs>
        <radialGradient id="plate-shadow">
          <stop offset="0" stopColor="rgb(var(--shadow-color))" stopOpacity=".55" />
          <stop offset="1" stopColor="rgb(var(--shadow-color))" stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse
        cx={left + WIDTH / 2 + 14}
        cy={bottom + SHAPE.feet - 6}
        rx={WIDTH / 2 + 16}
        ry="24"
        fill="url(#plate-shadow)"
      />
      {[left + 22, left + WIDTH - 22 - 150].map((x) => (
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
