// The sixteen pieces, turned and sawn from two woods, seen from above at an angle, lit from the upper left.
// Every trait has a shape of its own: height, outline, a drilled top, and the wood's band (inlaid or burnt).
import { clsx } from "clsx";
import { type Traits, traitsOf } from "./traits";

type Wood = "walnut" | "maple";

interface Tones {
  light: string;
  face: string;
  deep: string;
  dark: string;
}

const tones: Record<Wood, Tones> = {
  walnut: { light: "#b07a4e", face: "#7a4a2a", deep: "#4f2c17", dark: "#2b160a" },
  maple: { light: "#fff0d0", face: "#f0cf98", deep: "#c99b5d", dark: "#8b6230" },
};

/** How much of a circle's depth is seen from where one sits. */
export const TILT = 0.82;
const HEIGHT = { tall: 60, short: 27 };
const FOOT = 6;
const ROUND = { foot: 30, body: 26.5 };
const SQUARE = { foot: 35, body: 31.5 };
const HOLE = 13.5;

/** The box every piece stands in, its base in the middle of a place that is 100 wide. */
export const PIECE_BOX = { left: -36, top: -88, width: 72, height: 118 };
const VIEW_BOX = Object.values(PIECE_BOX).join(" ");

const flat = (radius: number): number => radius * TILT;

/** The paints all pieces share; stands once on a page that shows any. */
export function PiecePaints() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        {(["walnut", "maple"] as const).map((wood) => (
          <Paints key={wood} wood={wood} {...tones[wood]} />
        ))}
        <radialGradient id="q-shadow">
          <stop offset=".45" stopColor="#1b0c03" stopOpacity=".55" />
          <stop offset="1" stopColor="#1b0c03" stopOpacity="0" />
        </radialGradient>
      </defs>
    </svg>
  );
}

function Paints({ wood, light, face, deep, dark }: { wood: Wood } & Tones) {
  return (
    <>
      <linearGradient id={`q-${wood}-round`}>
        <stop offset="0" stopColor={deep} />
        <stop offset=".12" stopColor={face} />
        <stop offset=".32" stopColor={light} />
        <stop offset=".55" stopColor={face} />
        <stop offset=".88" stopColor={deep} />
        <stop offset="1" stopColor={dark} />
      </linearGradient>
      <linearGradient id={`q-${wood}-left`} x1="0" y1="0" x2="1" y2=".4">
        <stop offset="0" stopColor={light} />
        <stop offset=".7" stopColor={face} />
      </linearGradient>
      <linearGradient id={`q-${wood}-right`} x1="0" y1="0" x2="1" y2=".2">
        <stop offset="0" stopColor={deep} />
        <stop offset="1" stopColor={dark} />
      </linearGradient>
      <linearGradient id={`q-${wood}-top`} x1=".1" y1="0" x2=".85" y2="1">
        <stop offset="0" stopColor={light} />
        <stop offset="1" stopColor={face} />
      </linearGradient>
      <linearGradient id={`q-${wood}-hole`} x1=".15" y1="0" x2=".8" y2="1">
        <stop offset="0" stopColor="#140903" />
        <stop offset=".5" stopColor={dark} />
        <stop offset="1" stopColor={face} />
      </linearGradient>
    </>
  );
}

export function Piece({ piece, className }: { piece: number; className?: string }) {
  const traits = traitsOf(piece);
  const Shape = traits.square ? Sawn : Turned;
  return (
    <svg
      aria-hidden="true"
      viewBox={VIEW_BOX}
      data-piece={piece}
      className={clsx("block overflow-visible", className)}
    >
      <ellipse cx="6" cy="6" rx="38" ry="27" fill="url(#q-shadow)" />
      <Shape {...traits} />
    </svg>
  );
}

const woodOf = ({ dark }: Traits): Wood => (dark ? "walnut" : "maple");
const heightOf = ({ tall }: Traits): number => (tall ? HEIGHT.tall : HEIGHT.short);

/** The front of an upright cylinder between two heights. */
const wall = (radius: number, from: number, to: number): string =>
  `M${-radius} ${-to}V${-from}a${radius} ${flat(radius)} 0 0 0 ${2 * radius} 0V${-to}Z`;
const arc = (radius: number, at: number): string =>
  `M${-radius} ${-at}a${radius} ${flat(radius)} 0 0 0 ${2 * radius} 0`;

/** What goes around the front of a cylinder between two heights. */
const ring = (radius: number, from: number, to: number): string =>
  `${arc(radius, to)}V${-from}a${radius} ${flat(radius)} 0 0 1 ${-2 * radius} 0Z`;

