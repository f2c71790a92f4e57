import { type BookLevel, bookOf } from '../market/book.ts';
import { hash } from '../market/hash.ts';
import { markBarOf } from '../market/mark.ts';
import { longShortRatioOf, openInterestOf, stampsOf } from '../market/positioning.ts';
import type { Candle } from '../market/seededMarket.ts';
import type { Listing } from '../market/venues.ts';
import {
  type ResponseBody,
  barsFor,
  DAY_MS,
  finePrice,
  fundingTimes,
  HOUR_MS,
  intervalMs,
  nextFunding,
  price,
  priceOrFunding,
  quantity,
  quantityStep,
  type Query,
  rate,
  type Route,
  type Rows,
  tickSize,
  turnover,
  whole,
  type Wire,
} from '../wire.ts';

/** Bybit v5 REST, category linear: everything in `{retCode, retMsg, result, time}`, HTTP 200 for its own errors. Source: Bybit's public API documentation. */
export const intervalNames: Record<string, string> = { 1: '1m', 5: '5m', 15: '15m', 60: '1h', 240: '4h', D: '1d' };

const ok = (wire: Wire, result: object): ResponseBody => ({
  body: { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: wire.nowMs },
});
const fail = (wire: Wire, retCode: number, retMsg: string): ResponseBody => ({
  body: { retCode, retMsg, result: {}, retExtInfo: {}, time: wire.nowMs },
});

const isListed = (wire: Wire) => (listing: Listing) => wire.market.listedAtMs(listing) <= wire.nowMs;

function instruments(wire: Wire, query: Query): ResponseBody {
  if (query['category'] !== 'linear') return fail(wire, 10001, 'Illegal category');
  const limit = Math.min(1000, whole(query['limit']) ?? 500);
  const coins = [...wire.listings.values()].filter(isListed(wire)).map((listing) => instrument(wire, listing));
  const all = query['status'] === 'PreLaunch' ? [] : [...coins, ...stocksBeside(coins)];
  const requested = query['symbol'] === undefined ? all : all.filter(({ symbol }) => symbol === query['symbol']);
  const from = query['cursor'] === undefined ? 0 : Number(decodeURIComponent(query['cursor']).replace('offset=', ''));
  const list = requested.slice(from, from + limit);
  const next = from + limit;
  return ok(wire, {
    category: 'linear',
    list,
    nextPageCursor: next < requested.length ? encodeURIComponent(`offset=${next}`) : '',
  });
}

/** Stocks are listed beside coins: ON is a company here and a coin on another exchange. A client has to leave them out. */
const stocksBeside = (coins: Instrument[]): Instrument[] =>
  coins.slice(0, 1).flatMap((first) => [
    { ...first, symbol: 'TSLAUSDT', baseCoin: 'TSLA', symbolType: 'stock' },
    { ...first, symbol: 'ONUSDT', baseCoin: 'ON', symbolType: 'stock' },
  ]);

type Instrument = Record<string, unknown>;

const states = { trading: 'Trading', halted: 'PreLaunch', ended: 'Closed' };

function instrument(wire: Wire, listing: Listing): Instrument {
  return {
    symbol: listing.id,
    contractType: 'LinearPerpetual',
    status: states[listing.state ?? 'trading'],
    baseCoin: listing.id.slice(0, -4),
    quoteCoin: 'USDT',
    symbolType: '',
    launchTime: String(wire.market.listedAtMs(listing)),
    deliveryTime: '0',
    deliveryFeeRate: '',
    priceScale: String(listing.priceDecimals),
    leverageFilter: { minLeverage: '1', maxLeverage: `${listing.instrument.maxLeverage}.00`, leverageStep: '0.01' },
    priceFilter: { minPrice: tickSize(listing), maxPrice: '1999999.80', tickSize: tickSize(listing) },
    lotSizeFilter: {
      maxOrderQty: '1190000.000',
      minOrderQty: quantityStep(listing),
      qtyStep: quantityStep(listing),
      postOnlyMaxOrderQty: '1190000.000',
      maxMktOrderQty: '500000.000',
      minNotionalValue: '5',
    },
    unifiedMarginTrade: true,
    fundingInterval: listing.instrument.fundingHours * 60,
    settleCoin: 'USDT',
    copyTrading: 'both',
    upperFundingRate: '0.02',
    lowerFundingRate: '-0.02',
    isPreListing: false,
  };
}

const kline = (wire: Wire, query: Query): ResponseBody => rowsResponse(wire, query, candleRow);
const markKline = (wire: Wire, query: Query): ResponseBody => rowsResponse(wire, query, markRow);

/** Open time and four prices. */
function markRow(listing: Listing, candle: Candle, spanMs: number): string[] {
  const { openTimeMs, open, high, low, close } = markBarOf(listing, candle, spanMs);
  return [String(openTimeMs), ...[open, high, low, close].map((value) => finePrice(listing, value))];
}

type RowOf = (listing: Listing, candle: Candle, spanMs: number) => string[];

