// The Reversi box: a low sun, the green plate, and a disc in the air between its two faces.
const RAYS = 14;

function ray(index: number): string {
  const at = (turn: number) => {
    const angle = (turn / RAYS) * Math.PI * 2;
    return `${(214 + Math.cos(angle) * 420).toFixed(1)} ${(84 + Math.sin(angle) * 420).toFixed(1)}`;
  };
  return `M214 84L${at(index)}L${at(index + 0.5)}Z`;
}

/** What lies on the plate, a row for each line: black, cream, or nothing. */
const LYING = ["..bw.", ".bbww", "bbwwb", ".bwb."].flatMap((line, row) =>
  [...line].flatMap((side, column) =>
    side === "b" || side === "w" ? [{ row, column, side } as const] : [],
  ),
);

const CELL = 50;

function Lying({ row, column, side }: (typeof LYING)[number]) {
  const black = side === "b";
  return (
    <g transform={`translate(${column * CELL + CELL / 2} ${row * CELL + CELL / 2})`}>
      <circle cx="3" cy="5" r="20" fill="#04321c" opacity=".55" />
      <circle cy="3.500" r="20" fill={black ? "#060814" : "#a98648"} />
      <circle r="20" fill={`url(#rvl-${side})`} />
      <circle
        r={black ? 9 : 15}
        fill="none"
        stroke={black ? "#7f88b4" : "#c3a264"}
        strokeWidth={black ? 2.6 : 2}
        strokeDasharray={black ? undefined : "2.600 5.250"}
      />
      <path
        d="M-15.500-6.500a17 17 0 0 1 9.500-9.500"
        fill="none"
        stroke="#fff"
        strokeOpacity={black ? 0.6 : 1}
        strokeWidth="2.200"
        strokeLinecap="round"
      />
    </g>
  );
}

/** Caught while it turns: black above, its cream face coming up from below. */
function InTheAir() {
  return (
    <g transform="translate(232 58) rotate(-20)">
      <ellipse cx="10" cy="52" rx="44" ry="10" fill="#7a2b12" opacity=".28" />
      <ellipse cy="15" rx="48" ry="32" fill="#a98648" />
      <ellipse cy="13" rx="48" ry="32" fill="url(#rvl-edge)" />
      <ellipse cy="4" rx="48" ry="32" fill="#05060f" />
      <ellipse rx="48" ry="32" fill="url(#rvl-b)" />
      <ellipse rx="39" ry="25.500" fill="none" stroke="#05060f" strokeWidth="2.500" />
      <ellipse rx="21" ry="13.500" fill="none" stroke="#8d96c2" strokeWidth="4" />
      <path
        d="M-41-9a43 28 0 0 1 24-18"
        fill="none"
        stroke="#fff"
        strokeOpacity=".75"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d="M-62-2a62 44 0 0 1 16-32M62 14a62 44 0 0 1-14 26"
        fill="none"
        stroke="#fff"
        strokeOpacity=".75"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </g>
  );
}

export function ReversiLid() {
  return (
    <svg aria-hidden="true" viewBox="0 -38 320 320" preserveAspectRatio="xMidYMid slice">
      <defs>
        <radialGradient id="rvl-sky" cx=".67" cy=".38" r=".95">
          <stop offset="0" stopColor="#ffe9a8" />
          <stop offset=".4" stopColor="#ff9a5c" />
          <stop offset="1" stopColor="#e2423f" />
        </radialGradient>
        <linearGradient id="rvl-plate" x1="0" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#4fd693" />
          <stop offset=".5" stopColor="#27a566" />
          <stop offset="1" stopColor="#14774a" />
        </linearGradient>
        <linearGradient id="rvl-b" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#5a6188" />
          <stop offset=".45" stopColor="#262b46" />
          <stop offset="1" stopColor="#0c0f22" />
        </linearGradient>
        <linearGradient id="rvl-edge">
          <stop offset="0" stopColor="#fff6e0" />
          <stop offset=".35" stopColor="#fffdf6" />
          <stop offset="1" stopColor="#c3a264" />
        </linearGradient>
        <linearGradient id="rvl-w" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#fffdf6" />
          <stop offset=".5" stopColor="#fbeccb" />
          <stop offset="1" stopColor="#d8ba80" />
        </linearGradient>
      </defs>
      <rect y="-60" width="320" height="360" fill="url(#rvl-sky)" />
      {Array.from({ length: RAYS }, (_, index) => (
        <path key={ray(index)} d={ray(index)} fill="#fff3c4" fillOpacity=".2" />
      ))}
      <g transform="translate(50 118) skewX(-14) scale(.985 .78)">
        <rect x="4" y="14" width="278" height="222" rx="18" fill="#5c0f16" opacity=".4" />
        <rect x="-8" y="2" width="278" height="222" rx="18" fill="#0d1024" />
        <rect x="-8" y="-10" width="278" height="222" rx="18" fill="#2b3256" />
        <path
          d="M-4 6a14 14 0 0 1 12-12h246"
          fill="none"
          stroke="#8a94c8"
          strokeWidth="3"
          strokeLinecap="round"
        />
        <rect x="6" y="1" width="250" height="200" rx="6" fill="url(#rvl-plate)" />
        <g transform="translate(6 1)">
          <g stroke="#0d5c37" strokeWidth="3">
            <path d="M50 0v200M100 0v200M150 0v200M200 0v200M0 50h250M0 100h250M0 150h250" />
          </g>
          <g stroke="#9df0c2" strokeOpacity=".5" strokeWidth="1.200">
            <path d="M52.200 0v200M102.200 0v200M152.200 0v200M202.200 0v200M0 52.200h250M0 102.200h250M0 152.200h250" />
          </g>
          {LYING.map((disc) => (
            <Lying key={`${disc.row}-${disc.column}`} {...disc} />
          ))}
        </g>
      </g>
      <InTheAir />
    </svg>
  );
}
