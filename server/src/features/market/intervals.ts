import { intervalMs } from '@sextant/workers/src/wire/intervals.ts';
import type { Interval } from './port.ts';

export const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const satisfies readonly Interval[];

export { intervalMs };

/** Open of the last bar that had closed at `atMs`. */
export function lastClosedOpen(interval: Interval, atMs: number): number {
  const span = intervalMs[interval];
  return Math.floor(atMs / span) * span - span;
}
