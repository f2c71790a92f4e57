/** One measurement of the account; the equity is null when a price was missing then. */
export interface EquityPoint {
  atMs: number;
  equity: number | null;
}

export interface Drawdown {
  /** Deepest fall from the running peak, fraction of the peak; null without a measured point. */
  deepest: number | null;
  /** Fall of the newest measured point from the peak. */
  now: number | null;
  /** By point; null where nothing was measured. */
  fractions: (number | null)[];
}

/** Fall of mark-to-market equity from its highest point so far. A point that was not measured neither rises nor falls. */
export function drawdownOf(points: readonly EquityPoint[]): Drawdown {
  let peak = -Infinity;
  let deepest: number | null = null;
  let now: number | null = null;
  const fractions = points.map(({ equity }) => {
    if (equity === null) return null;
    peak = Math.max(peak, equity);
    now = peak > 0 ? (peak - equity) / peak : 0;
    deepest = Math.max(deepest ?? 0, now);
    return now;
  });
  return { deepest, now, fractions };
}
