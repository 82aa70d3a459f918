// The name on the shelf; its o is a chip.
export function Logo() {
  return (
    <span className="text-display inline-flex items-baseline text-[1.7rem] leading-none tracking-tight">
      <span className="sr-only">Parlour</span>
      <span aria-hidden="true">Parl</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 40 40"
        className="mx-px size-[0.68em] translate-y-[0.07em]"
      >
        <circle cx="20" cy="22" r="18" fill="var(--color-red-dark)" />
        <circle cx="20" cy="19" r="18" fill="var(--color-red)" />
        <circle
          cx="20"
          cy="19"
          r="10"
          fill="none"
          stroke="var(--color-red-light)"
          strokeWidth="4"
        />
        <path
          d="M6.500 15A14 14 0 0 1 18 5"
          fill="none"
          stroke="#fff"
          strokeOpacity=".65"
          strokeWidth="2.500"
          strokeLinecap="round"
        />
      </svg>
      <span aria-hidden="true">ur</span>
    </span>
  );
}
