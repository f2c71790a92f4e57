/** A value at a time; null where nothing was measured: the line is broken there. */
export interface PlotPoint {
  atMs: number;
  value: number | null;
}

export interface PlotBox {
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
