// The table top: green felt in a walnut rim, with a fine grid and the names of its lines in brass.
import { LETTERS, SIZE } from "./places";

export const CELL = 40;
export const RIM = 22;
export const WHOLE = SIZE * CELL + 2 * RIM;

/** The middle of a column or row, in the drawing. */
export const middle = (index: number): number => RIM + index * CELL + CELL / 2;

const indices = Array.from({ length: SIZE }, (_, index) => index);
const FIRST = middle(0);
const LAST = middle(SIZE - 1);
const GRID = indices
  .map((at) => `M${middle(at)} ${FIRST}V${LAST}M${FIRST} ${middle(at)}H${LAST}`)
  .join("");
/** Five points to find one's way by. */
const STARS = [
  [3, 3],
  [10, 3],
  [3, 10],
  [10, 10],
] as const;

export function Felt() {
  return (
    <>
      <defs>
        <linearGradient id="c5-rim" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#9a683f" />
          <stop offset=".5" stopColor="#6b4226" />
          <stop offset="1" stopColor="#3f2413" />
        </linearGradient>
        <radialGradient id="c5-felt" cx=".3" cy=".22" r="1.050">
          <stop offset="0" stopColor="#2f9a65" />
          <stop offset=".5" stopColor="#1f7a4d" />
          <stop offset="1" stopColor="#115534" />
        </radialGradient>
        <pattern id="c5-fibres" width="23" height="19" patternUnits="userSpaceOnUse">
          <path
            d="M2 3l3 1M11 1l2 2M18 6l3-1M6 9l1 3M14 11l3 0M21 14l-2 2M4 16l3-1M11 17l1-2"
            stroke="#d6ffe8"
            strokeOpacity=".1"
            strokeLinecap="round"
          />
          <path
            d="M7 2l2-1M15 4l1 2M3 7l2 1M10 8l2 1M20 10l1 2M8 14l2 1M16 16l2 1"
            stroke="#04200f"
            strokeOpacity=".16"
            strokeLinecap="round"
          />
        </pattern>
      </defs>
      <rect width={WHOLE} height={WHOLE} rx="20" fill="url(#c5-rim)" />
      <rect
        x="1.500"
        y="1.500"
        width={WHOLE - 3}
        height={WHOLE - 3}
        rx="18.500"
        fill="none"
        stroke="#e0b487"
        strokeOpacity=".5"
        strokeWidth="2"
      />
      <rect
        x={RIM - 4}
        y={RIM - 4}
        width={WHOLE - 2 * RIM + 8}
        height={WHOLE - 2 * RIM + 8}
        rx="9"
        fill="#1a0d05"
      />
      <g>
        <rect
          x={RIM - 2}
          y={RIM - 2}
          width={WHOLE - 2 * RIM + 4}
          height={WHOLE - 2 * RIM + 4}
          rx="7"
          fill="url(#c5-felt)"
        />
        <rect
          x={RIM - 2}
          y={RIM - 2}
          width={WHOLE - 2 * RIM + 4}
          height={WHOLE - 2 * RIM + 4}
          rx="7"
          fill="url(#c5-fibres)"
        />
        {/* The rim throws its shadow from the upper left. */}
        <path
          d={`M${RIM} ${WHOLE - RIM}V${RIM}H${WHOLE - RIM}`}
          fill="none"
          stroke="#03180c"
          strokeOpacity=".38"
          strokeWidth="6"
        />
      </g>
      <path d={GRID} fill="none" stroke="#dcffec" strokeOpacity=".42" strokeWidth="1.200" />
      {STARS.map(([x, y]) => (
        <circle
          key={`${x}-${y}`}
          cx={middle(x)}
          cy={middle(y)}
          r="3.200"
          fill="#dcffec"
          fillOpacity=".6"
        />
      ))}
      <g
        fill="#f3d488"
        fontFamily="var(--font-display)"
        fontWeight="600"
        fontSize="12.500"
        textAnchor="middle"
      >
        {indices.map((at) => (
          <g key={at}>
            <text x={middle(at)} y={RIM - 8}>
              {LETTERS[at]}
            </text>
            <text x={RIM / 2 - 1} y={middle(at) + 4.5}>
              {at + 1}
            </text>
          </g>
        ))}
      </g>
    </>
  );
}
