// Something is on its way: a chip rolling to and fro.
export function Spinner({ label }: { label: string }) {
  return (
    <div
      role="status"
      className="flex flex-col items-center gap-3 py-10 text-lg font-bold text-soft"
    >
      <svg aria-hidden="true" viewBox="0 0 100 100" className="size-14 animate-roll">
        <circle cx="50" cy="50" r="46" fill="var(--color-red)" />
        <circle
          cx="50"
          cy="50"
          r="41"
          fill="none"
          stroke="var(--color-red-dark)"
          strokeWidth="6"
          strokeDasharray="5.700 5"
        />
        <circle cx="50" cy="50" r="30" fill="var(--color-red-dark)" opacity=".5" />
        <circle
          cx="50"
          cy="50"
          r="29"
          fill="none"
          stroke="var(--color-red-light)"
          strokeWidth="4"
        />
        <path
          d="M38 50a12 12 0 0 1 12-12"
          fill="none"
          stroke="var(--color-red-light)"
          strokeWidth="6"
          strokeLinecap="round"
        />
      </svg>
      {label}
    </div>
  );
}
