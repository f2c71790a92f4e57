// Long because it is one wire format.
import { createHmac } from 'node:crypto';
import { fakeBinanceKey } from './key.ts';
import { type BookLevel, bookOf } from '../market/book.ts';
import { BINANCE_WEIGHT_PER_MINUTE } from '../limits.ts';
import { hash } from '../market/hash.ts';
import { markBarOf } from '../market/mark.ts';
import { longShortRatioOf, openInterestOf, stampsOf } from '../market/positioning.ts';
import type { Candle } from '../market/seededMarket.ts';
import type { Listing } from '../market/venues.ts';
import {
  type ResponseBody,
  bareRows,
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
  tickSize,
  turnover,
  whole,
  type Wire,
} from '../wire.ts';

/** Binance USD-M futures REST, public market data: bare JSON, errors as `{code, msg}`. Source: Binance's public API documentation. */
const fail = (code: number, msg: string, status = 400): ResponseBody => ({ status, body: { code, msg } });
const invalidSymbol = fail(-1121, 'Invalid symbol.');

const missing = (name: string): ResponseBody =>
  fail(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);

/** One listing when `symbol` is given, else every one; or the error. */
function perSymbol(wire: Wire, query: Query, one: (listing: Listing) => unknown): ResponseBody {
  if (query['symbol'] === undefined) return { body: [...wire.listings.values()].filter(isListed(wire)).map(one) };
  const listing = wire.listings.get(query['symbol']);
  return listing === undefined ? invalidSymbol : { body: one(listing) };
}

const isListed = (wire: Wire) => (listing: Listing) => wire.market.listedAtMs(listing) <= wire.nowMs;

function exchangeInfo(wire: Wire): ResponseBody {
  const symbols = [...wire.listings.values()].filter(isListed(wire)).map((listing) => symbolInfo(wire, listing));
  const first = symbols[0] as Record<string, unknown>;
  return {
    body: {
      timezone: 'UTC',
      serverTime: wire.nowMs,
      rateLimits: [
        {
          rateLimitType: 'REQUEST_WEIGHT',
          interval: 'MINUTE',
          intervalNum: 1,
          limit: wire.weightPerMinute ?? BINANCE_WEIGHT_PER_MINUTE,
        },
      ],
      exchangeFilters: [],
      symbols: [
        ...symbols,
        // Not one of these is a perpetual of a coin that trades: a client has to leave them out.
        {
          ...first,
          symbol: 'BTCUSDT_270326',
          pair: 'BTCUSDT',
          contractType: 'CURRENT_QUARTER',
          deliveryDate: 1_806_048_000_000,
        },
        { ...first, symbol: 'LUNAUSDT', pair: 'LUNAUSDT', baseAsset: 'LUNA', status: 'SETTLING' },
        // A metal: not a coin, and for Binance not a plain perpetual.
        {
          ...first,
          symbol: 'XAUUSDT',
          pair: 'XAUUSDT',
          baseAsset: 'XAU',
          contractType: 'TRADIFI_PERPETUAL',
          underlyingType: 'COMMODITY',
          underlyingSubType: ['TradFi'],
        },
      ],
    },
  };
}

const states = { trading: 'TRADING', halted: 'PENDING_TRADING', ended: 'SETTLING' };

function symbolInfo(wire: Wire, listing: Listing): Record<string, unknown> {
  return {
    symbol: listing.id,
    pair: listing.id,
    contractType: 'PERPETUAL',
    deliveryDate: 4_133_404_800_000,
    onboardDate: wire.market.listedAtMs(listing),
    status: states[listing.state ?? 'trading'],
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: listing.id.slice(0, -4),
    quoteAsset: 'USDT',
    marginAsset: 'USDT',
    pricePrecision: listing.priceDecimals,
    quantityPrecision: listing.quantityDecimals,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    triggerProtect: '0.0500',
    liquidationFee: '0.015000',
    marketTakeBound: '0.05',
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize(listing), maxPrice: '10000000', tickSize: tickSize(listing) },
      { filterType: 'LOT_SIZE', minQty: quantityStep(listing), maxQty: '10000000', stepSize: quantityStep(listing) },
      {
        filterType: 'MARKET_LOT_SIZE',
        minQty: quantityStep(listing),
        maxQty: '1000000',
        stepSize: quantityStep(listing),
      },
      { filterType: 'MAX_NUM_ORDERS', limit: 200 },
      { filterType: 'MIN_NOTIONAL', notional: listing.instrument.base === 'BTC' ? '100' : '5' },
      { filterType: 'PERCENT_PRICE', multiplierUp: '1.0500', multiplierDown: '0.9500', multiplierDecimal: '4' },
    ],
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
  };
}

