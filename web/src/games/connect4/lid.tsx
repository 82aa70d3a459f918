// The Connect 4 box: a summer sun, the blue grid, and a chip on its way down.
const RAYS = 18;
const HOLES = { across: 6, down: 4, step: 34, radius: 12.5 };
/** What is behind the holes, top row first. */
const CHIPS = ["......", "..y...", ".ryr..", "ryyrry"].flatMap((line, row) =>
  [...line].flatMap((side, column) =>
    side === "r" || side === "y"
      ? [{ x: 21 + column * HOLES.step, y: 22 + row * HOLES.step, side } as const]
      : [],
  ),
);

function ray(index: number): string {
  const at = (turn: number) => {
    const angle = (turn / RAYS) * Math.PI * 2;
    return `${(160 + Math.cos(angle) * 320).toFixed(1)} ${(150 + Math.sin(angle) * 320).toFixed(1)}`;
  };
  return `M160 150L${at(index)}L${at(index + 0.5)}Z`;
}

function holes(): string {
  let path = "";
  for (let row = 0; row < HOLES.down; row++) {
    for (let column = 0; column < HOLES.across; column++) {
      const x = 21 + column * HOLES.step - HOLES.radius;
      const y = 22 + row * HOLES.step;
      const r = HOLES.radius;
      path += `M${x} ${y}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0Z`;
    }
  }
  return path;
}

function Disc({ x, y, side, r = 15 }: { x: number; y: number; side: "r" | "y"; r?: number }) {
  const name = side === "r" ? "red" : "yellow";
  return (
    <g transform={`translate(${x} ${y}) scale(${r / 15})`}>
      <circle r="15" fill={`var(--color-${name}-dark)`} cx="1" cy="1.800" />
      <circle r="15" fill={`var(--color-${name})`} />
      <circle
        r="13"
        fill="none"
        stroke={`var(--color-${name}-dark)`}
        strokeOpacity=".55"
        strokeWidth="1.800"
        strokeDasharray="1.800 1.600"
      />
      {side === "r" ? (
        <circle r="6.500" fill="none" stroke="var(--color-red-light)" strokeWidth="2.600" />
      ) : (
        <path
          d="m0-8.500 2.500 5.200 5.700.7-4.200 3.900 1.100 5.700L0 4.200-5.100 7l1.100-5.700-4.200-3.900 5.700-.7z"
          fill="var(--color-yellow-light)"
        />
      )}
      <path
        d="M-10.500-5.500a12 12 0 0 1 8-6.500"
        fill="none"
        stroke="#fff"
        strokeOpacity=".8"
        strokeWidth="1.800"
        strokeLinecap="round"
      />
    </g>
  );
}

export function Connect4Lid() {
  return (
    <svg aria-hidden="true" viewBox="0 -38 320 320" preserveAspectRatio="xMidYMid slice">
      <defs>
        <linearGradient id="c4-plate" x1="0" y1="0" x2=".7" y2="1">
          <stop offset="0" stopColor="#5d90ff" />
          <stop offset=".45" stopColor="#2563eb" />
          <stop offset="1" stopColor="#1947bd" />
        </linearGradient>
        <radialGradient id="c4-sun" cx=".5" cy=".58" r=".75">
          <stop offset="0" stopColor="#fff3b8" />
          <stop offset=".5" stopColor="#ffd33d" />
          <stop offset="1" stopColor="#f4a51c" />
        </radialGradient>
      </defs>
      <rect y="-60" width="320" height="360" fill="url(#c4-sun)" />
      {Array.from({ length: RAYS }, (_, index) => (
        <path key={ray(index)} d={ray(index)} fill="#ff8a2b" fillOpacity=".32" />
      ))}
      <g transform="translate(64 92) rotate(-5 105 80)">
        <ellipse cx="112" cy="168" rx="124" ry="9" fill="#7a3d00" opacity=".28" />
        <rect x="-14" y="150" width="52" height="16" rx="8" fill="#123588" />
        <rect x="174" y="150" width="52" height="16" rx="8" fill="#123588" />
        <rect x="-6" y="0" width="220" height="152" rx="17" fill="#8d4a08" opacity=".35" />
        {CHIPS.map(({ x, y, side }) => (
          <Disc key={`${x}-${y}`} x={x} y={y} side={side} />
        ))}
        <path
          d={`M-6 22a17 17 0 0 1 17-17h186a17 17 0 0 1 17 17v118a17 17 0 0 1-17 17h-186a17 17 0 0 1-17-17Z${holes()}`}
          fill="#143a97"
          fillRule="evenodd"
        />
        <path
          d={`M-6 17a17 17 0 0 1 17-17h186a17 17 0 0 1 17 17v118a17 17 0 0 1-17 17h-186a17 17 0 0 1-17-17Z${holes()}`}
          fill="url(#c4-plate)"
          fillRule="evenodd"
        />
        <path
          d="M-3 20A16 16 0 0 1 12 3h184a16 16 0 0 1 14 11"
          fill="none"
          stroke="#c9dcff"
          strokeWidth="2.500"
          strokeLinecap="round"
        />
        <path d="M4 9h70L10 108H4z" fill="#fff" opacity=".13" />
      </g>
      <g>
        <path
          d="M244-8v30M260-14v28M276-8v30"
          stroke="#fff"
          strokeWidth="4"
          strokeLinecap="round"
          opacity=".8"
        />
        <Disc x={260} y={46} side="r" r={22} />
      </g>
    </svg>
  );
}
