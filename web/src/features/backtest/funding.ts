import type { Candles } from '@sextant/workers/src/protocol.ts';
import type { Funding } from '../../api/candles.ts';

/** The fundings of the window of the candles; null when there is none. */
export function fundingWithin({ time, rate }: Funding, candles: Candles, intervalMs: number): Funding | null {
  const from = candles.time[0] ?? Infinity;
  const until = (candles.time.at(-1) ?? -Infinity) + intervalMs;
  const isInside = (_: number, i: number) => (time[i] ?? 0) >= from && (time[i] ?? 0) < until;
  const inside = { time: time.filter(isInside), rate: rate.filter(isInside) };
  return inside.time.length === 0 ? null : inside;
}
