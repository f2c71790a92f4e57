import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Interval } from './port.ts';

/** Open of the last bar that had closed at `atMs`. */
export function lastClosedOpen(interval: Interval, atMs: number): number {
  const span = intervalMs[interval];
  return Math.floor(atMs / span) * span - span;
}
