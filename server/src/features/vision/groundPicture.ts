import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles, EnginePool } from '@sextant/workers/src/protocol.ts';
import { ok } from '@sextant/workers/src/result.ts';
import type { GroundMatch } from '@sextant/workers/src/vision/ground.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import { refuseTask } from '../backtest/loadRun.ts';
import type { Interval, Market } from '../market/port.ts';

export interface Grounded {
  symbol: string;
  interval: Interval;
  match: GroundMatch;
  /** Opens of the first and of the last candle of the picture, epoch ms. The last one may not have closed. */
  fromMs: number;
  toMs: number;
}

export interface Grounding {
  found: Grounded | null;
  seriesCount: number;
  candleCount: number;
}

interface GroundDeps {
  market: Market;
  engine: EnginePool;
}

interface Series {
  symbol: string;
  interval: Interval;
  candles: Candles;
}

/** Candles of the symbol that the title names, on each interval. */
const NAMED_CANDLES = 1500;
/** Candles of every streamed series: as many as memory holds. */
const STREAMED_CANDLES = 500;
const UNIVERSE_MAX = 128;
/** Fetched when nothing is streamed (yet): the symbols with the largest turnover. */
const FETCHED_SYMBOLS = 12;

const known = (name: string | undefined): Interval | undefined => intervals.find((interval) => interval === name);

/** Searches the candles of the named symbol, then those of every symbol in memory. Nothing found is an answer. */
export async function groundPicture(
  deps: GroundDeps,
  reading: ChartReading,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<Outcome<Grounding>> {
  const total = { seriesCount: 0, candleCount: 0 };
  const named = await namedSeries(deps.market, reading, { userId, signal });
  for (const load of [() => named, () => universeSeries(deps.market, { userId, signal })]) {
    const series = await load();
    const picture = {
      index: reading.candles.map(({ index }) => index),
      // Rows run down the picture.
      close: reading.candles.map(({ close }) => -close),
    };
    const closes = series.map(({ symbol, interval, candles }) => ({ symbol, interval, close: candles.close.slice() }));
    const run = await deps.engine.run('ground', { picture, series: closes }, { signal });
    if (!run.ok) return refuseTask(run.error);
    total.seriesCount += run.value.seriesCount;
    total.candleCount += run.value.candleCount;
    const { match } = run.value;
    const chosen = match === null ? undefined : series[match.series];
    if (match !== null && chosen !== undefined) return ok({ found: placeOf(chosen, match), ...total });
  }
  return ok({ found: null, ...total });
}

function placeOf({ symbol, interval, candles }: Series, match: GroundMatch): Grounded {
  const step = intervalMs[interval];
  const start = candles.time[Math.max(0, match.start)] ?? 0;
  const fromMs = start + Math.min(0, match.start) * step;
  const lastIndex = match.start + match.count - 1;
  const lastClosed = candles.time.length - 1;
  const toMs = (candles.time[Math.min(lastIndex, lastClosed)] ?? 0) + Math.max(0, lastIndex - lastClosed) * step;
  return { symbol, interval, match, fromMs, toMs };
}

async function namedSeries(
  market: Market,
  { text }: ChartReading,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<Series[]> {
  const symbol = text?.symbol?.value;
  if (symbol === undefined) return [];
  const told = known(text?.interval?.value);
  const wanted = told === undefined ? intervals : [told, ...signalIntervals.filter((interval) => interval !== told)];
  const found = await Promise.all(
    wanted.map(async (interval): Promise<Series | null> => {
      const answer = await market.candles({ symbol, interval, limit: NAMED_CANDLES, userId, signal });
      return answer.ok ? { symbol, interval, candles: answer.value.value.candles } : null;
    }),
  );
  return found.filter((each) => each !== null);
}

/** Without a fetch where the streams have filled the memory. */
async function universeSeries(
  market: Market,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<Series[]> {
  const turnovers = await market.turnovers({ signal });
  if (!turnovers.ok) return [];
  const symbols = turnovers.value.value.slice(0, UNIVERSE_MAX).map(({ symbol }) => symbol);
  const warm = warmSeries(market, symbols);
  if (warm.length > 0) return warm;
  const wanted = symbols
    .slice(0, FETCHED_SYMBOLS)
    .flatMap((symbol) => signalIntervals.map((interval) => ({ symbol, interval })));
  const found = await Promise.all(
    wanted.map(async ({ symbol, interval }): Promise<Series | null> => {
      const request = { symbol, interval, limit: STREAMED_CANDLES, userId, purpose: 'scan', signal } as const;
      const answer = await market.candles(request);
      return answer.ok ? { symbol, interval, candles: answer.value.value.candles } : null;
    }),
  );
  return found.filter((each) => each !== null);
}

/** Candles in memory, as they are. */
export const warmSeries = (
  market: Market,
  symbols: readonly string[],
  wanted: readonly Interval[] = signalIntervals,
): Series[] =>
  symbols.flatMap((symbol) =>
    wanted.flatMap((interval) => {
      const warm = market.readWarm({ symbol, interval, limit: STREAMED_CANDLES });
      return warm === null ? [] : [{ symbol, interval, candles: warm.candles }];
    }),
  );
