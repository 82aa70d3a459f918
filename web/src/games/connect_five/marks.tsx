// What is drawn over the stones: the placement in hand, the last move, the winning five, and the bomb.
import type { CSSProperties } from "react";
import { middle } from "./felt";
import type { Side } from "./match";
import { footprint, type Place, placeName } from "./places";
import { StoneShape } from "./stone";
import type { MoveType } from "./wire";

const at = ({ x, y }: Place): string => `translate(${middle(x)} ${middle(y)})`;

interface PreviewProps {
  tool: MoveType;
  place: Place;
  fits: boolean;
  side: Side;
}

/** Green with a whole ring where it fits, red with a cross where it does not. */
export function Preview({ tool, place, fits, side }: PreviewProps) {
  const cells = footprint(tool, place);
  return (
    <g data-testid="preview" data-fits={fits}>
      {tool === "CROSS4" && (
        <circle
          transform={at(place)}
          r="4"
          fill={fits ? "#b9ffd4" : "#ffc2bd"}
          stroke="#04200f"
          strokeWidth="1.500"
        />
      )}
      {cells.map((cell) => (
        <g key={placeName(cell)} transform={at(cell)}>
          {fits && tool !== "BOMB" && (
            <g opacity=".62">
              <StoneShape side={side} />
            </g>
          )}
          {tool === "BOMB" && <Crosshair color={fits ? "#9dffc4" : "#ff9a92"} />}
          {tool !== "BOMB" && (
            <>
              <circle r="18" fill="none" stroke="#04200f" strokeOpacity=".55" strokeWidth="6" />
              <circle
                r="18"
                fill={fits ? "none" : "#e5303a"}
                fillOpacity=".3"
                stroke={fits ? "#6dff9f" : "#ff6f66"}
                strokeWidth="3.500"
                strokeDasharray={fits ? undefined : "5 4.400"}
              />
            </>
          )}
          {!fits && (
            <path d="M-7-7 7 7M7-7-7 7" stroke="#fff" strokeWidth="3.600" strokeLinecap="round" />
          )}
        </g>
      ))}
    </g>
  );
}

function Crosshair({ color }: { color: string }) {
  return (
    <g fill="none" strokeLinecap="round">
      <g stroke="#04200f" strokeOpacity=".6" strokeWidth="6.500">
        <circle r="17" />
        <path d="M0-22v9M0 22v-9M-22 0h9M22 0h-9" />
      </g>
      <g stroke={color} strokeWidth="3.200">
        <circle r="17" />
        <path d="M0-22v9M0 22v-9M-22 0h9M22 0h-9" />
      </g>
    </g>
  );
}

/** Where the last move was made: a white ring around each stone, or the scorch of a bomb. */
export function LastMove({ placed, removed }: { placed: Place[]; removed: Place[] }) {
  return (
    <>
      {placed.map((place) => (
        <circle
          key={placeName(place)}
          className="c5-last"
          transform={at(place)}
          r="18.600"
          fill="none"
          stroke="#fff"
          strokeWidth="2.400"
        />
      ))}
      {removed.map((place) => (
        <g key={placeName(place)} className="c5-last" transform={at(place)}>
          <circle r="13" fill="#04160c" fillOpacity=".55" />
          <path
            d="M-17-6-9-3M16-9 9-5M-6 17-4 10M12 13 7 8M2-18 1-10M-14 11-8 7"
            stroke="#04160c"
            strokeOpacity=".7"
            strokeWidth="2.500"
            strokeLinecap="round"
          />
          <path d="M-4-4 4 4M4-4-4 4" stroke="#fff" strokeWidth="2.200" strokeLinecap="round" />
        </g>
      ))}
    </>
  );
}

/** The five light up one after the other, and then stay lit. */
export function Winning({ places }: { places: Place[] }) {
  return places.map((place, index) => (
    <g key={placeName(place)} transform={at(place)} data-testid="winning-cell">
      <circle
        className="c5-glow"
        style={{ "--turn": index } as CSSProperties}
        r="18.500"
        fill="none"
        stroke="#fff1a8"
        strokeWidth="4"
      />
    </g>
  ));
}

const CRACKS = ["M-2-17 2-6-5 1 1 8-3 17", "M-17 2-8-1-5 1", "M16-5 7-3 2-6", "M12 12 6 6 1 8"];
/** Where each shard lies, and which way it goes. */
const SHARDS = [
  { d: "M-2-17 2-6-8-1-17 2A17 17 0 0 1-2-17Z", x: -30, y: -26, turn: -120 },
  { d: "M-2-17 2-6 7-3 16-5A17 17 0 0 0-2-17Z", x: 26, y: -34, turn: 90 },
  { d: "M16-5 7-3 6 6 12 12A17 17 0 0 0 16-5Z", x: 38, y: 4, turn: 150 },
  { d: "M12 12 6 6 1 8-3 17A17 17 0 0 0 12 12Z", x: 18, y: 34, turn: -80 },
  { d: "M-3 17 1 8-5 1-8-1-17 2A17 17 0 0 0-3 17Z", x: -32, y: 24, turn: 110 },
  { d: "M2-6 7-3 6 6 1 8-5 1Z", x: 4, y: -14, turn: 200 },
] as const;

/** The stone shakes, cracks run through it, and it flies apart. */
export function Shatter({ place, side }: { place: Place; side: Side }) {
  return (
    <g transform={at(place)} data-testid="shatter">
      <g className="c5-doomed">
        <StoneShape side={side} />
        {CRACKS.map((crack) => (
          <path
            key={crack}
            d={crack}
            className="c5-crack"
            pathLength="1"
            fill="none"
            stroke="#fff"
            strokeWidth="2"
            strokeLinejoin="round"
          />
        ))}
      </g>
      <circle className="c5-flash" r="20" fill="#ffe9a3" />
      {SHARDS.map(({ d, x, y, turn }) => (
        <path
          key={d}
          d={d}
          className="c5-shard"
          style={{ "--to": `${x}px, ${y}px`, "--turn": `${turn}deg` } as CSSProperties}
          fill={`url(#c5-${side})`}
          stroke="#fff"
          strokeOpacity=".6"
        />
      ))}
    </g>
  );
}
