import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { unpackCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { once } from '../../platform/once.ts';
import { createMarket } from '../market/createMarket.ts';
import { noStream } from '../market/noStream.ts';
import type {
  CandleWindow,
  ExchangeId,
  Interval,
  Market,
  Venue,
  VenueCandleRequest,
  VenueFeed,
} from '../market/port.ts';
import { type FrozenData, type FrozenVenue, readFrozenData } from './frozenData.ts';
import { fundingHistoryAt, quotesAt } from './frozenQuotes.ts';
import { combineCandles, joinCandles, LATER_INTERVAL, laterCandles } from './laterCandles.ts';

const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Closed bars of a series with `fromMs <= open <= toMs`. The market starts at the first bar. */
function sliceOf(series: Candles, { interval, fromMs, toMs }: VenueCandleRequest, nowMs: number): CandleWindow {
  const span = intervalMs[interval];
  const firstMs = series.time[0] ?? 0;
  const start = Math.max(0, Math.ceil((fromMs - firstMs) / span));
  const lastMs = Math.min(toMs, nowMs - span);
  const end = Math.max(start, Math.min(series.time.length, Math.floor((lastMs - firstMs) / span) + 1));
  const columns = candleColumns.map((name) => [name, series[name].slice(start, end)]);
  return { candles: Object.fromEntries(columns) as Record<keyof Candles, Float64Array>, gaps: [], rejectedCount: 0 };
}

const silentFeed: VenueFeed = {
  want: () => Promise.resolve(ok(null)),
  health: () => noStream,
  dataAtMs: () => ({ candles: null, prices: null }),
  isSilent: () => false,
  close: () => undefined,
};

const noPositioning = (): Promise<Outcome<never>> =>
  Promise.resolve(reject('not_in_sandbox', 'The sandbox has no open interest and no long/short ratios.'));

/** Intervals that have no candles after the start: the bundled ones are of 15 minutes. */
const isTooShort = (interval: Interval): boolean => intervalMs[interval] < intervalMs[LATER_INTERVAL];

const joined = new Map<string, Candles>();

/** The whole series of a symbol, from the first bundled bar to the end of the sandbox. */
function seriesOf({ candles }: FrozenVenue, symbol: string, interval: Interval): Candles | undefined {
  const key = `${symbol} ${interval}`;
  const [packed, quarters] = [candles[symbol]?.[interval], candles[symbol]?.[LATER_INTERVAL]];
  // Only one exchange has candles, so that the symbol names the series.
  if (packed === undefined || quarters === undefined) return undefined;
  const known = joined.get(key);
  if (known !== undefined) return known;
  const earlier = unpackCandles(packed);
  const later = laterCandles(symbol);
  const nextMs = (earlier.time.at(-1) ?? 0) + intervalMs[interval];
  const series =
    later === undefined || isTooShort(interval)
      ? earlier
      : joinCandles(earlier, combineCandles(joinCandles(unpackCandles(quarters), later), interval, nextMs));
  joined.set(key, series);
  return series;
}

/** An exchange backed by the bundled files, at one time. */
function createFrozenVenue(exchange: ExchangeId, data: () => FrozenData, nowMs: number): Venue {
  const venue = (): FrozenVenue => data().venues[exchange];
  const quotes = once(() => quotesAt(venue(), nowMs));
  const unknown = (symbol: string): Outcome<never> =>
    reject('symbol_unknown', `The sandbox has no ${symbol} on ${exchange}.`, { field: 'symbol' });
  const resultOf = <T>(value: T | undefined, symbol: string): Promise<Outcome<T>> =>
    Promise.resolve(value === undefined ? unknown(symbol) : ok(value));

  return {
    exchange,
    state: () => 'ok',
    symbols: () => Promise.resolve(ok({ symbols: venue().symbols, leftOut: venue().leftOut, readAtMs: nowMs })),
    candles(request) {
      if (request.price === 'mark')
        return Promise.resolve(reject('not_in_sandbox', 'The sandbox has no mark price candles.'));
      const whole = seriesOf(venue(), request.symbol, request.interval);
      if (whole !== undefined && nowMs > SANDBOX_MS && isTooShort(request.interval))
        return Promise.resolve(reject('not_in_sandbox', 'The sandbox has 1m and 5m candles at its start only.'));
      if (whole !== undefined) return Promise.resolve(ok(sliceOf(whole, request, nowMs)));
      const isListed = venue().symbols.some(({ symbol }) => symbol === request.symbol);
      const message = 'The sandbox has candles of binance only.';
      return Promise.resolve(isListed ? reject('not_in_sandbox', message) : unknown(request.symbol));
    },
    prices: () => Promise.resolve(ok(quotes().prices)),
    tops: () => Promise.resolve(ok(quotes().tops)),
    turnovers: () => Promise.resolve(ok(venue().turnovers)),
    orderBook: (symbol) => resultOf(quotes().books[symbol], symbol),
    funding: (symbol) => resultOf(quotes().funding[symbol], symbol),
    tiers: () => Promise.resolve(ok(null)),
    async fundingHistory({ symbol, sinceMs, untilMs }) {
      const history = await resultOf(venue().fundingHistory[symbol], symbol);
      if (!history.ok) return history;
      const rows = fundingHistoryAt(history.value, nowMs).filter(({ time }) => time >= sinceMs && time < untilMs);
      const column = (name: 'time' | 'rate'): Float64Array => Float64Array.from(rows, (row) => row[name]);
      return ok({ time: column('time'), rate: column('rate') });
    },
    openInterest: noPositioning,
    openInterestSeries: noPositioning,
    longShortSeries: noPositioning,
    feed: () => silentFeed,
  };
}

/**
 * The market of the sandbox at one time: the same service over the bundled exchanges, with a stopped clock. Nothing is fetched, so
 * users have no share of fetches, which would never refill with that clock.
 */
export function createFrozenMarket(nowMs: number): Market {
  const venues = byVenue((exchange) => createFrozenVenue(exchange, readFrozenData, nowMs));
  const market = createMarket({ venues, now: () => nowMs });
  const ofService = <Request extends { userId?: string }>({ userId: _user, ...request }: Request) => request;
  return {
    ...market,
    candles: (request) => market.candles(ofService(request)),
    minutes: (request) => market.minutes(ofService(request)),
    funding: (request) => market.funding(ofService(request)),
    fundingHistory: (request) => market.fundingHistory(ofService(request)),
    orderBook: (request) => market.orderBook(ofService(request)),
    contract: (request) => market.contract(ofService(request)),
  };
}
