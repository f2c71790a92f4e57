import type { Interval } from './port.ts';

export const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const satisfies readonly Interval[];

export const intervalMs: Readonly<Record<Interval, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** Open of the last bar that had closed at `atMs`. */
export function lastClosedOpen(interval: Interval, atMs: number): number {
  const span = intervalMs[interval];
  return Math.floor(atMs / span) * span - span;
}
