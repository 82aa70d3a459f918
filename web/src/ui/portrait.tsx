// An opponent's portrait: a peg doll of turned wood and paint, lit from the upper left.
import { clsx } from "clsx";
import type { ReactNode } from "react";
import {
  type Coat,
  type Extra,
  type Eyes,
  type Face,
  faceOf,
  type Hair,
  type Mouth,
  type Paint,
} from "./face";

interface Tones {
  face: string;
  light: string;
  dark: string;
}

const PAINTS: Record<Paint, Tones> = {
  red: { face: "#e24a45", light: "#ff8f86", dark: "#a62329" },
  blue: { face: "#3f74e6", light: "#86aefb", dark: "#1f479f" },
  yellow: { face: "#f0bf33", light: "#ffe28a", dark: "#ad7d0c" },
  green: { face: "#4cc177", light: "#97eab4", dark: "#1f7f45" },
  walnut: { face: "#7b4d2e", light: "#ab7a51", dark: "#4b2b17" },
  ink: { face: "#333b63", light: "#626c9e", dark: "#181c36" },
  cream: { face: "#f6e7c8", light: "#fffaf0", dark: "#d3b987" },
  felt: { face: "#27855a", light: "#4fb184", dark: "#145237" },
  plum: { face: "#8a4a86", light: "#bb82b6", dark: "#572a57" },
};

const WOODS: readonly Tones[] = [
  { face: "#f3d3a2", light: "#ffe9c6", dark: "#cf9f63" },
  { face: "#e2b47c", light: "#f6d5a8", dark: "#b5814a" },
  { face: "#bd8250", light: "#dda877", dark: "#8a5529" },
  { face: "#9a633d", light: "#c08c62", dark: "#643a1f" },
];

const LINE = "#2a1a10";

interface PortraitProps {
  /** What it is called. */
  of: string;
  className?: string;
}

export function Portrait({ of, className }: PortraitProps) {
  const face = faceOf(of);
  const ground = PAINTS[face.ground];
  const wood = WOODS[face.wood] as Tones;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 96 96"
      className={clsx("rounded-[19%]", className)}
      data-portrait={of}
    >
      <rect width="96" height="96" fill={ground.face} />
      <circle cx="22" cy="16" r="58" fill={ground.light} fillOpacity=".55" />
      <path d="M0 96V80C30 72 66 72 96 80V96Z" fill={ground.dark} fillOpacity=".55" />
      <ellipse cx="53" cy="92" rx="40" ry="9" fill="#000" fillOpacity=".22" />
      <Behind hair={face.hair} paint={PAINTS[face.hairPaint]} />
      <Body coat={face.coat} paint={PAINTS[face.coatPaint]} />
      <Head wood={wood} />
      <EyesOf eyes={face.eyes} />
      <ellipse cx="36" cy="53" rx="4.500" ry="3" fill="#d8543f" fillOpacity=".28" />
      <ellipse cx="60" cy="53" rx="4.500" ry="3" fill="#d8543f" fillOpacity=".28" />
      <ExtraOf extra={face.extra} face={face} below />
      <MouthOf mouth={face.mouth} />
      <HairOf hair={face.hair} paint={PAINTS[face.hairPaint]} />
      <ExtraOf extra={face.extra} face={face} />
      <rect
        x="1"
        y="1"
        width="94"
        height="94"
        rx="17"
        fill="none"
        stroke="#fff"
        strokeOpacity=".4"
        strokeWidth="2"
      />
      <path
        d="M4 78V19A15 15 0 0 1 19 4H62"
        fill="none"
        stroke="#fff"
        strokeOpacity=".35"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}

const BODY = "M14 99C14 78 28 69.500 48 69.500S82 78 82 99Z";

function Body({ coat, paint }: { coat: Coat; paint: Tones }) {
  return (
    <>
      <path d={BODY} fill={paint.face} />
      <CoatOf coat={coat} paint={paint} />
      <path d="M66 73C77 78 82 87 82 99H68C71 88 70 80 66 73Z" fill="#000" fillOpacity=".18" />
      <path
        d="M22 86C25 79 30 75 36 73"
        fill="none"
        stroke="#fff"
        strokeOpacity=".5"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </>
  );
}

