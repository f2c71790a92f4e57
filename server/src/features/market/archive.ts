import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { sliceCandles } from './columns.ts';
import type { CandleGap, CandleWindow, StoredSpan } from './port.ts';

/** How the cache uses the candle store. */

interface Bars {
  fromMs: number;
  toMs: number;
}

/** More holes in the requested span than this are fetched as one. */
const partsMax = 3;
/** A bar may arrive this many steps late: until then its absence proves nothing. */
const lateBars = 3;

/** Open of the last bar that a fetched window proves: recent bars may still arrive, older missing ones were not sent. */
export function archiveTo(
  { candles }: CandleWindow,
  { toMs, stepMs, nowMs }: { toMs: number; stepMs: number; nowMs: number },
): number {
  const lastMs = candles.time.at(-1) ?? -Infinity;
  return lastMs < toMs && nowMs - toMs < lateBars * stepMs ? lastMs : toMs;
}

/**
 * Parts of the span that the store lacks, each extended by a stored bar at its seams, so that both can be compared. Undefined when
 * fetching the whole span costs no more.
 */
export function missingOf(
  { covered, candles }: StoredSpan,
  { fromMs, toMs }: Bars,
  stepMs: number,
): Bars[] | undefined {
  const missing: Bars[] = [];
  let startMs = fromMs;
  for (const each of covered) {
    if (each.fromMs > startMs) missing.push({ fromMs: startMs, toMs: each.fromMs - stepMs });
    startMs = Math.max(startMs, each.toMs + stepMs);
  }
  if (startMs <= toMs) missing.push({ fromMs: startMs, toMs });
  const lacking = missing.reduce((sum, each) => sum + (each.toMs - each.fromMs) / stepMs + 1, 0);
  const isLittle = candles.time.length === 0 || missing.length > partsMax;
  if (isLittle || lacking > 0.8 * ((toMs - fromMs) / stepMs + 1)) return undefined;
  return missing.map((each) => ({
    fromMs: Math.max(fromMs, each.fromMs - stepMs),
    toMs: Math.min(toMs, each.toMs + stepMs),
  }));
}

/** A window with its gaps: between two candles, and at its recent end. */
export function windowOf(candles: Candles, { fromMs, toMs }: Bars, stepMs: number): CandleWindow {
  const cut = sliceCandles(candles, fromMs, toMs);
  const { time } = cut;
  const gaps: CandleGap[] = [];
  for (let i = 1; i <= time.length; i++) {
    const beforeMs = time[i - 1] as number;
    const nextMs = time[i] ?? toMs + stepMs;
    const missingCount = (nextMs - beforeMs) / stepMs - 1;
    if (missingCount > 0) gaps.push({ fromMs: beforeMs + stepMs, toMs: nextMs - stepMs, missingCount });
  }
  return { candles: cut, gaps, rejectedCount: 0 };
}
