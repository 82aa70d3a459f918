// The Memory box: thick printed cards, linen backs, and the pair that was found.
function Card({
  x,
  y,
  turn,
  children,
}: {
  x: number;
  y: number;
  turn: number;
  children: React.ReactNode;
}) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect x="-34" y="-44" width="74" height="96" rx="11" fill="#5e0f16" opacity=".35" />
      <rect x="-37" y="-44" width="74" height="94" rx="10" fill="#c9b48a" />
      <rect x="-37" y="-48" width="74" height="94" rx="10" fill="#fffaf0" />
      {children}
    </g>
  );
}

function Back() {
  return (
    <>
      <rect x="-31" y="-42" width="62" height="82" rx="6" fill="#26408f" />
      <rect x="-31" y="-42" width="62" height="82" rx="6" fill="url(#me-linen)" />
      <rect
        x="-26"
        y="-37"
        width="52"
        height="72"
        rx="4"
        fill="none"
        stroke="#ffdf66"
        strokeWidth="1.800"
      />
      <path d="M0-17 12-1 0 15-12-1z" fill="#ffdf66" />
      <path d="M0-9 6-1 0 7-6-1z" fill="#26408f" />
    </>
  );
}

function Moon() {
  return (
    <>
      <rect x="-31" y="-42" width="62" height="82" rx="6" fill="#fff3d6" />
      <path d="M9-28a27 27 0 1 0 16 40A22 22 0 0 1 9-28Z" fill="#2563eb" />
      <path d="M9-28a27 27 0 0 0-28 12 24 24 0 0 1 28-12Z" fill="#8db1ff" />
      <path
        d="m17-21 2.600 5.400 5.900.8-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900-4.300-4.100 5.900-.8z"
        fill="#eab308"
      />
    </>
  );
}

export function MemoryLid() {
  return (
    <svg aria-hidden="true" viewBox="0 -38 320 320" preserveAspectRatio="xMidYMid slice">
      <defs>
        <radialGradient id="me-wall" cx=".4" cy=".4" r=".85">
          <stop offset="0" stopColor="#ff8175" />
          <stop offset=".6" stopColor="#ea4a4a" />
          <stop offset="1" stopColor="#b5242f" />
        </radialGradient>
        <pattern
          id="me-dots"
          width="28"
          height="28"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(18)"
        >
          <circle cx="7" cy="7" r="3.500" fill="#ffd0c4" opacity=".38" />
          <circle cx="21" cy="21" r="3.500" fill="#8c1420" opacity=".22" />
        </pattern>
        <pattern id="me-linen" width="4" height="4" patternUnits="userSpaceOnUse">
          <path d="M0 0h4M0 2h4" stroke="#fff" strokeOpacity=".16" strokeWidth=".7" />
          <path d="M0 0v4M2 0v4" stroke="#0b1b52" strokeOpacity=".28" strokeWidth=".7" />
        </pattern>
      </defs>
      <rect y="-60" width="320" height="360" fill="url(#me-wall)" />
      <rect y="-60" width="320" height="360" fill="url(#me-dots)" />
      <Card x={58} y={196} turn={-17}>
        <Back />
      </Card>
      <Card x={268} y={198} turn={15}>
        <Back />
      </Card>
      <Card x={121} y={164} turn={-8}>
        <Moon />
      </Card>
      <Card x={206} y={160} turn={7}>
        <Moon />
      </Card>
      <g stroke="#fff3c4" strokeWidth="5" strokeLinecap="round">
        <path d="M163 96V78M140 102l-9-14M187 101l9-14" />
      </g>
    </svg>
  );
}