const COATS: Record<Coat, (paint: Tones) => ReactNode> = {
  plain: () => null,
  buttons: ({ dark, light }) => (
    <>
      <path d="M48 70V99" stroke={dark} strokeWidth="1.500" />
      {[79, 89].map((y) => (
        <circle key={y} cx="48" cy={y} r="3.200" fill={light} stroke={dark} strokeWidth="1.500" />
      ))}
    </>
  ),
  bow: ({ dark }) => (
    <g fill="#c9302f" stroke="#7d1519" strokeWidth="1.500" strokeLinejoin="round">
      <path d="M48 77 36 71.500V83.500Z" fill={dark === PAINTS.red.dark ? "#2f4fb0" : "#c9302f"} />
      <path d="M48 77 60 71.500V83.500Z" fill={dark === PAINTS.red.dark ? "#2f4fb0" : "#c9302f"} />
      <circle
        cx="48"
        cy="77.500"
        r="3.600"
        fill={dark === PAINTS.red.dark ? "#2f4fb0" : "#c9302f"}
      />
    </g>
  ),
  scarf: ({ light, dark }) => (
    <g fill={light} stroke={dark} strokeWidth="1.500" strokeLinejoin="round">
      <path d="M27 72C40 80 56 80 69 72L71 78C58 87 38 87 25 78Z" />
      <path d="M56 81 63 79 67 96 57 98Z" />
    </g>
  ),
  stripes: ({ dark }) => (
    <g fill="none" stroke={dark} strokeOpacity=".75" strokeWidth="4">
      <path d="M21 81C38 88 58 88 75 81" />
      <path d="M16 91C36 99 60 99 80 91" />
    </g>
  ),
  ruff: ({ dark }) => (
    <g fill="#fffaf0" stroke={dark} strokeOpacity=".6" strokeWidth="1.500">
      {[26, 33.5, 41, 55, 62.5, 70, 48].map((x) => (
        <ellipse key={x} cx={x} cy={72.5 + 4.5 * (1 - ((x - 48) / 24) ** 2)} rx="5.600" ry="6" />
      ))}
    </g>
  ),
  collar: ({ dark }) => (
    <g fill="#fffaf0" stroke={dark} strokeWidth="1.500" strokeLinejoin="round">
      <path d="M48 79 30 71 33 84Z" />
      <path d="M48 79 66 71 63 84Z" />
    </g>
  ),
};

const CoatOf = ({ coat, paint }: { coat: Coat; paint: Tones }) => COATS[coat](paint);

function Head({ wood }: { wood: Tones }) {
  return (
    <>
      <ellipse cx="49" cy="71" rx="15" ry="4" fill="#000" fillOpacity=".2" />
      <circle cx="48" cy="46" r="25" fill={wood.face} />
      <g fill="none" stroke={wood.dark} strokeOpacity=".28" strokeWidth="1.200">
        <path d="M27 58C40 64 57 64 69 58" />
        <path d="M32 65C42 69 54 69 64 65" />
      </g>
      <path
        d="M62 25.300A25 25 0 0 1 40 69.700 31 31 0 0 0 62 25.300Z"
        fill={wood.dark}
        fillOpacity=".42"
      />
      <ellipse
        cx="36"
        cy="36"
        rx="10"
        ry="8"
        fill={wood.light}
        fillOpacity=".75"
        transform="rotate(-35 36 36)"
      />
    </>
  );
}

