import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { liveSignalCandles } from '@sextant/workers/src/signals/signalRules.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { Interval } from '../market/port.ts';
import { marketRules } from '../signals/marketRules.ts';
import type { Grounded } from './groundPicture.ts';
import type { AnalyseDeps, AnalysisRequest } from './analyse.ts';

/** Candles for the analysis of a picture: market candles of its time, or those read from it. */

/** Candles to analyse, base interval first, with the rules of their market. */
export interface Material {
  base: { interval: Interval; candles: Candles };
  longer: { interval: Interval; candles: Candles }[];
  /** 15m, 1h and 4h at the same moment; none without a market. */
  single: { interval: Interval; candles: Candles }[];
  market: ReturnType<typeof marketRules>;
  hasPrices: boolean;
}

export const isSignal = (interval: Interval): boolean => signalIntervals.some((each) => each === interval);

export async function materialOfMarket(
  deps: AnalyseDeps,
  result: Grounded,
  requested: AnalysisRequest,
): Promise<Outcome<Material>> {
  const { market, now } = deps;
  const { symbol, interval } = result;
  // A current picture is analysed on the newest candles, an old one on those of its time.
  const endTimeMs = isCurrent(result, now()) ? undefined : result.toMs + intervalMs[interval];
  const longer = intervals.filter((each) => intervalMs[each] > intervalMs[interval] && isSignal(each)).slice(0, 2);
  const wanted = [...new Set([interval, ...longer, ...signalIntervals])];
  const series = new Map<Interval, Candles>();
  for (const each of wanted) {
    const needed = liveSignalCandles(intervalMs[each]);
    const limit = each === interval ? Math.max(needed, result.match.count + 1) : needed;
    const response = await market.candles({
      symbol,
      interval: each,
      limit,
      userId: requested.userId,
      signal: requested.signal,
      ...withoutUndefined({ endTimeMs }),
    });
    if (response.ok) series.set(each, response.value.value.candles);
    else if (each === interval) return response;
  }
  const symbols = await market.symbols({ signal: requested.signal });
  const rules = symbols.ok ? symbols.value.value.find((each) => each.symbol === symbol) : undefined;
  const of = (names: readonly Interval[]) =>
    names.flatMap((each) => {
      const candles = series.get(each);
      return candles === undefined || candles.time.length === 0 ? [] : [{ interval: each, candles }];
    });
  const [base] = of([interval]);
  if (base === undefined)
    return failWith({ code: 'too_few_candles', message: `${symbol} has no ${interval} candles.` });
  return ok({ base, longer: of(longer), single: of(signalIntervals), market: marketRules(rules), hasPrices: true });
}

export const isCurrent = ({ toMs, interval }: Grounded, nowMs: number): boolean =>
  toMs >= nowMs - 3 * intervalMs[interval];

/** Candles as read: in prices if the axis could be read, otherwise in pixel rows, inverted so that up is positive. */
export function materialOfReading(reading: ChartReading): Material {
  const reported = reading.text?.interval?.value;
  const interval = intervals.find((each) => each === reported) ?? '1h';
  const bottom = Math.max(...reading.candles.map(({ low }) => low)) + 1;
  const rows = reading.prices?.candles ?? reading.candles.map((candle) => upsideUp(candle, bottom));
  const count = rows.length;
  const column = (pick: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, pick);
  const candles: Candles = {
    time: column(({ index }) => index * intervalMs[interval]),
    open: column(({ open }) => open),
    high: column(({ open, high, close }) => Math.max(open, high, close)),
    low: column(({ open, low, close }) => Math.min(open, low, close)),
    close: column(({ close }) => close),
    volume: volumeOf(reading) ?? new Float64Array(count).fill(1),
  };
  const none = { longer: [], single: [], market: marketRules(undefined) };
  return { base: { interval, candles }, ...none, hasPrices: reading.prices !== null };
}

/** Bars as fractions of the highest one: the volume axis is not read. */
export function volumeOf({ volume }: ChartReading): Float64Array | null {
  const highest = Math.max(0, ...(volume?.heights ?? []));
  return volume === null || highest === 0 ? null : Float64Array.from(volume.heights, (height) => height / highest);
}

const upsideUp = ({ index, open, high, low, close }: ChartReading['candles'][number], bottom: number) => ({
  index,
  open: bottom - open,
  high: bottom - high,
  low: bottom - low,
  close: bottom - close,
});
