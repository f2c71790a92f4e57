import { readFileSync } from 'node:fs';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { type PackedCandles, unpackCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import { ownValue } from '@sextant/workers/src/core/ownValue.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { once } from '../../platform/once.ts';
import type { Interval } from '../market/port.ts';

/** Interval of the bundled candles after the sandbox's start; longer ones are combined from them. */
export const LATER_INTERVAL = '15m' satisfies Interval;
const stepMs = intervalMs[LATER_INTERVAL];

const readLater = once(
  () =>
    JSON.parse(readFileSync(new URL('./laterMarket.gen.json', import.meta.url), 'utf8')) as Record<
      string,
      PackedCandles
    >,
);

/** 15-minute candles of a symbol after the sandbox's start; undefined for a symbol without candles. Do not change them. */
export function laterCandles(symbol: string): Candles | undefined {
  const known = unpacked.get(symbol);
  const packed = ownValue(readLater(), symbol);
  if (known !== undefined || packed === undefined) return known;
  const candles = unpackCandles(packed);
  unpacked.set(symbol, candles);
  return candles;
}
const unpacked = new Map<string, Candles>();

const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
const empty = (length: number): Candles =>
  Object.fromEntries(columns.map((name) => [name, new Float64Array(length)])) as unknown as Candles;

/** Whole bars of an interval from 15-minute candles without a hole, the first at `fromMs`. */
export function combineCandles(quarters: Candles, interval: Interval, fromMs: number): Candles {
  const size = intervalMs[interval] / stepMs;
  const first = Math.round((fromMs - (quarters.time[0] ?? 0)) / stepMs);
  const count = Math.max(0, Math.floor((quarters.time.length - first) / size));
  const bars = empty(count);
  for (let bar = 0; bar < count; bar++) {
    const start = first + bar * size;
    const at = (name: keyof Candles, i: number): number => quarters[name][i] ?? 0;
    bars.time[bar] = at('time', start);
    bars.open[bar] = at('open', start);
    bars.close[bar] = at('close', start + size - 1);
    bars.high[bar] = Math.max(...quarters.high.subarray(start, start + size));
    bars.low[bar] = Math.min(...quarters.low.subarray(start, start + size));
    // Whole thousandths, so that the sum has no digits that no volume has.
    bars.volume[bar] =
      Math.round(quarters.volume.subarray(start, start + size).reduce((a, b) => a + b, 0) * 1000) / 1000;
  }
  return bars;
}

/** The bars of both series: `later` follows `earlier`. */
export function joinCandles(earlier: Candles, later: Candles): Candles {
  const joined = empty(earlier.time.length + later.time.length);
  for (const name of columns) {
    joined[name].set(earlier[name]);
    joined[name].set(later[name], earlier[name].length);
  }
  return joined;
}

/** Price change of a symbol from the sandbox's start until `nowMs`, in quote currency; 0 for a symbol without candles. */
export function moveUntil(symbol: string, nowMs: number): number {
  const later = laterCandles(symbol);
  const closed = Math.floor((nowMs - SANDBOX_MS) / stepMs);
  if (later === undefined || closed <= 0) return 0;
  return (later.close[closed - 1] ?? 0) - (later.open[0] ?? 0);
}
