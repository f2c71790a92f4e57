import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { GroundMatch } from '@sextant/workers/src/vision/ground.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import { rejectTask } from '../market/rejectTask.ts';
import type { Interval, Market } from '../market/port.ts';

export interface Grounded {
  symbol: string;
  interval: Interval;
  match: GroundMatch;
  /** Opens of the first and of the last candle of the picture, epoch ms. The last one may not have closed. */
  fromMs: number;
  toMs: number;
}

/** The match, and the searched data. */
export interface Grounding {
  found: Grounded | null;
  symbolCount: number;
  intervals: Interval[];
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

/** Candles of the symbol in the title, on each of the six intervals. */
const NAMED_CANDLES = 1500;
/** Candles of every series in memory, most first: streams store about 500, some series are longer because they were requested. */
const WARM_CANDLES = [5000, 2000, 1000, 560, 500];
/** Candles of each series that is fetched. */
const FETCHED_CANDLES = 500;
const UNIVERSE_MAX = 128;
/** Fetched when nothing is streamed (yet): the symbols with the largest turnover. */
const FETCHED_SYMBOLS = 12;

const known = (name: string | undefined): Interval | undefined => intervals.find((interval) => interval === name);

/** Searches the candles of the named symbol, then those of every symbol in memory. No match is a valid result. */
export async function groundPicture(
  deps: GroundDeps,
  reading: ChartReading,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<Outcome<Grounding>> {
  const named = await namedSeries(deps.market, reading, { userId, signal });
  // Series in memory may reach further back than those read for the title.
  const isLonger = (each: Series): boolean =>
    named.every((other) => !isSame(each, other) || other.candles.time.length < each.candles.time.length);
  const others = async (): Promise<Series[]> =>
    (await universeSeries(deps.market, { userId, signal })).filter(isLonger);
  let searched: Series[] = [];
  for (const load of [() => named, others]) {
    const series = await load();
    const picture = {
      index: reading.candles.map(({ index }) => index),
      // Rows run down the picture.
      close: reading.candles.map(({ close }) => -close),
    };
    const closes = series.map(({ symbol, interval, candles }) => ({ symbol, interval, close: candles.close.slice() }));
    const run = await deps.engine.run('ground', { picture, series: closes }, { signal });
    if (!run.ok) return rejectTask(run.error);
    searched = [...searched.filter((each) => !series.some((other) => isSame(each, other))), ...series];
    const { match } = run.value;
    const chosen = match === null ? undefined : series[match.series];
    if (match !== null && chosen !== undefined) return ok({ found: placeOf(chosen, match), ...extentOf(searched) });
  }
  return ok({ found: null, ...extentOf(searched) });
}

const isSame = (a: Series, b: Series): boolean => a.symbol === b.symbol && a.interval === b.interval;

function extentOf(searched: readonly Series[]): Omit<Grounding, 'found'> {
  const named = new Set(searched.map(({ interval }) => interval));
  return {
    symbolCount: new Set(searched.map(({ symbol }) => symbol)).size,
    intervals: intervals.filter((interval) => named.has(interval)),
    seriesCount: searched.length,
    candleCount: searched.reduce((sum, { candles }) => sum + candles.time.length, 0),
  };
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
  const reported = known(text?.interval?.value);
  // The interval of the title first: of equal matches the first one wins.
  const wanted =
    reported === undefined ? intervals : [reported, ...intervals.filter((interval) => interval !== reported)];
  const matches = await Promise.all(
    wanted.map(async (interval): Promise<Series | null> => {
      const response = await market.candles({ symbol, interval, limit: NAMED_CANDLES, userId, signal });
      return response.ok ? { symbol, interval, candles: response.value.value.candles } : null;
    }),
  );
  return matches.filter((each) => each !== null);
}

/** Fetches nothing when the streams have filled the memory. */
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
  const matches = await Promise.all(
    wanted.map(async ({ symbol, interval }): Promise<Series | null> => {
      const request = { symbol, interval, limit: FETCHED_CANDLES, userId, purpose: 'scan', signal } as const;
      const response = await market.candles(request);
      return response.ok ? { symbol, interval, candles: response.value.value.candles } : null;
    }),
  );
  return matches.filter((each) => each !== null);
}

/** Candles in memory: of each series as many as it has without a gap. */
export const warmSeries = (
  market: Market,
  symbols: readonly string[],
  wanted: readonly Interval[] = intervals,
): Series[] =>
  symbols.flatMap((symbol) =>
    wanted.flatMap((interval) => {
      for (const limit of WARM_CANDLES) {
        const warm = market.readWarm({ symbol, interval, limit });
        if (warm !== null) return [{ symbol, interval, candles: warm.candles }];
      }
      return [];
    }),
  );