const EYES: Record<Eyes, ReactNode> = {
  dots: [39, 57].map((x) => <circle key={x} cx={x} cy="46" r="2.700" fill={LINE} />),
  wide: [39, 57].map((x) => (
    <g key={x}>
      <circle cx={x} cy="45.500" r="5" fill="#fffaf0" stroke={LINE} strokeWidth="1.300" />
      <circle cx={x + 0.8} cy="46" r="2.500" fill={LINE} />
    </g>
  )),
  calm: [39, 57].map((x) => (
    <path
      key={x}
      d={`M${x - 4.5} 45C${x - 2} 48.500 ${x + 2} 48.500 ${x + 4.5} 45`}
      fill="none"
      stroke={LINE}
      strokeWidth="2.300"
      strokeLinecap="round"
    />
  )),
  wink: (
    <>
      <circle cx="39" cy="46" r="2.900" fill={LINE} />
      <path
        d="M52.500 46.500C55 43.500 59 43.500 61.500 46.500"
        fill="none"
        stroke={LINE}
        strokeWidth="2.300"
        strokeLinecap="round"
      />
      <path
        d="M35 40C37 38.200 41 38.200 43 39.500"
        fill="none"
        stroke={LINE}
        strokeWidth="2"
        strokeLinecap="round"
      />
    </>
  ),
  stern: (
    <>
      {[39, 57].map((x) => (
        <circle key={x} cx={x} cy="47" r="2.700" fill={LINE} />
      ))}
      <path
        d="M33.500 40.500 43.500 42.800M62.500 40.500 52.500 42.800"
        fill="none"
        stroke={LINE}
        strokeWidth="2.300"
        strokeLinecap="round"
      />
    </>
  ),
};

const EyesOf = ({ eyes }: { eyes: Eyes }) => EYES[eyes];

const MOUTHS: Record<Mouth, ReactNode> = {
  smile: <path d="M42 57.500C45 60.800 51 60.800 54 57.500" />,
  grin: <path d="M41 56.500H55C54 62 42 62 41 56.500Z" fill="#fffaf0" strokeLinejoin="round" />,
  line: <path d="M43 58.500H53" />,
  oh: <ellipse cx="48" cy="58.500" rx="2.600" ry="3.200" fill="#7d2a20" />,
  smirk: <path d="M43.500 59C47 59.800 51 59 54 56.500" />,
};

const MouthOf = ({ mouth }: { mouth: Mouth }) => (
  <g fill="none" stroke={LINE} strokeWidth="2.200" strokeLinecap="round">
    {MOUTHS[mouth]}
  </g>
);

/** What hangs down behind the head. */
function Behind({ hair, paint }: { hair: Hair; paint: Tones }) {
  if (hair === "long")
    return <path d="M21 47C20 24 34 16 48 16S76 24 75 47L78 86H18Z" fill={paint.dark} />;
  if (hair === "bob")
    return (
      <path d="M20 49C19 25 34 16 48 16S77 25 76 49L74 66C60 72 36 72 22 66Z" fill={paint.dark} />
    );
  if (hair === "hood") return <path d="M17 99C13 60 16 15 48 13S83 60 79 99Z" fill={paint.dark} />;
  return null;
}

const FRINGE =
  "M23.500 44C23 26 34 18 48 18S73 26 72.500 44C69 38 66 34.500 60 32.500 50 36 36 35 31 34.500 27.500 37 25 40 23.500 44Z";
const CAP = "M23 42C22 25 34 17.500 48 17.500S74 25 73 42C64 36.500 32 36.500 23 42Z";

