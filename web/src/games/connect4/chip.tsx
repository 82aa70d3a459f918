// The chips: moulded rim, and a pattern of their own (rings, a star), so that colour is never needed.
import { clsx } from "clsx";
import type { Side } from "./sides";

const tones = {
  red: { light: "#ff8d80", face: "#ef4444", deep: "#c42730", dark: "#8f141d" },
  yellow: { light: "#ffe98a", face: "#f3bf1b", deep: "#cf9303", dark: "#8a5f00" },
};

/** The paints all chips share; stands once on a page that shows any. */
export function ChipPaints() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        {(["red", "yellow"] as const).map((side) => (
          <g key={side}>
            <linearGradient id={`chip-${side}-rim`} x1=".1" y1="0" x2=".8" y2="1">
              <stop offset="0" stopColor={tones[side].light} />
              <stop offset=".42" stopColor={tones[side].face} />
              <stop offset="1" stopColor={tones[side].deep} />
            </linearGradient>
            {/* The middle is pressed in, so its light lies the other way round. */}
            <linearGradient id={`chip-${side}-dish`} x1=".1" y1="0" x2=".8" y2="1">
              <stop offset="0" stopColor={tones[side].deep} />
              <stop offset=".5" stopColor={tones[side].face} />
              <stop offset="1" stopColor={tones[side].light} />
            </linearGradient>
          </g>
        ))}
      </defs>
    </svg>
  );
}

const STAR =
  "M50 24.500 57.600 40.600 75.300 42.800 62.300 54.900 65.700 72.400 50 63.800 34.300 72.400 37.700 54.900 24.700 42.800 42.400 40.600Z";

export function Chip({ side, className }: { side: Side; className?: string | undefined }) {
  const { light, dark } = tones[side];
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" className={clsx("block", className)}>
      <circle cx="50" cy="50" r="47" fill={dark} />
      <circle cx="50" cy="50" r="46" fill={`url(#chip-${side}-rim)`} />
      <circle
        cx="50"
        cy="50"
        r="39.500"
        fill="none"
        stroke={dark}
        strokeOpacity=".5"
        strokeWidth="5"
        strokeDasharray="3.470 3.425"
      />
      <circle cx="50" cy="50" r="35.500" fill={`url(#chip-${side}-dish)`} />
      <circle cx="50" cy="50" r="33" fill={`url(#chip-${side}-rim)`} />
      {side === "red" ? (
        <g fill="none" strokeWidth="5.500">
          <circle cx="50.800" cy="51.200" r="22" stroke={dark} strokeOpacity=".75" />
          <circle cx="50" cy="50" r="22" stroke={light} />
          <circle cx="50.800" cy="51.200" r="8.500" stroke={dark} strokeOpacity=".75" />
          <circle cx="50" cy="50" r="8.500" stroke={light} />
        </g>
      ) : (
        <g strokeLinejoin="round" strokeWidth="2.500">
          <path d={STAR} transform="translate(1 1.600)" fill={dark} stroke={dark} opacity=".75" />
          <path d={STAR} fill={light} stroke={light} />
        </g>
      )}
      <path
        d="M14 38A38 38 0 0 1 40 12.500"
        fill="none"
        stroke="#fff"
        strokeOpacity=".75"
        strokeWidth="3.500"
        strokeLinecap="round"
      />
    </svg>
  );
}
