import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { unpackCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { once } from '../../platform/once.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
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

const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Bars of a bundled series with `fromMs <= open <= toMs`. The market starts at the first bar. */
function sliceOf(series: Candles, { interval, fromMs, toMs }: VenueCandleRequest): CandleWindow {
  const span = intervalMs[interval];
  const firstMs = series.time[0] ?? 0;
  const start = Math.max(0, Math.ceil((fromMs - firstMs) / span));
  const end = Math.max(start, Math.min(series.time.length, Math.floor((toMs - firstMs) / span) + 1));
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

/** An exchange backed by the bundled file. */
function createFrozenVenue(exchange: ExchangeId, data: () => FrozenData): Venue {
  const venue = (): FrozenVenue => data().venues[exchange];
  const series = new Map<string, Candles>();
  const unknown = (symbol: string): Outcome<never> =>
    reject('symbol_unknown', `The sandbox has no ${symbol} on ${exchange}.`, { field: 'symbol' });
  const resultOf = <T>(value: T | undefined, symbol: string): Promise<Outcome<T>> =>
    Promise.resolve(value === undefined ? unknown(symbol) : ok(value));

  function seriesOf(symbol: string, interval: Interval): Candles | undefined {
    const key = `${symbol} ${interval}`;
    const packed = venue().candles[symbol]?.[interval];
    const candles = series.get(key) ?? (packed === undefined ? undefined : unpackCandles(packed));
    if (candles !== undefined) series.set(key, candles);
    return candles;
  }

  return {
    exchange,
    state: () => 'ok',
    symbols: () => Promise.resolve(ok({ symbols: venue().symbols, leftOut: venue().leftOut, readAtMs: SANDBOX_MS })),
    candles(request) {
      if (request.price === 'mark')
        return Promise.resolve(reject('not_in_sandbox', 'The sandbox has no mark price candles.'));
      const whole = seriesOf(request.symbol, request.interval);
      if (whole !== undefined) return Promise.resolve(ok(sliceOf(whole, request)));
      const isListed = venue().symbols.some(({ symbol }) => symbol === request.symbol);
      const message = 'The sandbox has candles of binance only.';
      return Promise.resolve(isListed ? reject('not_in_sandbox', message) : unknown(request.symbol));
    },
    prices: () => Promise.resolve(ok(venue().prices)),
    tops: () => Promise.resolve(ok(venue().tops)),
    turnovers: () => Promise.resolve(ok(venue().turnovers)),
    orderBook: (symbol) => resultOf(venue().books[symbol], symbol),
    funding: (symbol) => resultOf(venue().funding[symbol], symbol),
    tiers: () => Promise.resolve(ok(null)),
    async fundingHistory({ symbol, sinceMs, untilMs }) {
      const history = await resultOf(venue().fundingHistory[symbol], symbol);
      if (!history.ok) return history;
      const rows = history.value.time
        .map((time, i) => ({ time, rate: history.value.rate[i] ?? 0 }))
        .filter(({ time }) => time >= sinceMs && time < untilMs);
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
 * The market of the sandbox: the same service over the bundled exchanges, with a stopped clock. Nothing is fetched, so users have no
 * share of fetches, which would never refill with that clock.
 */
export const createFrozenMarket = once((): Market => {
  const venues = byVenue((exchange) => createFrozenVenue(exchange, readFrozenData));
  const market = createMarket({ venues, now: () => SANDBOX_MS });
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
});