/** One row as the text of its JSON. */
type RowText = (listing: Listing, candle: Candle, spanMs: number) => string;

const lastRow: RowText = (listing, candle, spanMs) =>
  (candle.json ??= JSON.stringify(klineRow(listing, candle, spanMs)));

function markRow(listing: Listing, candle: Candle, spanMs: number): string {
  const { openTimeMs, open, high, low, close } = markBarOf(listing, candle, spanMs);
  const prices = [open, high, low, close].map((value) => finePrice(listing, value));
  return JSON.stringify([openTimeMs, ...prices, '0', openTimeMs + spanMs - 1, '0', 3600, '0', '0', '0']);
}

const klines = (wire: Wire, query: Query): ResponseBody => rowsResponse(wire, query, lastRow);
const markPriceKlines = (wire: Wire, query: Query): ResponseBody => rowsResponse(wire, query, markRow);

function rowsResponse(wire: Wire, query: Query, write: RowText): ResponseBody {
  if (query['symbol'] === undefined) return missing('symbol');
  const listing = wire.listings.get(query['symbol']);
  if (listing === undefined) return invalidSymbol;
  const interval = query['interval'] ?? '';
  const spanMs = intervalMs[interval];
  if (spanMs === undefined) return fail(-1120, 'Invalid interval.');
  const limit = Math.min(1500, whole(query['limit']) ?? 500);
  if (!(limit >= 1)) return fail(-1130, "Data sent for parameter 'limit' is not valid.");
  const range = { startMs: whole(query['startTime']), endMs: whole(query['endTime']), limit };
  const rows = barsFor(wire, listing, interval, range).map((candle) => write(listing, candle, spanMs));
  const text = `[${rows.join(',')}]`;
  return {
    text,
    // Parsed only when a fault damages the rows.
    get body(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}

function klineRow(listing: Listing, candle: Candle, spanMs: number): unknown[] {
  const units = candle.lots / 10 ** listing.quantityDecimals;
  const takerShare = 0.3 + 0.4 * (hash(listing.instrument.seed, candle.openTimeMs / 1000, spanMs) / 4294967296);
  const takerLots = Math.round(candle.lots * takerShare);
  return [
    candle.openTimeMs,
    price(listing, candle.open),
    price(listing, candle.high),
    price(listing, candle.low),
    price(listing, candle.close),
    quantity(listing, candle.lots),
    candle.openTimeMs + spanMs - 1,
    turnover(listing, candle, units),
    Math.ceil((units * candle.close) / 10 ** listing.priceDecimals / 900),
    quantity(listing, takerLots),
    turnover(listing, candle, units * takerShare),
    '0',
  ];
}

function klineWeight(query: Query): number {
  const limit = whole(query['limit']) ?? 500;
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

const tickerPrice = (wire: Wire, query: Query): ResponseBody =>
  perSymbol(wire, query, (listing) => ({
    symbol: listing.id,
    price: price(listing, wire.market.quote(listing, wire.nowMs).last),
    time: wire.nowMs,
  }));

const bookTicker = (wire: Wire, query: Query): ResponseBody =>
  perSymbol(wire, query, (listing) => {
    const { bid, ask } = wire.market.quote(listing, wire.nowMs);
    const depth = hash(listing.instrument.seed, Math.floor(wire.nowMs / 1000));
    return {
      symbol: listing.id,
      bidPrice: price(listing, bid),
      bidQty: quantity(listing, 1 + (depth % 9000)),
      askPrice: price(listing, ask),
      askQty: quantity(listing, 1 + ((depth >>> 13) % 9000)),
      time: wire.nowMs,
      lastUpdateId: Math.floor(wire.nowMs),
    };
  });

/** Accepted depths. */
const depths = [5, 10, 20, 50, 100, 500, 1000];

function depth(wire: Wire, query: Query): ResponseBody {
  if (query['symbol'] === undefined) return missing('symbol');
  const listing = wire.listings.get(query['symbol']);
  if (listing === undefined) return invalidSymbol;
  const limit = whole(query['limit']) ?? 500;
  if (!depths.includes(limit)) return fail(-4021, 'Limit is not valid.');
  const { bids, asks } = bookOf(wire.market, listing, wire.nowMs, limit);
  const rowsOf = (levels: BookLevel[]) =>
    levels.map(({ ticks, lots }) => [price(listing, ticks), quantity(listing, lots)]);
  return {
    body: {
      lastUpdateId: Math.floor(wire.nowMs),
      E: wire.nowMs,
      T: wire.nowMs - 3,
      bids: rowsOf(bids),
      asks: rowsOf(asks),
    },
  };
}

function depthWeight(query: Query): number {
  const limit = whole(query['limit']) ?? 500;
  if (limit <= 50) return 2;
  if (limit <= 100) return 5;
  return limit <= 500 ? 10 : 20;
}

const premiumIndex = (wire: Wire, query: Query): ResponseBody =>
  perSymbol(wire, query, (listing) => {
    const { mark, index } = wire.market.quote(listing, wire.nowMs);
    const nextFundingTime = nextFunding(wire, listing);
    return {
      symbol: listing.id,
      markPrice: finePrice(listing, mark),
      indexPrice: finePrice(listing, index),
      estimatedSettlePrice: finePrice(listing, index),
      lastFundingRate: rate(wire.market.fundingRate(listing, nextFundingTime, wire.nowMs)),
      interestRate: '0.00010000',
      nextFundingTime,
      time: wire.nowMs,
    };
  });

const ticker24h = (wire: Wire, query: Query): ResponseBody =>
  perSymbol(wire, query, (listing) => {
    const hours = wire.market.candles(listing, '1h', wire.nowMs - DAY_MS, wire.nowMs + 1, wire.nowMs);
    const { last } = wire.market.quote(listing, wire.nowMs);
    const open = hours[0]?.open ?? last;
    const lots = hours.reduce((sum, each) => sum + each.lots, 0);
    const units = lots / 10 ** listing.quantityDecimals;
    const mean = (open + last) / 2;
    return {
      symbol: listing.id,
      priceChange: ((last - open) / 10 ** listing.priceDecimals).toFixed(listing.priceDecimals),
      priceChangePercent: ((100 * (last - open)) / open).toFixed(3),
      weightedAvgPrice: (mean / 10 ** listing.priceDecimals).toFixed(listing.priceDecimals),
      lastPrice: price(listing, last),
      lastQty: quantityStep(listing),
      openPrice: price(listing, open),
      highPrice: price(listing, Math.max(last, ...hours.map(({ high }) => high))),
      lowPrice: price(listing, Math.min(last, ...hours.map(({ low }) => low))),
      volume: quantity(listing, lots),
      quoteVolume: ((units * mean) / 10 ** listing.priceDecimals).toFixed(2),
      openTime: wire.nowMs - DAY_MS,
      closeTime: wire.nowMs,
      firstId: 1,
      lastId: 2,
      count: 2,
    };
  });

/** Stamps are some milliseconds after the hour, as the exchange sends them. */
const stampOf = (listing: Listing, atMs: number): number => atMs + (hash(listing.instrument.seed, atMs / HOUR_MS) % 17);

function fundingRate(wire: Wire, query: Query): ResponseBody {
  if (query['symbol'] === undefined) return missing('symbol');
  const listing = wire.listings.get(query['symbol']);
  if (listing === undefined) return invalidSymbol;
  const limit = Math.min(1000, whole(query['limit']) ?? 100);
  const startMs = whole(query['startTime']);
  const endMs = whole(query['endTime']) ?? wire.nowMs;
  const times = fundingTimes(wire, listing, startMs ?? endMs - limit * 8 * HOUR_MS, endMs);
  // With a start the oldest are sent, without one the youngest.
  const chosen = startMs === undefined ? times.slice(-limit) : times.slice(0, limit);
  return {
    body: chosen.map((atMs) => ({
      symbol: listing.id,
      fundingTime: stampOf(listing, atMs),
      fundingRate: rate(wire.market.fundingRate(listing, atMs, wire.nowMs)),
      markPrice: finePrice(listing, wire.market.quote(listing, atMs).mark),
    })),
  };
}

/** Only symbols whose interval or caps were changed: clients assume 8 hours for the others. */
const fundingInfo = (wire: Wire): ResponseBody => ({
  body: [...wire.listings.values()]
    .filter(({ instrument }) => instrument.fundingHours !== 8)
    .map((listing) => ({
      symbol: listing.id,
      adjustedFundingRateCap: '0.02000000',
      adjustedFundingRateFloor: '-0.02000000',
      fundingIntervalHours: listing.instrument.fundingHours,
      disclaimer: false,
    })),
});

const openInterest = (wire: Wire, query: Query): ResponseBody => {
  if (query['symbol'] === undefined) return missing('symbol');
  const listing = wire.listings.get(query['symbol']);
  if (listing === undefined) return invalidSymbol;
  const units = openInterestOf(listing, wire.nowMs).toFixed(listing.quantityDecimals);
  return { body: { openInterest: units, symbol: listing.id, time: Math.floor(wire.nowMs) } };
};

/** `5m` to `1d`; the exchange has more. */
const statisticsPeriods = ['5m', '15m', '1h', '4h', '1d'];

/** The newest points of the last 30 days, oldest first. */
const statistics =
  (one: (listing: Listing, atMs: number) => object) =>
  (wire: Wire, query: Query): ResponseBody => {
    if (query['symbol'] === undefined) return missing('symbol');
    const listing = wire.listings.get(query['symbol']);
    if (listing === undefined) return { body: [] };
    const period = query['period'] ?? '';
    const spanMs = intervalMs[period];
    if (spanMs === undefined || !statisticsPeriods.includes(period)) return fail(-1120, 'Invalid interval.');
    const limit = whole(query['limit']) ?? 30;
    if (!(limit >= 1 && limit <= 500)) return fail(-1130, "Data sent for parameter 'limit' is not valid.");
    const sinceMs = Math.max(wire.market.listedAtMs(listing), wire.nowMs - 30 * DAY_MS);
    return { body: stampsOf(spanMs, limit, wire.nowMs, sinceMs).map((atMs) => one(listing, atMs)) };
  };

const openInterestHist = statistics((listing, timestamp) => {
  const units = openInterestOf(listing, timestamp);
  const anchor = listing.instrument.anchorPrice * listing.instrument.unit.binance;
  return {
    symbol: listing.id,
    sumOpenInterest: units.toFixed(8),
    sumOpenInterestValue: (units * anchor).toFixed(8),
    timestamp,
  };
});

const globalLongShortAccountRatio = statistics((listing, timestamp) => {
  const ratio = longShortRatioOf(listing, timestamp);
  return {
    symbol: listing.id,
    longAccount: (ratio / (1 + ratio)).toFixed(4),
    longShortRatio: ratio.toFixed(4),
    shortAccount: (1 / (1 + ratio)).toFixed(4),
    timestamp,
  };
});

/** Quote currency at which a tier starts, share of the largest leverage, maintenance rate of a contract of 125x. BTC as published. */
const brackets = [
  [0, 1, 0.004],
  [50_000, 0.8, 0.005],
  [600_000, 0.6, 0.0065],
  [3_000_000, 0.4, 0.01],
  [12_000_000, 0.16, 0.02],
  [70_000_000, 0.08, 0.025],
] as const;

/** Accepts signed requests only. Each `cum` joins its tier to the one before: floor x the step of the rate. */
function leverageBracket(wire: Wire, query: Query): ResponseBody {
  if (wire.apiKey === undefined) return fail(-2014, 'API-key format invalid.', 401);
  const { signature, ...signed } = query;
  const text = new URLSearchParams(signed as Record<string, string>).toString();
  const expected = createHmac('sha256', fakeBinanceKey.secret).update(text).digest('hex');
  if (wire.apiKey !== fakeBinanceKey.key) return fail(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
  if (signature !== expected) return fail(-1022, 'Signature for this request is not valid.');
  return perSymbol(wire, query, ({ id, instrument: { maxLeverage } }) => {
    let cum = 0;
    let before = 0;
    return {
      symbol: id,
      notionalCoef: 1,
      brackets: brackets.map(([floor, share, ratio], i) => {
        const maintMarginRatio = Number(((ratio * 125) / maxLeverage).toFixed(5));
        cum += floor * (maintMarginRatio - (i === 0 ? maintMarginRatio : before));
        before = maintMarginRatio;
        return {
          bracket: i + 1,
          initialLeverage: Math.max(1, Math.floor(maxLeverage * share)),
          notionalCap: brackets[i + 1]?.[0] ?? 500_000_000,
          notionalFloor: floor,
          maintMarginRatio,
          cum: Number(cum.toFixed(4)),
        };
      }),
    };
  });
}

const perSymbolWeight = (one: number, all: number) => (query: Query) => (query['symbol'] === undefined ? all : one);
const rows = bareRows;

export const binanceRoutes: Record<string, Route> = {
  '/fapi/v1/ping': { endpoint: 'other', answer: () => ({ body: {} }) },
  '/fapi/v1/time': { endpoint: 'other', answer: ({ nowMs }) => ({ body: { serverTime: nowMs } }) },
  '/fapi/v1/exchangeInfo': {
    endpoint: 'symbols',
    answer: exchangeInfo,
    rows: {
      read: (body) => (body as { symbols: unknown[] }).symbols,
      write: (body, symbols) => ({ ...(body as object), symbols }),
    },
  },
  '/fapi/v1/klines': { endpoint: 'klines', weight: klineWeight, answer: klines, rows },
  '/fapi/v1/markPriceKlines': { endpoint: 'mark', weight: klineWeight, answer: markPriceKlines, rows },
  '/fapi/v1/ticker/price': { endpoint: 'price', weight: perSymbolWeight(1, 2), answer: tickerPrice, rows },
  '/fapi/v2/ticker/price': { endpoint: 'price', weight: perSymbolWeight(1, 2), answer: tickerPrice, rows },
  '/fapi/v1/ticker/bookTicker': { endpoint: 'price', weight: perSymbolWeight(2, 5), answer: bookTicker, rows },
  '/fapi/v1/depth': {
    endpoint: 'book',
    weight: depthWeight,
    answer: depth,
    rows: {
      read: (body) => (body as { asks: unknown[] }).asks,
      write: (body, asks) => ({ ...(body as object), asks }),
    },
  },
  '/fapi/v1/ticker/24hr': { endpoint: 'price', weight: perSymbolWeight(1, 40), answer: ticker24h, rows },
  '/fapi/v1/premiumIndex': { endpoint: priceOrFunding, weight: perSymbolWeight(1, 10), answer: premiumIndex, rows },
  '/fapi/v1/fundingRate': { endpoint: 'funding', answer: fundingRate, rows },
  '/fapi/v1/leverageBracket': { endpoint: 'other', answer: leverageBracket, rows },
  '/fapi/v1/openInterest': { endpoint: 'positioning', answer: openInterest, rows },
  '/futures/data/openInterestHist': { endpoint: 'positioning', weight: () => 0, answer: openInterestHist, rows },
  '/futures/data/globalLongShortAccountRatio': {
    endpoint: 'positioning',
    weight: () => 0,
    answer: globalLongShortAccountRatio,
    rows,
  },
  '/fapi/v1/fundingInfo': { endpoint: 'funding', weight: () => 0, answer: fundingInfo, rows },
};

export const binanceUnknownPath: ResponseBody = fail(-5000, 'Path not found, or the method is not supported.', 404);
