// The board: a plank of walnut with sixteen turned places and an inlay of maple.
import { TILT } from "./piece";

const SIDE = 46;
const PLACE = 227;
const ROW = PLACE * TILT;
/** Above the board, where the pieces of the last row reach. */
const HEAD = 54;
const THICK = 36;

export const WIDTH = 2 * SIDE + 4 * PLACE;
const DEEP = 2 * SIDE + 4 * ROW;
export const HEIGHT = HEAD + DEEP + THICK;
/** Where the four by four places are within the picture. */
export const PLACES = { left: SIDE, top: HEAD + SIDE, width: 4 * PLACE, height: 4 * ROW };

const FOUR = [0, 1, 2, 3];
export const center = (position: number) => ({
  x: PLACES.left + ((position % 4) + 0.5) * PLACE,
  y: PLACES.top + (Math.floor(position / 4) + 0.5) * ROW,
});

/** Long lines that run together and apart, as they do around a knot; always the same ones. */
const GRAIN = Array.from({ length: 30 }, (_, line) => {
  const y = HEAD + 6 + (line * (DEEP - 12)) / 29;
  const bend = (x: number): number =>
    8 * Math.sin(line * 0.55 + x / 170) + 5 * Math.sin(line * 1.9 + x / 71);
  const steps = Array.from({ length: 11 }, (_, step) => {
    const x = 4 + (step * (WIDTH - 8)) / 10;
    return `${x.toFixed(0)} ${(y + bend(x)).toFixed(1)}`;
  });
  return { d: `M${steps.join("L")}`, width: 1 + ((line * 7) % 5) * 0.7 };
});

export function Wood() {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <defs>
        <linearGradient id="q-plank" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#b98250" />
          <stop offset=".5" stopColor="#9a6639" />
          <stop offset="1" stopColor="#7c4e2a" />
        </linearGradient>
        <linearGradient id="q-edge" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#6a4022" />
          <stop offset="1" stopColor="#3a200f" />
        </linearGradient>
        <linearGradient id="q-dish" x1=".15" y1="0" x2=".85" y2="1">
          <stop offset="0" stopColor="#5f3a1d" />
          <stop offset=".45" stopColor="#8a5a31" />
          <stop offset="1" stopColor="#a8733f" />
        </linearGradient>
        <clipPath id="q-face">
          <rect x="0" y={HEAD} width={WIDTH} height={DEEP} rx="40" />
        </clipPath>
      </defs>
      <rect
        x="10"
        y={HEAD + 34}
        width={WIDTH + 4}
        height={DEEP + 18}
        rx="44"
        fill="rgb(var(--shadow-color) / .35)"
        className="blur-md"
      />
      <rect x="0" y={HEAD + THICK} width={WIDTH} height={DEEP} rx="40" fill="url(#q-edge)" />
      <rect x="0" y={HEAD} width={WIDTH} height={DEEP} rx="40" fill="url(#q-plank)" />
      <g clipPath="url(#q-face)" fill="none" stroke="#4b2a12" strokeOpacity=".2">
        {GRAIN.map(({ d, width }) => (
          <path key={d} d={d} strokeWidth={width} strokeLinejoin="round" />
        ))}
      </g>
      <rect
        x="1.500"
        y={HEAD + 1.5}
        width={WIDTH - 3}
        height={DEEP - 3}
        rx="38.500"
        fill="none"
        stroke="#ffe2b0"
        strokeOpacity=".5"
        strokeWidth="3"
      />
      <Inlay />
      {FOUR.flatMap((row) =>
        FOUR.map((column) => <Dish key={`${row}-${column}`} position={4 * row + column} />),
      )}
    </svg>
  );
}

function Inlay() {
  const line = { x: 21, y: HEAD + 21, width: WIDTH - 42, height: DEEP - 42, rx: 26, fill: "none" };
  return (
    <g>
      <rect {...line} stroke="#3a200f" strokeOpacity=".8" strokeWidth="9" />
      <rect {...line} stroke="#f2d29c" strokeWidth="5.500" />
    </g>
  );
}

function Dish({ position }: { position: number }) {
  const { x, y } = center(position);
  const rx = 0.44 * PLACE;
  const ry = rx * TILT;
  return (
    <g>
      <ellipse
        cx={x + 1.5}
        cy={y + 2.5}
        rx={rx}
        ry={ry}
        fill="none"
        stroke="#ffdfae"
        strokeOpacity=".55"
        strokeWidth="3"
      />
      <ellipse cx={x} cy={y} rx={rx} ry={ry} fill="#3f2410" />
      <ellipse cx={x} cy={y + 2.5} rx={rx - 3} ry={ry - 3.5} fill="url(#q-dish)" />
      <ellipse
        cx={x}
        cy={y + 2}
        rx={rx * 0.72}
        ry={ry * 0.72}
        fill="none"
        stroke="#3f2410"
        strokeOpacity=".35"
        strokeWidth="2.500"
      />
    </g>
  );
}