function Turned(traits: Traits) {
  const wood = woodOf(traits);
  const { light, deep, dark } = tones[wood];
  const height = heightOf(traits);
  const { foot, body } = ROUND;
  return (
    <g>
      <path d={wall(foot, 0, FOOT)} fill={`url(#q-${wood}-round)`} />
      <ellipse cy={-FOOT} rx={foot} ry={flat(foot)} fill={deep} />
      <path d={arc(foot, FOOT)} fill="none" stroke={light} strokeOpacity=".8" strokeWidth="1.200" />
      <path d={wall(body, FOOT + 1.5, height)} fill={`url(#q-${wood}-round)`} />
      <path d={arc(body, FOOT + 2)} fill="none" stroke={dark} strokeOpacity=".7" strokeWidth="2" />
      <Band wood={wood} around={(from, to) => ring(body, from, to)} height={height} />
      <ellipse cy={-height} rx={body} ry={flat(body)} fill={light} />
      <ellipse
        cy={-height + 0.8}
        rx={body - 1.8}
        ry={flat(body) - 1.6}
        fill={`url(#q-${wood}-top)`}
      />
      <Top wood={wood} height={height} hollow={traits.hollow} />
    </g>
  );
}

/** The two faces of an upright square beam that one sees, and its top. */
const leftFace = (reach: number, from: number, to: number): string =>
  `M${-reach} ${-to}V${-from}L0 ${flat(reach) - from}V${flat(reach) - to}Z`;
const rightFace = (reach: number, from: number, to: number): string =>
  `M${reach} ${-to}V${-from}L0 ${flat(reach) - from}V${flat(reach) - to}Z`;
const diamond = (reach: number, at: number): string =>
  `M0 ${-flat(reach) - at} ${reach} ${-at} 0 ${flat(reach) - at} ${-reach} ${-at}Z`;
const corner = (reach: number, at: number): string =>
  `M${-reach} ${-at}L0 ${flat(reach) - at} ${reach} ${-at}`;

/** What goes around the front of a beam between two heights. */
const strap = (reach: number, from: number, to: number): string =>
  `${corner(reach, to)}V${-from}L0 ${flat(reach) - from} ${-reach} ${-from}Z`;

function Sawn(traits: Traits) {
  const wood = woodOf(traits);
  const { light, face, deep, dark } = tones[wood];
  const height = heightOf(traits);
  const { foot, body } = SQUARE;
  return (
    <g strokeLinejoin="round">
      <path d={leftFace(foot, 0, FOOT)} fill={face} stroke={face} strokeWidth="1" />
      <path d={rightFace(foot, 0, FOOT)} fill={dark} stroke={dark} strokeWidth="1" />
      <path d={diamond(foot, FOOT)} fill={deep} stroke={deep} strokeWidth="1" />
      <path d={corner(foot, FOOT)} fill="none" stroke={light} strokeOpacity=".8" />
      <path d={leftFace(body, FOOT, height)} fill={`url(#q-${wood}-left)`} />
      <path d={rightFace(body, FOOT, height)} fill={`url(#q-${wood}-right)`} />
      <path d={corner(body, FOOT + 1)} fill="none" stroke={dark} strokeOpacity=".6" />
      <Band wood={wood} around={(from, to) => strap(body, from, to)} height={height} />
      <path
        d={`M0 ${flat(body) - FOOT}V${flat(body) - height}`}
        stroke={light}
        strokeOpacity=".55"
        strokeWidth="1.300"
      />
      <path d={diamond(body, height)} fill={light} stroke={light} strokeWidth="1.600" />
      <path d={diamond(body - 2, height)} fill={`url(#q-${wood}-top)`} />
      <Top wood={wood} height={height} hollow={traits.hollow} />
    </g>
  );
}

interface BandProps {
  wood: Wood;
  around: (from: number, to: number) => string;
  height: number;
}

/** Walnut has a band of maple let in, maple two burnt lines: so the woods differ without colour. */
function Band({ wood, around, height }: BandProps) {
  const at = height - 9;
  if (wood === "walnut") {
    return (
      <g>
        <path d={around(at - 3, at + 3)} fill={tones.walnut.dark} />
        <path d={around(at - 2, at + 2)} fill={tones.maple.face} />
      </g>
    );
  }
  return (
    <g fill={tones.maple.dark} fillOpacity=".9">
      <path d={around(at + 1, at + 2.3)} />
      <path d={around(at - 2.3, at - 1)} />
    </g>
  );
}

interface TopProps {
  wood: Wood;
  height: number;
  hollow: boolean;
}

/** A drilled hole with its lit far wall, or the rings of the tree. */
function Top({ wood, height, hollow }: TopProps) {
  const { light, deep } = tones[wood];
  if (!hollow) {
    return (
      <g fill="none" stroke={deep} strokeWidth="1.100" strokeOpacity=".5">
        <ellipse cx="-2" cy={-height - 1} rx="4" ry={flat(4)} />
        <ellipse cx="-1.500" cy={-height - 0.5} rx="9.500" ry={flat(9.5)} />
        <ellipse cx="-1" cy={-height} rx="15.500" ry={flat(15.5)} strokeOpacity=".38" />
      </g>
    );
  }
  return (
    <g>
      <ellipse cy={-height} rx={HOLE + 1.8} ry={flat(HOLE + 1.8)} fill={light} />
      <ellipse cy={-height} rx={HOLE} ry={flat(HOLE)} fill={`url(#q-${wood}-hole)`} />
      <ellipse cx="-1.500" cy={-height - 3.5} rx={HOLE - 3} ry={flat(HOLE) - 4} fill="#120802" />
    </g>
  );
}
