import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { AlignedMarks } from '@sextant/workers/src/candles/minutes.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { dequal } from 'dequal';
import type { IntervalName } from './types.ts';

/** `rate` is the rate longs paid at `time` (epoch ms), a fraction of the notional. */
export interface Funding {
  time: Float64Array;
  rate: Float64Array;
}

/** Closed candles in the browser, with their origin. Never proxied: the columns are large. */
export interface LoadedCandles {
  candles: Candles;
  /** `BTCUSDT`, or the name of the dropped file. */
  label: string;
  interval: IntervalName;
  intervalMs: number;
  source: 'exchange' | 'csv';
  /** The exchange that served the candles; null for a file. */
  exchange: string | null;
  /** Settled fundings as far as known; null for a file and when the exchange does not provide them. */
  funding: Funding | null;
  /** Mark prices of the candles; null where there are none, as for a file. Absent: not requested. */
  marks?: AlignedMarks | null;
  /** Rules for orders in the symbol; null where `rulesVenue` does not list it. Absent: none apply. */
  contract?: Contract | null;
  /** Exchange of those rules; absent beside `null`: still to be loaded. */
  rulesVenue?: Contract['exchange'];
  /** Without a network: when the rules cached in this browser were loaded, epoch ms. */
  rulesStoredAtMs?: number;
  /** The first candle that is scored opens here or later; absent: the usual share of the newest is scored. */
  scoredFromMs?: number;
  /** Without a range: how many of the newest are scored, where that is not the usual share. */
  scoredCount?: number;
  /** The network was down: the newest candles are the newest cached in this browser. */
  isOffline?: boolean;
  /** Without a network: number of candles requested. */
  requestedCount?: number;
  /** Without a network: end of the requested window, epoch ms. */
  requestedUntilMs?: number;
}

/** Whether two loads returned the same candles, fundings, mark prices, contract and scored part. */
export const isSameData = (one: LoadedCandles, other: LoadedCandles): boolean => one === other || dequal(one, other);

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param interval `15m`, `4h`, `1d`; NaN for anything else */
export function intervalToMs(interval: string): number {
  const match = /^(\d{1,4})([mhd])$/.exec(interval);
  return match === null ? NaN : Number(match[1]) * (unitMs[match[2] ?? ''] ?? NaN);
}

/** The shortest name of a candle length: 3 600 000 is `1h`. Null when it is not a whole number of minutes. */
export function msToInterval(ms: number): string | null {
  for (const unit of ['d', 'h', 'm'] as const) {
    const count = ms / (unitMs[unit] ?? NaN);
    if (Number.isInteger(count) && count > 0) return `${count}${unit}`;
  }
  return null;
}

/** The last `count` candles; the same object when there are no more. */
export function lastCandles(candles: Candles, count: number): Candles {
  const from = Math.max(0, candles.time.length - count);
  return from === 0 ? candles : mapColumns(candles, (column) => column.slice(from));
}

/** Older candles followed by newer ones. The caller must ensure that they do not overlap. */
export function joinCandles(older: Candles, newer: Candles): Candles {
  return mapColumns(older, (column, name) => {
    const joined = new Float64Array(column.length + newer[name].length);
    joined.set(column);
    joined.set(newer[name], column.length);
    return joined;
  });
}

export const mapColumns = (
  candles: Candles,
  change: (column: Float64Array, name: keyof Candles) => Float64Array,
): Candles => candlesOf((name) => change(candles[name], name));