function rowsResponse(wire: Wire, query: Query, rowOf: RowOf): ResponseBody {
  const listing = wire.listings.get(query['symbol'] ?? '');
  if (listing === undefined) return fail(wire, 10001, 'Not supported symbols');
  const interval = intervalNames[query['interval'] ?? ''];
  if (interval === undefined) return fail(wire, 10001, 'Invalid period!');
  const limit = Math.min(1000, whole(query['limit']) ?? 200);
  const startMs = whole(query['start']);
  const endMs = whole(query['end']);
  // With both ends the youngest bars of the span are sent when it holds more than the limit.
  const candles = barsFor(wire, listing, interval, { startMs, endMs, limit: endMs === undefined ? limit : 5000 }).slice(
    -limit,
  );
  const list = candles.map((candle) => rowOf(listing, candle, intervalMs[interval] as number)).reverse();
  return ok(wire, { symbol: listing.id, category: 'linear', list });
}

/** Open time, open, high, low, close, volume and turnover. */
export const candleRow = (listing: Listing, candle: Candle): string[] => [
  String(candle.openTimeMs),
  price(listing, candle.open),
  price(listing, candle.high),
  price(listing, candle.low),
  price(listing, candle.close),
  quantity(listing, candle.lots),
  turnover(listing, candle, candle.lots / 10 ** listing.quantityDecimals),
];

function tickers(wire: Wire, query: Query): ResponseBody {
  const requested = query['symbol'];
  const listing = requested === undefined ? undefined : wire.listings.get(requested);
  if (requested !== undefined && listing === undefined) return fail(wire, 10001, 'params error: symbol invalid');
  const chosen = listing === undefined ? [...wire.listings.values()].filter(isListed(wire)) : [listing];
  return ok(wire, { category: 'linear', list: chosen.map((each) => ticker(wire, each)) });
}

function orderbook(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['symbol'] ?? '');
  if (query['category'] !== 'linear' || listing === undefined) return fail(wire, 10001, 'params error: symbol invalid');
  const limit = Math.min(500, Math.max(1, whole(query['limit']) ?? 25));
  const { bids, asks } = bookOf(wire.market, listing, wire.nowMs, limit);
  const rowsOf = (levels: BookLevel[]) =>
    levels.map(({ ticks, lots }) => [price(listing, ticks), quantity(listing, lots)]);
  return ok(wire, {
    s: listing.id,
    b: rowsOf(bids),
    a: rowsOf(asks),
    ts: wire.nowMs,
    u: Math.floor(wire.nowMs / 100),
    seq: Math.floor(wire.nowMs),
    cts: wire.nowMs - 2,
  });
}

export function ticker(wire: Wire, listing: Listing): object {
  const { last, bid, ask, mark, index } = wire.market.quote(listing, wire.nowMs);
  const [before] = wire.market.candles(listing, '1h', wire.nowMs - DAY_MS, wire.nowMs - DAY_MS + HOUR_MS, wire.nowMs);
  const open = before?.open ?? last;
  const depth = hash(listing.instrument.seed, Math.floor(wire.nowMs / 1000), 2);
  const next = nextFunding(wire, listing);
  return {
    symbol: listing.id,
    lastPrice: price(listing, last),
    indexPrice: finePrice(listing, index),
    markPrice: finePrice(listing, mark),
    prevPrice24h: price(listing, open),
    price24hPcnt: ((last - open) / open).toFixed(6),
    highPrice24h: price(listing, Math.max(last, open)),
    lowPrice24h: price(listing, Math.min(last, open)),
    openInterest: openInterestOf(listing, wire.nowMs).toFixed(3),
    openInterestValue: (openInterestOf(listing, wire.nowMs) * listing.instrument.anchorPrice).toFixed(2),
    turnover24h: (listing.instrument.dailyTurnover * listing.turnoverShare).toFixed(4),
    volume24h: '0',
    fundingRate: rate(wire.market.fundingRate(listing, next, wire.nowMs)),
    nextFundingTime: String(next),
    fundingIntervalHour: String(listing.instrument.fundingHours),
    fundingCap: '0.02',
    bid1Price: price(listing, bid),
    bid1Size: quantity(listing, 1 + (depth % 9000)),
    ask1Price: price(listing, ask),
    ask1Size: quantity(listing, 1 + ((depth >>> 12) % 9000)),
    basis: '',
    deliveryTime: '0',
  };
}

function fundingHistory(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['symbol'] ?? '');
  if (listing === undefined) return fail(wire, 10001, 'symbol invalid');
  const startMs = whole(query['startTime']);
  const end = whole(query['endTime']);
  if (startMs !== undefined && end === undefined)
    return fail(wire, 10001, 'params error: endTime is required with startTime');
  const limit = Math.min(200, whole(query['limit']) ?? 200);
  const endMs = end ?? wire.nowMs;
  const list = fundingTimes(wire, listing, startMs ?? endMs - limit * 8 * HOUR_MS, endMs)
    .slice(-limit)
    .map((atMs) => ({
      symbol: listing.id,
      fundingRate: rate(wire.market.fundingRate(listing, atMs, wire.nowMs)),
      fundingRateTimestamp: String(atMs),
    }))
    .reverse();
  return ok(wire, { category: 'linear', list });
}