const HAIRS: Record<Hair, (paint: Tones) => ReactNode> = {
  bald: () => null,
  bowl: (paint) => (
    <>
      <path
        d="M22.500 48C21 26 33 17.500 48 17.500S75 26 73.500 48C71 43 70 41 69.500 38.500H26.500C26 41 25 43 22.500 48Z"
        fill={paint.face}
      />
      <Shine paint={paint} />
    </>
  ),
  bob: (paint) => (
    <>
      <path d={FRINGE} fill={paint.face} />
      <path
        d="M23.500 43C20 52 21 60 24.500 66 28 62 28 50 27 40ZM72.500 43C76 52 75 60 71.500 66 68 62 68 50 69 40Z"
        fill={paint.face}
      />
      <Shine paint={paint} />
    </>
  ),
  curls: (paint) => (
    <g fill={paint.face} stroke={paint.dark} strokeOpacity=".55" strokeWidth="1.300">
      {[
        [25, 43, 7],
        [71, 43, 7],
        [28, 32, 8],
        [68, 32, 8],
        [37, 23.5, 8.5],
        [59, 23.5, 8.5],
        [48, 20.5, 9],
      ].map(([x, y, r]) => (
        <circle key={`${x}`} cx={x} cy={y} r={r} />
      ))}
    </g>
  ),
  bun: (paint) => (
    <>
      <circle
        cx="48"
        cy="14"
        r="9.500"
        fill={paint.face}
        stroke={paint.dark}
        strokeOpacity=".5"
        strokeWidth="1.500"
      />
      <path d={CAP} fill={paint.face} />
      <Shine paint={paint} />
    </>
  ),
  tuft: (paint) => (
    <path
      d="M40 24C38 15 43 9 50 7 47 11 48 14 51 15 54 12 58 12 61 13 57 15 57 20 58 25 53 22 45 22 40 24Z"
      fill={paint.face}
      stroke={paint.dark}
      strokeOpacity=".5"
      strokeWidth="1.300"
      strokeLinejoin="round"
    />
  ),
  parted: (paint) => (
    <>
      <path
        d="M23.500 46C21 27 33 17 48 17S75 27 72.500 46C70 39 66 34 57 32 49 31 44 29 40 24 38 31 29 34 23.500 46Z"
        fill={paint.face}
      />
      <Shine paint={paint} />
    </>
  ),
  long: (paint) => (
    <>
      <path
        d="M23 48C21 27 33 17 48 17S75 27 73 48C71 36 61 27 48 23.500 35 27 25 36 23 48Z"
        fill={paint.face}
      />
      <path
        d="M24 44C19 58 19 74 21 86 28 80 28 62 26 44ZM72 44C77 58 77 74 75 86 68 80 68 62 70 44Z"
        fill={paint.face}
      />
      <Shine paint={paint} />
    </>
  ),
  cap: (paint) => (
    <>
      <path d="M22.500 38C22 21 35 14.500 48 14.500S74 21 73.500 38Z" fill={paint.face} />
      <path
        d="M21 38.500C34 33.500 66 33.500 85 40.500 84 44 80 44.500 76 43 60 38.500 36 38.500 21 42Z"
        fill={paint.dark}
      />
      <circle cx="48" cy="14.500" r="3" fill={paint.dark} />
      <Shine paint={paint} />
    </>
  ),
  beret: (paint) => (
    <>
      <path d="M19 35C15 20 36 10 58 13 78 16 84 27 75 36 62 31 34 31 19 35Z" fill={paint.face} />
      <path
        d="M22 35C36 30.500 60 30.500 74 35.500L73 40C60 35.500 36 35.500 23 39.500Z"
        fill={paint.dark}
      />
      <path d="M52 12 54 7" stroke={paint.dark} strokeWidth="3" strokeLinecap="round" />
      <path
        d="M27 27C32 20 42 17 52 17"
        fill="none"
        stroke={paint.light}
        strokeOpacity=".8"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </>
  ),
  hat: (paint) => (
    <>
      <path d="M30 33 32 12C38 8 58 8 64 12L66 33Z" fill={paint.face} />
      <path d="M29.500 31 30.500 24C42 27 54 27 65.500 24L66.500 31Z" fill="#b8322f" />
      <path
        d="M14 35C14 29 30 31 48 31S82 29 82 35 66 40.500 48 40.500 14 41 14 35Z"
        fill={paint.dark}
      />
      <path d="M37 14 36 22" stroke={paint.light} strokeWidth="3" strokeLinecap="round" />
    </>
  ),
  wreath: (paint) => (
    <>
      <path d={CAP} fill={PAINTS.walnut.face} />
      <g fill={paint.face} stroke={paint.dark} strokeWidth="1.200">
        {[-62, -42, -22, 0, 22, 42, 62].map((turn) => (
          <path
            key={turn}
            d="M48 13C54 16.500 54 25 48 29 42 25 42 16.500 48 13Z"
            transform={`rotate(${turn} 48 48)`}
          />
        ))}
      </g>
    </>
  ),
  crown: (paint) => (
    <g fill={paint.face} stroke={paint.dark} strokeWidth="1.500" strokeLinejoin="round">
      <path d="M25 36 22 13 34.500 22 48 8 61.500 22 74 13 71 36C58 31 38 31 25 36Z" />
      <circle cx="48" cy="24" r="3.400" fill="#d8313a" />
      <circle cx="34" cy="28" r="2.400" fill="#2563eb" />
      <circle cx="62" cy="28" r="2.400" fill="#2563eb" />
    </g>
  ),
  hood: (paint) => (
    <>
      <path
        d="M48 12C24 12 15 34 18 62 22 70 26 72 29 72 22 60 20 36 34 27 42 22.500 54 22.500 62 27 76 36 74 60 67 72 70 72 74 70 78 62 81 34 72 12 48 12Z"
        fill={paint.face}
      />
      <path
        d="M26 32C30 22 38 17 46 16.500"
        fill="none"
        stroke={paint.light}
        strokeOpacity=".8"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </>
  ),
};

