// The Quarto box: turned pieces of walnut and maple on a round board.
type Wood = "walnut" | "maple";

interface PieceProps {
  x: number;
  /** Where it stands. */
  y: number;
  wood: Wood;
  tall?: boolean;
  hollow?: boolean;
}

function Round({ x, y, wood, tall, hollow }: PieceProps) {
  const height = tall ? 92 : 54;
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cx="9" cy="4" rx="34" ry="12" fill="#1b0c03" opacity=".38" />
      <path d={`M-25 ${-height}V0a25 10 0 0 0 50 0V${-height}Z`} fill={`url(#qu-${wood}-body)`} />
      <path
        d="M-25-6a25 10 0 0 0 50 0M-25-14a25 10 0 0 0 50 0"
        fill="none"
        stroke={`var(--color-${wood}-dark)`}
        strokeOpacity=".55"
        strokeWidth="1.600"
      />
      <ellipse cy={-height} rx="25" ry="10" fill={`url(#qu-${wood}-top)`} />
      <ellipse
        cy={-height}
        rx="24"
        ry="9.300"
        fill="none"
        stroke={`var(--color-${wood}-light)`}
        strokeOpacity=".8"
        strokeWidth="1.300"
      />
      {hollow && (
        <>
          <ellipse cy={-height} rx="12.500" ry="5" fill={`var(--color-${wood}-dark)`} />
          <path
            d={`M-12.500 ${-height}a12.500 5 0 0 0 25 0a12.500 3.400 0 0 1-25 0`}
            fill={`var(--color-${wood}-light)`}
            opacity=".65"
          />
        </>
      )}
    </g>
  );
}

function Square({ x, y, wood, tall, hollow }: PieceProps) {
  const height = tall ? 92 : 54;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M-20 2 10 14 46 2 14-8Z" fill="#1b0c03" opacity=".38" />
      <path d={`M-27 ${-height}V0L0 11V${-height + 11}Z`} fill={`var(--color-${wood})`} />
      <path d={`M27 ${-height}V0L0 11V${-height + 11}Z`} fill={`var(--color-${wood}-dark)`} />
      <path d={`M-27 ${-height}V0L0 11V${-height + 11}Z`} fill={`url(#qu-${wood}-side)`} />
      <path
        d={`M0 ${-height - 11} 27 ${-height} 0 ${-height + 11}-27 ${-height}Z`}
        fill={`url(#qu-${wood}-top)`}
      />
      <path
        d={`M-27 ${-height} 0 ${-height + 11} 27 ${-height}`}
        fill="none"
        stroke={`var(--color-${wood}-light)`}
        strokeOpacity=".75"
        strokeWidth="1.500"
        strokeLinejoin="round"
      />
      {hollow && (
        <>
          <ellipse cy={-height} rx="12.500" ry="5" fill={`var(--color-${wood}-dark)`} />
          <path
            d={`M-12.500 ${-height}a12.500 5 0 0 0 25 0a12.500 3.400 0 0 1-25 0`}
            fill={`var(--color-${wood}-light)`}
            opacity=".65"
          />
        </>
      )}
    </g>
  );
}

function Woods({ wood }: { wood: Wood }) {
  return (
    <>
      <linearGradient id={`qu-${wood}-body`}>
        <stop offset="0" stopColor={`var(--color-${wood})`} />
        <stop offset=".28" stopColor={`var(--color-${wood}-light)`} />
        <stop offset=".6" stopColor={`var(--color-${wood})`} />
        <stop offset="1" stopColor={`var(--color-${wood}-dark)`} />
      </linearGradient>
      <linearGradient id={`qu-${wood}-side`}>
        <stop offset="0" stopColor={`var(--color-${wood}-light)`} stopOpacity=".9" />
        <stop offset="1" stopColor={`var(--color-${wood})`} />
      </linearGradient>
      <linearGradient id={`qu-${wood}-top`} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor={`var(--color-${wood}-light)`} />
        <stop offset="1" stopColor={`var(--color-${wood})`} />
      </linearGradient>
    </>
  );
}

const RINGS = [
  [62, 214],
  [110, 206],
  [160, 203],
  [210, 206],
  [258, 214],
  [92, 232],
  [160, 230],
  [228, 232],
] as const;

export function QuartoLid() {
  return (
    <svg aria-hidden="true" viewBox="0 -38 320 320" preserveAspectRatio="xMidYMid slice">
      <defs>
        <Woods wood="walnut" />
        <Woods wood="maple" />
        <radialGradient id="qu-wall" cx=".3" cy=".2" r="1">
          <stop offset="0" stopColor="#7fd0c4" />
          <stop offset=".55" stopColor="#2f8f8b" />
          <stop offset="1" stopColor="#155a5f" />
        </radialGradient>
        <linearGradient id="qu-board" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#8d5a34" />
          <stop offset="1" stopColor="#4a2a16" />
        </linearGradient>
      </defs>
      <rect y="-60" width="320" height="360" fill="url(#qu-wall)" />
      <g fill="none" stroke="#d7fff6" strokeOpacity=".17" strokeWidth="15">
        <circle cx="160" cy="130" r="74" />
        <circle cx="160" cy="130" r="116" />
        <circle cx="160" cy="130" r="158" />
        <circle cx="160" cy="130" r="200" />
      </g>
      <ellipse cx="160" cy="226" rx="176" ry="50" fill="#2a1509" />
      <ellipse cx="160" cy="216" rx="176" ry="50" fill="url(#qu-board)" />
      <ellipse
        cx="160"
        cy="216"
        rx="172"
        ry="47"
        fill="none"
        stroke="#c08a58"
        strokeOpacity=".7"
        strokeWidth="1.500"
      />
      {RINGS.map(([x, y]) => (
        <ellipse
          key={`${x}-${y}`}
          cx={x}
          cy={y}
          rx="27"
          ry="10"
          fill="none"
          stroke="#2a1509"
          strokeOpacity=".75"
          strokeWidth="2.500"
        />
      ))}
      <Round x={62} y={212} wood="walnut" tall />
      <Square x={128} y={204} wood="maple" hollow />
      <Square x={256} y={212} wood="walnut" tall hollow />
      <Round x={192} y={222} wood="maple" tall hollow />
    </svg>
  );
}
