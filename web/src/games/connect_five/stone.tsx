// Glass stones: sapphire with a ring inside, amber with a star, so that colour is never needed.
import { clsx } from "clsx";
import type { Side } from "./match";

const tones = {
  sapphire: { lit: "#9cc0ff", body: "#2f63e0", deep: "#12307f", edge: "#071640" },
  amber: { lit: "#fff4c4", body: "#f6bd3a", deep: "#c07a08", edge: "#6d3f02" },
} as const;

const STAR =
  "M0-7.800 1.900-2.500 7.400-2.400 3 1 4.600 6.300 0 3.200-4.600 6.300-3 1-7.400-2.400-1.900-2.500Z";

/** The paints and bodies all stones share; stands once on a page that shows any. */
export function StonePaints() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        {(["sapphire", "amber"] as const).map((side) => (
          <g key={side}>
            <radialGradient id={`c5-${side}`} cx=".36" cy=".3" r=".82">
              <stop offset="0" stopColor={tones[side].lit} />
              <stop offset=".38" stopColor={tones[side].body} />
              <stop offset=".82" stopColor={tones[side].deep} />
              <stop offset="1" stopColor={tones[side].edge} />
            </radialGradient>
            {/* Light that went through the glass and comes out below. */}
            <radialGradient id={`c5-${side}-through`} cx=".68" cy=".76" r=".42">
              <stop offset="0" stopColor={tones[side].lit} stopOpacity=".75" />
              <stop offset="1" stopColor={tones[side].lit} stopOpacity="0" />
            </radialGradient>
          </g>
        ))}
        <radialGradient id="c5-shadow">
          <stop offset=".55" stopColor="#03180c" stopOpacity=".62" />
          <stop offset="1" stopColor="#03180c" stopOpacity="0" />
        </radialGradient>
      </defs>
    </svg>
  );
}

/** Drawn around (0, 0), 17 in radius; a cell of the board is 40 wide. */
export function StoneShape({ side }: { side: Side }) {
  return (
    <>
      <ellipse cx="3" cy="5" rx="19.500" ry="18.500" fill="url(#c5-shadow)" />
      <circle r="17" fill={`url(#c5-${side})`} />
      <circle r="17" fill={`url(#c5-${side}-through)`} />
      {side === "sapphire" ? (
        <circle r="6.500" fill="none" stroke="#fff" strokeOpacity=".9" strokeWidth="2.600" />
      ) : (
        <path d={STAR} fill="#3d2300" fillOpacity=".82" />
      )}
      <ellipse
        cx="-5.600"
        cy="-8.600"
        rx="6.200"
        ry="3.600"
        fill="#fff"
        fillOpacity=".86"
        transform="rotate(-34 -5.600 -8.600)"
      />
      <path
        d="M-4 14.300a14.800 14.800 0 0 0 18.200-11.500"
        fill="none"
        stroke="#fff"
        strokeOpacity=".5"
        strokeWidth="1.800"
        strokeLinecap="round"
      />
    </>
  );
}

export function Stone({ side, className }: { side: Side; className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="-20 -20 42 42"
      className={clsx("block overflow-visible", className)}
    >
      <StoneShape side={side} />
    </svg>
  );
}