const HairOf = ({ hair, paint }: { hair: Hair; paint: Tones }) => HAIRS[hair](paint);

const Shine = ({ paint }: { paint: Tones }) => (
  <path
    d="M30 31C33 25 38 22 44 21"
    fill="none"
    stroke={paint.light}
    strokeOpacity=".85"
    strokeWidth="3"
    strokeLinecap="round"
  />
);

/** Freckles and beards are painted under the mouth, glasses stand before everything. */
function ExtraOf({ extra, face, below = false }: { extra: Extra; face: Face; below?: boolean }) {
  const hair =
    PAINTS[
      face.hair === "crown" || face.hair === "hat" || face.hair === "cap" || face.hair === "beret"
        ? "walnut"
        : face.hairPaint
    ];
  if (below) {
    if (extra === "freckles") {
      return (
        <g fill="#8d4d25" fillOpacity=".75">
          {[33, 36.5, 39.5, 56.5, 59.5, 63].map((x, index) => (
            <circle key={x} cx={x} cy={52 + (index % 2) * 2.6} r="1.100" />
          ))}
        </g>
      );
    }
    if (extra === "beard") {
      return (
        <path
          d="M26 52C27 66 36 75 48 75S69 66 70 52C66 56 62 55 57 53.500 51 52 45 52 39 53.500 34 55 30 56 26 52Z"
          fill={hair.face}
          stroke={hair.dark}
          strokeOpacity=".4"
          strokeWidth="1.200"
        />
      );
    }
    return null;
  }
  switch (extra) {
    case "glasses":
      return (
        <g fill="#fff" fillOpacity=".28" stroke={LINE} strokeWidth="2">
          <circle cx="39" cy="46" r="7.200" />
          <circle cx="57" cy="46" r="7.200" />
          <path
            d="M46.200 45C47.400 44 48.600 44 49.800 45M31.800 45 25 42.500M64.200 45 71 42.500"
            fill="none"
          />
        </g>
      );
    case "monocle":
      return (
        <g fill="#fff" fillOpacity=".28" stroke="#a87412" strokeWidth="2.200">
          <circle cx="57" cy="46" r="7.600" />
          <path d="M63 51.500C66 60 66 66 63 72" fill="none" strokeWidth="1.500" />
        </g>
      );
    case "moustache":
      return (
        <path
          d="M48 54C44 51.500 38 52.500 33.500 57 38 58.500 45 58.500 48 56 51 58.500 58 58.500 62.500 57 58 52.500 52 51.500 48 54Z"
          fill={hair.dark}
        />
      );
    case "earrings":
      return (
        <g fill="#f0bf33" stroke="#8a600b" strokeWidth="1.200">
          <circle cx="23.500" cy="57" r="3" />
          <circle cx="72.500" cy="57" r="3" />
        </g>
      );
    default:
      return null;
  }
}
