// A user's token: a chip with the first letter of their name, always in the same colour.
const colors = ["blue", "red", "green", "walnut", "felt"] as const;

function colorOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum += letter.codePointAt(0) ?? 0;
  return `var(--color-${colors[sum % colors.length]}-dark)`;
}

export function Avatar({ name, className }: { name: string; className?: string }) {
  const color = colorOf(name);
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={className ?? "size-9"}>
      <circle cx="20" cy="20" r="19" fill={color} />
      <circle
        cx="20"
        cy="20"
        r="17"
        fill="none"
        stroke="#fff"
        strokeOpacity=".55"
        strokeWidth="2"
        strokeDasharray="2.500 2.840"
      />
      <circle cx="20" cy="20" r="13.500" fill="#000" fillOpacity=".16" />
      <text
        x="20"
        y="20"
        dy=".36em"
        textAnchor="middle"
        fill="#fff"
        fontFamily="var(--font-display)"
        fontWeight="600"
        fontSize="17"
      >
        {[...name][0]?.toUpperCase() ?? "?"}
      </text>
    </svg>
  );
}
