/** The sextant: two arms, the arc, and the sight line in the colour of a gain. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="4 2 24 26" width={size} height={size} aria-hidden="true" fill="none" strokeLinecap="round">
      <g stroke="var(--accent)" strokeWidth="2.4" strokeLinejoin="round">
        <path d="M16 6 7.5 22.5" />
        <path d="m16 6 8.5 16.5" />
        <path d="M6 20.5a13 13 0 0 0 20 0" />
      </g>
      <path d="M16 6v14" stroke="var(--up)" strokeWidth="2.4" />
      <circle cx="16" cy="6" r="2.2" fill="var(--accent)" />
    </svg>
  );
}
