import { Time } from '../../../ui/Time.tsx';

/** A value at a time; null where nothing was measured: the line is broken there. */
interface PlotPoint {
  atMs: number;
  value: number | null;
}

interface PlotBox {
  width: number;
  height: number;
  /** Values at the lower and the upper edge. */
  low: number;
  high: number;
}

/** Points of each unbroken stretch as SVG polyline points; a lone point is a stretch of one. */
export function polylines(points: readonly PlotPoint[], { width, height, low, high }: PlotBox): string[] {
  const first = points[0]?.atMs ?? 0;
  const spanMs = (points.at(-1)?.atMs ?? 0) - first;
  const stretches: string[][] = [[]];
  for (const { atMs, value } of points) {
    if (value === null) {
      stretches.push([]);
      continue;
    }
    const x = spanMs > 0 ? ((atMs - first) / spanMs) * width : width / 2;
    const y = high > low ? height - ((value - low) / (high - low)) * height : height / 2;
    stretches.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  return stretches.filter((stretch) => stretch.length > 0).map((stretch) => stretch.join(' '));
}

const WIDTH = 800;

interface Props {
  /** What the line is, to a screen reader and above the plot. */
  label: string;
  points: readonly PlotPoint[];
  height: number;
  colour: 'accent' | 'down';
  format: (value: number) => string;
  /** Kept in sight. */
  level?: number;
}

/** A measured line through time with its lowest and highest value; broken where nothing was measured. */
export function LinePlot({ label, points, height, colour, format, level }: Props) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const shown = level === undefined ? values : [...values, level];
  const low = Math.min(...shown);
  const high = Math.max(...shown);
  const last = values.at(-1);
  if (last === undefined) return null;
  const room = (high - low || Math.abs(high) * 0.01 || 1) * 0.06;
  const box = { width: WIDTH, height, low: low - room, high: high + room };
  const yOf = (value: number): number => height - ((value - box.low) / (box.high - box.low)) * height;
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex justify-between gap-3 text-label text-muted">
        <span>{label}</span>
        <span className="font-mono">
          {format(low)} to {format(high)}, now {format(last)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: between ${format(low)} and ${format(high)}, now ${format(last)}`}
        className="block w-full"
        style={{ height }}
      >
        {level !== undefined && (
          <line
            x1="0"
            x2={WIDTH}
            y1={yOf(level)}
            y2={yOf(level)}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {polylines(points, box).map((line) => (
          <polyline
            key={line}
            points={line}
            fill="none"
            stroke={`var(--${colour})`}
            strokeWidth="1.5"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div className="flex justify-between text-label text-muted">
        <Time at={points[0]?.atMs ?? null} />
        <Time at={points.at(-1)?.atMs ?? null} />
      </div>
    </figure>
  );
}
