interface Props {
  values: ArrayLike<number>;
  width?: number;
  height?: number;
}

/** The shape of a series and nothing else; its colour says where it ended compared with where it began. */
export function Sparkline({ values, width = 96, height = 24 }: Props) {
  const points = sparklinePoints(values, width, height);
  if (points === null) return <span className="text-muted">–</span>;
  const isUp = (values[values.length - 1] ?? 0) >= (values[0] ?? 0);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="inline-block">
      <polyline
        points={points}
        fill="none"
        stroke={isUp ? 'var(--up)' : 'var(--down)'}
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Null below two points: one point has no shape. */
export function sparklinePoints(values: ArrayLike<number>, width: number, height: number): string | null {
  const finite = Array.from(values).filter((value) => Number.isFinite(value));
  if (finite.length < 2) return null;
  const low = Math.min(...finite);
  const range = Math.max(...finite) - low;
  const step = width / (finite.length - 1);
  // A series that does not move is a line through the middle, not along the floor.
  const y = (value: number) => (range === 0 ? height / 2 : height - 1.5 - ((value - low) / range) * (height - 3));
  return finite.map((value, i) => `${(i * step).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}
