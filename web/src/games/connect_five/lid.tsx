// The Connect Five box: glass stones on green felt, a brass bomb, and coins for the winner.
const LINES = Array.from({ length: 12 }, (_, index) => 16 + index * 32);

function Stone({ x, y, side }: { x: number; y: number; side: "dark" | "light" }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cx="4" cy="6" rx="15" ry="13.500" fill="#04210f" opacity=".5" />
      <circle r="14.500" fill={`url(#cf-${side})`} />
      <ellipse
        cx="-4.500"
        cy="-6.500"
        rx="5.500"
        ry="3.400"
        fill="#fff"
        opacity=".85"
        transform="rotate(-32 -4.500 -6.500)"
      />
      <path
        d="M-5 11.200a12.200 12.200 0 0 0 15.500-8.500"
        fill="none"
        stroke="#fff"
        strokeOpacity=".45"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </g>
  );
}

/** A coin's place in the pile: every second one lies a little aside. */
const PILE = [
  { x: -1.2, y: 0 },
  { x: 1.6, y: -8 },
  { x: -1.2, y: -16 },
  { x: 1.6, y: -24 },
];

function Coins({ x, y, high }: { x: number; y: number; high: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cx="6" cy="5" rx="27" ry="10" fill="#04210f" opacity=".45" />
      {PILE.slice(0, high).map((coin) => (
        <g key={coin.y} transform={`translate(${coin.x} ${coin.y})`}>
          <path d="M-24-5v5a24 9 0 0 0 48 0v-5z" fill="url(#cf-edge)" />
          <ellipse cy="-5" rx="24" ry="9" fill="url(#cf-coin)" />
          <ellipse
            cy="-5"
            rx="17.500"
            ry="6.200"
            fill="none"
            stroke="var(--color-brass-dark)"
            strokeOpacity=".6"
            strokeWidth="1.300"
          />
        </g>
      ))}
    </g>
  );
}

export function ConnectFiveLid() {
  return (
    <svg aria-hidden="true" viewBox="0 -38 320 320" preserveAspectRatio="xMidYMid slice">
      <defs>
        <radialGradient id="cf-felt" cx=".35" cy=".3" r=".95">
          <stop offset="0" stopColor="#3fb57b" />
          <stop offset=".6" stopColor="#1f7a4d" />
          <stop offset="1" stopColor="#0f4a2c" />
        </radialGradient>
        <radialGradient id="cf-dark" cx=".35" cy=".3" r=".85">
          <stop offset="0" stopColor="#9cc0ff" />
          <stop offset=".5" stopColor="#2f63e0" />
          <stop offset="1" stopColor="#0c2263" />
        </radialGradient>
        <radialGradient id="cf-light" cx=".35" cy=".3" r=".85">
          <stop offset="0" stopColor="#fff4c4" />
          <stop offset=".55" stopColor="#f6bd3a" />
          <stop offset="1" stopColor="#a86805" />
        </radialGradient>
        <radialGradient id="cf-brass" cx=".34" cy=".28" r=".85">
          <stop offset="0" stopColor="#fff0bb" />
          <stop offset=".35" stopColor="#dcab43" />
          <stop offset="1" stopColor="#6e4a09" />
        </radialGradient>
        <linearGradient id="cf-coin" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#fff0b3" />
          <stop offset="1" stopColor="#e0a81f" />
        </linearGradient>
        <linearGradient id="cf-edge">
          <stop offset="0" stopColor="#e9bd4e" />
          <stop offset=".3" stopColor="#ffe9a3" />
          <stop offset="1" stopColor="#8a5f0c" />
        </linearGradient>
      </defs>
      <rect y="-60" width="320" height="360" fill="url(#cf-felt)" />
      <g stroke="#d8ffe9" strokeOpacity=".3" strokeWidth="1.600">
        {LINES.map((at) => (
          <path key={at} d={`M${at}-60v380M0 ${at - 64}h320`} />
        ))}
      </g>
      <Stone x={80} y={208} side="light" />
      <Stone x={112} y={176} side="light" />
      <Stone x={144} y={144} side="light" />
      <Stone x={176} y={112} side="light" />
      <Stone x={208} y={80} side="light" />
      <Stone x={80} y={144} side="dark" />
      <Stone x={112} y={112} side="dark" />
      <Stone x={144} y={112} side="dark" />
      <Stone x={176} y={176} side="dark" />
      <Stone x={144} y={208} side="dark" />
      <g transform="translate(244 138)">
        <ellipse cx="8" cy="30" rx="34" ry="13" fill="#04210f" opacity=".5" />
        <circle r="33" fill="url(#cf-brass)" />
        <path
          d="M-25-14A28 28 0 0 1-6-28"
          fill="none"
          stroke="#fff"
          strokeOpacity=".85"
          strokeWidth="4"
          strokeLinecap="round"
        />
        <rect
          x="10"
          y="-42"
          width="21"
          height="15"
          rx="4"
          fill="url(#cf-edge)"
          transform="rotate(38 20 -34)"
        />
        <path
          d="M27-38c8-14 20-4 24-18"
          fill="none"
          stroke="#f5e6c8"
          strokeWidth="4.500"
          strokeLinecap="round"
        />
        <path
          d="M52-70v9M64-60l-8 4M40-62l8 5M58-46l-4-6"
          stroke="#ffd84a"
          strokeWidth="4"
          strokeLinecap="round"
        />
      </g>
      <Coins x={272} y={238} high={4} />
      <Coins x={222} y={246} high={2} />
    </svg>
  );
}
