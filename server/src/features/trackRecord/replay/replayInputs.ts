import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { Outcome, Rejection } from '../../../platform/errors.ts';
import { mapLimited } from '../../../platform/mapLimited.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { History } from '../../history/port.ts';
import { endedSymbol } from '../../history/withEndedContracts.ts';
import type { FuturesSymbol, Interval, Market } from '../../market/port.ts';
import { type ListedDays, universeDays } from './universeDays.ts';

/** Candles and universe of a replay, as they were known at each moment. */

export interface ReplaySources {
  /** Candles of ended contracts come from the store. */
  market: Pick<Market, 'symbols' | 'candles'>;
  history: Pick<History, 'readListings' | 'readUniverseDays' | 'readClosedCandles'>;
  /** End of the candles. */
  now?: () => number;
}

export const REPLAY_EXCHANGE = 'binance';
/** Two pages of an exchange: 1,000 signals after the candles of the first one. */
export const REPLAY_CANDLES = 1500;
/** Daily candles for the universe: as many days as the 4 h candles span. */
const DAYS = Math.ceil((REPLAY_CANDLES * intervalMs['4h']) / DAY_MS);
const DAILY_READS_AT_ONCE = 4;

/** Source of the candles. Reads are in the background: requests of users are sent first. */
async function readHistoryFor(
  { market, history, now = Date.now }: ReplaySources,
  series: { symbol: string; interval: Interval; count: number },
): Promise<Outcome<Candles>> {
  const { symbol, interval, count: limit } = series;
  // With an end: the series of a replay need not be refreshed at each close.
  const span = { limit, endTimeMs: now() };
  const read = await inBackground(() => market.candles({ exchange: REPLAY_EXCHANGE, symbol, interval, ...span }));
  return read.ok ? ok(await asFirstSent(history, { symbol, interval }, read.value.value.candles)) : read;
}

export interface ReplayedCandles {
  interval: Interval;
  stepMs: number;
  candles: Candles;
}

/**
 * Candles of a symbol on several intervals, the base first; none when an interval has no candles.
 * @param countOf number of candles of an interval; `base` is undefined for the base itself
 */
export async function readSeriesFor(
  sources: ReplaySources,
  symbol: string,
  intervals: readonly Interval[],
  countOf: (interval: Interval, base: ReplayedCandles | undefined) => number,
): Promise<Outcome<ReplayedCandles[]>> {
  const series: ReplayedCandles[] = [];
  for (const interval of intervals) {
    const candles = await readHistoryFor(sources, { symbol, interval, count: countOf(interval, series[0]) });
    if (!candles.ok) return candles;
    if (candles.value.time.length === 0) return ok([]);
    series.push({ interval, stepMs: intervalMs[interval], candles: candles.value });
  }
  return ok(series);
}

/** Candles are undefined where the store lacks them. */
export type SeriesRead = Omit<ReplayedCandles, 'candles'> & { candles: Candles | undefined };

/** Each interval of a contract that ended: without candles where the window starts after its end. */
export async function readEndedSeries(
  sources: ReplaySources,
  symbol: string,
  intervals: readonly Interval[],
): Promise<Outcome<SeriesRead[]>> {
  const series: SeriesRead[] = [];
  for (const interval of intervals) {
    const read = await readHistoryFor(sources, { symbol, interval, count: REPLAY_CANDLES });
    if (!read.ok && read.error.code !== 'symbol_unknown') return read;
    series.push({ interval, stepMs: intervalMs[interval], candles: read.ok ? read.value : undefined });
  }
  return ok(series);
}

/** The candles as the scanner had them at their close: a later revision is not known then. */
async function asFirstSent(
  history: ReplaySources['history'],
  series: { symbol: string; interval: Interval },
  candles: Candles,
): Promise<Candles> {
  const [from, to] = [candles.time[0], candles.time.at(-1)];
  if (from === undefined || to === undefined) return candles;
  const first = await history.readClosedCandles({ exchange: REPLAY_EXCHANGE, ...series, from, to, asOf: 0 });
  if (!first.ok) return candles;
  const { columns } = first.value;
  const indexOf = new Map(Array.from(columns.time, (openMs, i) => [openMs, i]));
  return candlesOf((name) =>
    candles[name].map((value, i) => {
      const at = indexOf.get(candles.time[i] ?? Number.NaN);
      return at === undefined ? value : (columns[name][at] ?? value);
    }),
  );
}

/** Contracts that ended while the replayed candles span, and are listed no more. */
export async function readEnded(
  { history, now = Date.now }: ReplaySources,
  listed: readonly FuturesSymbol[],
): Promise<Outcome<FuturesSymbol[]>> {
  const names = new Set(listed.map(({ symbol }) => symbol));
  const listings = await history.readListings(REPLAY_EXCHANGE);
  if (!listings.ok) return listings;
  const ended = listings.value
    .filter(({ symbol, endedAt }) => !names.has(symbol) && endedAt !== null && endedAt > now() - DAYS * DAY_MS)
    .map(endedSymbol)
    .filter((each) => each !== null);
  return ok(ended);
}

/** The stored lists of the exchange. */
async function readListedDays({ history, now = Date.now }: ReplaySources): Promise<Outcome<ListedDays>> {
  const read = await history.readUniverseDays(REPLAY_EXCHANGE, now() - DAYS * DAY_MS, now());
  return read.ok ? ok(new Map(read.value.map(({ day, symbols }) => [day, new Set(symbols)]))) : read;
}

export interface UniverseRead {
  /** Days of each symbol in the universe, the symbols of the newest day first. */
  days: Map<string, Float64Array>;
  /** Daily candles by symbol, those of the universe and others. */
  candles: ReadonlyMap<string, Candles>;
  unreadCount: number;
  /** Why the universe may be another one: daily candles or the stored lists could not be read. */
  failure: Rejection | undefined;
}

/** @param symbolsMax of a day, those with the largest turnover */
export async function readUniverseDays(
  deps: ReplaySources,
  symbols: readonly FuturesSymbol[],
  symbolsMax: number,
): Promise<UniverseRead> {
  const read = await mapLimited(symbols, DAILY_READS_AT_ONCE, async (symbol) => ({
    symbol,
    candles: await readHistoryFor(deps, { symbol: symbol.symbol, interval: '1d', count: DAYS }),
  }));
  const known = read.flatMap(({ symbol, candles }) => (candles.ok ? [{ symbol, candles: candles.value }] : []));
  // A symbol that the exchange does not know has no candles at any later time.
  const unread = read.flatMap(({ candles }) =>
    candles.ok || candles.error.code === 'symbol_unknown' ? [] : [candles.error],
  );
  const listed = await readListedDays(deps);
  const days = universeDays(known, symbolsMax, listed.ok ? listed.value : new Map());
  return {
    days: new Map([...days].sort(([, a], [, b]) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0))),
    candles: new Map(known.map(({ symbol, candles }) => [symbol.symbol, candles])),
    unreadCount: unread.length,
    failure: unread[0] ?? (listed.ok ? undefined : listed.error),
  };
}