/** Fifteen symbols a page, as documented. Fractions; `mmDeduction` makes maintenance continuous over the tiers. */
function riskLimit(wire: Wire, query: Query): ResponseBody {
  const all = [...wire.listings.values()].filter(({ id }) => query['symbol'] === undefined || id === query['symbol']);
  const from = Number(query['cursor'] ?? 0);
  const list = all.slice(from, from + 15).flatMap(({ id, instrument: { maxLeverage } }) => {
    let deduction = 0;
    let rateBefore = 0.5 / maxLeverage;
    return [1, 2, 5, 10].map((divisor, tier) => {
      const maintenance = (0.5 * divisor) / maxLeverage;
      const floor = tier === 0 ? 0 : 2_000_000 * tier;
      deduction += floor * (maintenance - rateBefore);
      rateBefore = maintenance;
      return {
        id: tier + 1,
        symbol: id,
        riskLimitValue: String(2_000_000 * (tier + 1)),
        maintenanceMargin: maintenance.toFixed(6),
        initialMargin: (divisor / maxLeverage).toFixed(6),
        isLowestRisk: tier === 0 ? 1 : 0,
        maxLeverage: (maxLeverage / divisor).toFixed(2),
        mmDeduction: tier === 0 ? '' : deduction.toFixed(2),
      };
    });
  });
  return ok(wire, { category: 'linear', list, nextPageCursor: from + 15 < all.length ? String(from + 15) : '' });
}

const statisticsPeriods: Record<string, string> = { '5min': '5m', '15min': '15m', '1h': '1h', '4h': '4h', '1d': '1d' };

/** The newest points, newest first. */
const statistics =
  (period: 'intervalTime' | 'period', limitMax: number, one: (listing: Listing, atMs: number) => object) =>
  (wire: Wire, query: Query): ResponseBody => {
    if (query['category'] !== 'linear') return fail(wire, 10001, 'Illegal category');
    const listing = wire.listings.get(query['symbol'] ?? '');
    if (listing === undefined) return fail(wire, 10001, 'params error: symbol invalid');
    const spanMs = intervalMs[statisticsPeriods[query[period] ?? ''] ?? ''];
    if (spanMs === undefined) return fail(wire, 10001, `params error: ${period} invalid`);
    const limit = Math.min(limitMax, whole(query['limit']) ?? 50);
    const stamps = stampsOf(spanMs, limit, wire.nowMs, wire.market.listedAtMs(listing));
    const list = stamps.map((atMs) => one(listing, atMs)).reverse();
    return ok(wire, { symbol: listing.id, category: 'linear', list, nextPageCursor: '' });
  };

const openInterest = statistics('intervalTime', 200, (listing, atMs) => ({
  openInterest: openInterestOf(listing, atMs).toFixed(8),
  timestamp: String(atMs),
}));

const accountRatio = statistics('period', 500, (listing, atMs) => {
  const ratio = longShortRatioOf(listing, atMs);
  const buyRatio = (ratio / (1 + ratio)).toFixed(4);
  return { symbol: listing.id, buyRatio, sellRatio: (1 - Number(buyRatio)).toFixed(4), timestamp: String(atMs) };
});

interface Body {
  result: { list: unknown[] };
}
interface BookBody {
  result: { a: unknown[] };
}
const rows: Rows = {
  read: (body) => (body as Body).result.list,
  write: (body, list) => ({ ...(body as Body), result: { ...(body as Body).result, list } }),
};

export const bybitRoutes: Record<string, Route> = {
  '/v5/market/time': {
    endpoint: 'other',
    answer: (wire) =>
      ok(wire, { timeSecond: String(Math.floor(wire.nowMs / 1000)), timeNano: String(wire.nowMs * 1e6) }),
  },
  '/v5/market/instruments-info': { endpoint: 'symbols', answer: instruments, rows },
  '/v5/market/kline': { endpoint: 'klines', answer: kline, rows },
  '/v5/market/mark-price-kline': { endpoint: 'mark', answer: markKline, rows },
  '/v5/market/tickers': { endpoint: priceOrFunding, answer: tickers, rows },
  '/v5/market/orderbook': {
    endpoint: 'book',
    answer: orderbook,
    rows: {
      read: (body) => (body as BookBody).result.a,
      write: (body, a) => ({ ...(body as BookBody), result: { ...(body as BookBody).result, a } }),
    },
  },
  '/v5/market/funding/history': { endpoint: 'funding', answer: fundingHistory, rows },
  '/v5/market/open-interest': { endpoint: 'positioning', answer: openInterest, rows },
  '/v5/market/account-ratio': { endpoint: 'positioning', answer: accountRatio, rows },
  '/v5/market/risk-limit': { endpoint: 'other', answer: riskLimit, rows },
};

export const bybitUnknownPath: ResponseBody = {
  status: 404,
  body: { retCode: 10404, retMsg: 'path not found', result: {}, time: 0 },
};
