import { DAY_MS } from './skeleton.ts';

/** Each level divides a bar of the one above into `parts`; the last two are finer than any candle and carry the running price. */
export interface Level {
  durationMs: number;
  /** Children per bar of the level above; 1 at the top. */
  parts: number;
  /** Spread of the children's shares of variance: larger is burstier. */
  roughness: number;
}

export const levels: readonly Level[] = [
  { durationMs: DAY_MS, parts: 1, roughness: 0 },
  { durationMs: 4 * 3_600_000, parts: 6, roughness: 0.42 },
  { durationMs: 3_600_000, parts: 4, roughness: 0.45 },
  { durationMs: 900_000, parts: 4, roughness: 0.45 },
  { durationMs: 300_000, parts: 3, roughness: 0.42 },
  { durationMs: 60_000, parts: 5, roughness: 0.42 },
  { durationMs: 5_000, parts: 12, roughness: 0.55 },
  { durationMs: 1_000, parts: 5, roughness: 0.6 },
];

export const levelOfInterval: Record<string, number> = { '1d': 0, '4h': 1, '1h': 2, '15m': 3, '5m': 4, '1m': 5 };

/** Activity by UTC hour: Asia's morning, Europe's opening, America's opening as the peak, a quiet night. */
const hourly = [
  1.15, 0.95, 0.9, 0.82, 0.74, 0.72, 0.78, 0.92, 1.08, 1, 0.95, 0.95, 1.08, 1.42, 1.72, 1.6, 1.35, 1.18, 1.08, 1, 0.95,
  0.9, 0.86, 0.9,
];

/** Usual activity of child `part` of the bar with this `index` at the level above, relative to its siblings. */
export function usualActivity(level: number, index: number, part: number): number {
  if (level === 1) return hourly.slice(part * 4, part * 4 + 4).reduce((sum, x) => sum + x, 0) / 4;
  if (level === 2) return hourly[(index % 6) * 4 + part] as number;
  // Orders queue up for the full hour and the quarter.
  return (level === 3 || level === 4 || level === 5) && part === 0 ? 1.15 : 1;
}
