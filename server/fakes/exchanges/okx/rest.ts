// Long because it is one wire format.
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
  decimal,
  finePrice,
  fundingTimes,
  HOUR_MS,
  intervalMs,
  nextFunding,
  price,
  type Query,
  rate,
  type Route,
  type Rows,
  tickSize,
  turnover,
  whole,
  type Wire,
} from '../wire.ts';

/** OKX v5 REST, instrument type SWAP: `{code, msg, data}`, sizes in contracts. Source: OKX's public API documentation. */
export const intervalNames: Record<string, string> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '1H': '1h',
  '4H': '4h',
  '1Dutc': '1d',
};
const recentBars = 1440;

const ok = (data: unknown[]): ResponseBody => ({ body: { code: '0', msg: '', data } });
const fail = (code: string, msg: string): ResponseBody => ({ body: { code, msg, data: [] } });
const noInstrument = fail('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
const needsSwap = fail('51000', 'Parameter instType error');

const listed = (wire: Wire): Listing[] =>
  [...wire.listings.values()].filter((listing) => wire.market.listedAtMs(listing) <= wire.nowMs);

const family = (listing: Listing): string => listing.id.replace('-SWAP', '');
const lotSize = '0.01';
const states = { trading: 'live', halted: 'suspend', ended: 'expired' };

function instruments(wire: Wire, query: Query): ResponseBody {
  if (query['instType'] !== 'SWAP') return needsSwap;
  const list = listed(wire).map((listing) => ({
    instType: 'SWAP',
    instId: listing.id,
    // 1 is crypto, 3 is stocks.
    instCategory: '1',
    uly: family(listing),
    instFamily: family(listing),
    baseCcy: '',
    quoteCcy: '',
    settleCcy: 'USDT',
    ctVal: String(listing.contractValue),
    ctMult: '1',
    ctValCcy: listing.instrument.base,
    ctType: 'linear',
    listTime: String(wire.market.listedAtMs(listing)),
    expTime: '',
    lever: String(listing.instrument.maxLeverage),
    tickSz: tickSize(listing),
    lotSz: listing.step ?? lotSize,
    minSz: listing.step ?? lotSize,
    maxLmtSz: '100000000',
    maxMktSz: '5000',
    state: states[listing.state ?? 'trading'],
    ruleType: 'normal',
  }));
  // A client has to leave the stock out.
  const stock = {
    instId: 'TSLA-USDT-SWAP',
    uly: 'TSLA-USDT',
    instFamily: 'TSLA-USDT',
    ctValCcy: 'TSLA',
    instCategory: '3',
  };
  // Nor may it trade a contract before its coin: MEGAETH trades nowhere else.
  const preMarket = {
    instId: 'MEGAETH-USDT-SWAP',
    uly: 'MEGAETH-USDT',
    instFamily: 'MEGAETH-USDT',
    ctValCcy: 'MEGAETH',
    ruleType: 'pre_market',
  };
  return ok([
    ...list,
    ...list.slice(0, 1).flatMap((first) => [stock, preMarket].map((each) => ({ ...first, ...each }))),
  ]);
}

/** `after` requests bars older than a time, `before` younger ones; both exclude it. Newest first. */
function candlesOf(isHistory: boolean, { rowOf, rowsMax } = lastCandles): Route['answer'] {
  return (wire, query) => {
    const listing = wire.listings.get(query['instId'] ?? '');
    if (listing === undefined) return noInstrument;
    const interval = intervalNames[query['bar'] ?? '1m'];
    if (interval === undefined) return fail('51000', 'Parameter bar error');
    const spanMs = intervalMs[interval] as number;
    const limit = Math.min(rowsMax, whole(query['limit']) ?? 100);
    const before = whole(query['before']);
    const after = whole(query['after']);
    const oldestMs = isHistory ? 0 : wire.nowMs - recentBars * spanMs;
    const startMs = before === undefined ? undefined : Math.max(before + 1, oldestMs);
    const endMs = after === undefined ? undefined : after - 1;
    const matches = barsFor(wire, listing, interval, { startMs, endMs, limit: startMs === undefined ? limit : 5000 });
    const candles = matches.filter(
      ({ openTimeMs }) => openTimeMs >= oldestMs && (!isHistory || openTimeMs + spanMs <= wire.nowMs),
    );
    return ok(
      candles
        .slice(-limit)
        .map((candle) => rowOf(wire, listing, candle, spanMs))
        .reverse(),
    );
  };
}

export function candleRow(wire: Wire, listing: Listing, candle: Candle, spanMs: number): string[] {
  const units = (candle.lots / 100) * listing.contractValue;
  return [
    String(candle.openTimeMs),
    price(listing, candle.open),
    price(listing, candle.high),
    price(listing, candle.low),
    price(listing, candle.close),
    decimal(candle.lots, 2),
    baseUnits(listing, candle.lots),
    turnover(listing, candle, units),
    candle.openTimeMs + spanMs <= wire.nowMs ? '1' : '0',
  ];
}

function markRow(wire: Wire, listing: Listing, candle: Candle, spanMs: number): string[] {
  const { openTimeMs, open, high, low, close } = markBarOf(listing, candle, spanMs);
  const prices = [open, high, low, close].map((value) => finePrice(listing, value));
  return [String(openTimeMs), ...prices, openTimeMs + spanMs <= wire.nowMs ? '1' : '0'];
}

const lastCandles = { rowOf: candleRow, rowsMax: 300 };
const markCandles = { rowOf: markRow, rowsMax: 100 };

/** Hundredths of a contract in coins, exact: the contract is a power of ten of coins. */
function baseUnits(listing: Listing, lots: number): string {
  const power = Math.round(Math.log10(listing.contractValue)) - 2;
  return power >= 0 ? `${lots}${'0'.repeat(power)}` : decimal(lots, -power);
}

function tickers(wire: Wire, query: Query): ResponseBody {
  return query['instType'] === 'SWAP' ? ok(listed(wire).map((listing) => ticker(wire, listing))) : needsSwap;
}

function oneTicker(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['instId'] ?? '');
  return listing === undefined ? noInstrument : ok([ticker(wire, listing)]);
}

export function ticker(wire: Wire, listing: Listing): object {
  const { last, bid, ask } = wire.market.quote(listing, wire.nowMs);
  const [before] = wire.market.candles(listing, '1h', wire.nowMs - DAY_MS, wire.nowMs - DAY_MS + HOUR_MS, wire.nowMs);
  const open = before?.open ?? last;
  const depth = hash(listing.instrument.seed, Math.floor(wire.nowMs / 1000), 3);
  return {
    instType: 'SWAP',
    instId: listing.id,
    last: price(listing, last),
    lastSz: '1',
    askPx: price(listing, ask),
    askSz: decimal(1 + (depth % 90_000), 2),
    bidPx: price(listing, bid),
    bidSz: decimal(1 + ((depth >>> 12) % 90_000), 2),
    open24h: price(listing, open),
    high24h: price(listing, Math.max(open, last)),
    low24h: price(listing, Math.min(open, last)),
    volCcy24h: (
      (listing.instrument.dailyTurnover * listing.turnoverShare * 10 ** listing.priceDecimals) /
      last
    ).toFixed(2),
    vol24h: (
      (listing.instrument.dailyTurnover * listing.turnoverShare * 10 ** listing.priceDecimals) /
      last /
      listing.contractValue
    ).toFixed(2),
    sodUtc0: price(listing, open),
    sodUtc8: price(listing, open),
    ts: String(wire.nowMs),
  };
}

function books(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['instId'] ?? '');
  if (listing === undefined) return noInstrument;
  const { bids, asks } = bookOf(wire.market, listing, wire.nowMs, Math.min(400, whole(query['sz']) ?? 1));
  // Price, contracts, a field that is no longer used, and the orders at the level.
  const rowsOf = (levels: BookLevel[]) =>
    levels.map(({ ticks, lots }) => [price(listing, ticks), decimal(lots, 2), '0', '4']);
  return ok([{ asks: rowsOf(asks), bids: rowsOf(bids), ts: String(wire.nowMs), seqId: Math.floor(wire.nowMs) }]);
}

function markPrice(wire: Wire, query: Query): ResponseBody {
  if (query['instType'] !== 'SWAP') return needsSwap;
  const requested = query['instId'];
  const chosen = requested === undefined ? listed(wire) : listed(wire).filter(({ id }) => id === requested);
  if (chosen.length === 0) return noInstrument;
  return ok(chosen.map((listing) => mark(wire, listing)));
}

export const mark = (wire: Wire, listing: Listing): object => ({
  instType: 'SWAP',
  instId: listing.id,
  markPx: finePrice(listing, wire.market.quote(listing, wire.nowMs).mark),
  ts: String(wire.nowMs),
});

function fundingRate(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['instId'] ?? '');
  if (listing === undefined && query['instId'] !== 'ANY') return noInstrument;
  const chosen = listing === undefined ? listed(wire) : [listing];
  return ok(chosen.map((each) => funding(wire, each)));
}

export function funding(wire: Wire, listing: Listing): object {
  const next = nextFunding(wire, listing);
  return {
    instType: 'SWAP',
    instId: listing.id,
    method: 'current_period',
    formulaType: 'noRate',
    fundingRate: rate(wire.market.fundingRate(listing, next, wire.nowMs)),
    fundingTime: String(next),
    nextFundingRate: '',
    nextFundingTime: String(next + listing.instrument.fundingHours * HOUR_MS),
    minFundingRate: '-0.02',
    maxFundingRate: '0.02',
    premium: '0',
    settState: 'settled',
    ts: String(wire.nowMs),
  };
}

function fundingHistory(wire: Wire, query: Query): ResponseBody {
  const listing = wire.listings.get(query['instId'] ?? '');
  if (listing === undefined) return noInstrument;
  const limit = Math.min(400, whole(query['limit']) ?? 400);
  const before = whole(query['before']);
  const endMs = (whole(query['after']) ?? wire.nowMs + 1) - 1;
  const startMs = before === undefined ? endMs - limit * 8 * HOUR_MS : before + 1;
  const times = fundingTimes(wire, listing, startMs, endMs).slice(-limit).reverse();
  return ok(
    times.map((atMs) => {
      const settled = rate(wire.market.fundingRate(listing, atMs, wire.nowMs));
      return {
        instType: 'SWAP',
        instId: listing.id,
        formulaType: 'noRate',
        fundingRate: settled,
        realizedRate: settled,
        fundingTime: String(atMs),
        method: 'current_period',
      };
    }),
  );
}

/** Sizes in contracts. */
function positionTiers(wire: Wire, query: Query): ResponseBody {
  const underlying = query['uly'] ?? query['instFamily'];
  const listing = listed(wire).find((each) => family(each) === underlying);
  if (listing === undefined) return noInstrument;
  const { maxLeverage } = listing.instrument;
  return ok(
    [1, 2, 5, 10].map((divisor, tier) => ({
      baseMaxLoan: '',
      imr: (divisor / maxLeverage).toFixed(5),
      instFamily: family(listing),
      instId: '',
      maxLever: (maxLeverage / divisor).toFixed(2),
      maxSz: String(5000 * (tier + 1)),
      minSz: tier === 0 ? '0' : String(5000 * tier + 1),
      mmr: ((0.4 * divisor) / maxLeverage).toFixed(5),
      optMgnFactor: '0',
      quoteMaxLoan: '',
      tier: String(tier + 1),
      uly: family(listing),
    })),
  );
}

/** Contracts: coins over the coins of one. */
const contractsOf = (listing: Listing, atMs: number): number => openInterestOf(listing, atMs) / listing.contractValue;

function openInterest(wire: Wire, query: Query): ResponseBody {
  if (query['instType'] !== 'SWAP') return needsSwap;
  const one = wire.listings.get(query['instId'] ?? '');
  if (query['instId'] !== undefined && one === undefined) return noInstrument;
  const rowOf = (listing: Listing) => {
    const coins = openInterestOf(listing, wire.nowMs);
    return {
      instType: 'SWAP',
      instId: listing.id,
      oi: contractsOf(listing, wire.nowMs).toFixed(2),
      oiCcy: coins.toFixed(4),
      oiUsd: (coins * listing.instrument.anchorPrice).toFixed(4),
      ts: String(Math.floor(wire.nowMs)),
    };
  };
  return ok((one === undefined ? listed(wire) : [one]).map(rowOf));
}

const statisticsPeriods: Record<string, string> = { '5m': '5m', '15m': '15m', '1H': '1h', '4H': '4h', '1Dutc': '1d' };

/** The newest points as rows of text, newest first. */
const statistics =
  (one: (listing: Listing, atMs: number) => string[]) =>
  (wire: Wire, query: Query): ResponseBody => {
    const listing = wire.listings.get(query['instId'] ?? '');
    if (listing === undefined) return noInstrument;
    const spanMs = intervalMs[statisticsPeriods[query['period'] ?? '5m'] ?? ''];
    if (spanMs === undefined) return fail('51000', 'Parameter period error');
    const limit = Math.min(100, whole(query['limit']) ?? 100);
    const stamps = stampsOf(spanMs, limit, wire.nowMs, wire.market.listedAtMs(listing));
    return ok(stamps.map((atMs) => [String(atMs), ...one(listing, atMs)]).reverse());
  };

const openInterestHistory = statistics((listing, atMs) => {
  const coins = openInterestOf(listing, atMs);
  return [contractsOf(listing, atMs), coins, coins * listing.instrument.anchorPrice].map((value) => value.toFixed(4));
});

const longShortRatio = statistics((listing, atMs) => [longShortRatioOf(listing, atMs).toFixed(4)]);

const bookIn = (body: unknown): { asks: unknown[] } => (body as { data: [{ asks: unknown[] }] }).data[0];
const rows: Rows = {
  read: (body) => (body as { data: unknown[] }).data,
  write: (body, data) => ({ ...(body as object), data }),
};

export const okxRoutes: Record<string, Route> = {
  '/api/v5/public/time': { endpoint: 'other', answer: ({ nowMs }) => ok([{ ts: String(nowMs) }]) },
  '/api/v5/public/instruments': { endpoint: 'symbols', answer: instruments, rows },
  '/api/v5/market/candles': { endpoint: 'klines', answer: candlesOf(false), rows },
  '/api/v5/market/history-candles': { endpoint: 'klines', answer: candlesOf(true), rows },
  '/api/v5/market/mark-price-candles': { endpoint: 'mark', answer: candlesOf(false, markCandles), rows },
  '/api/v5/market/history-mark-price-candles': { endpoint: 'mark', answer: candlesOf(true, markCandles), rows },
  '/api/v5/market/tickers': { endpoint: 'price', answer: tickers, rows },
  '/api/v5/market/ticker': { endpoint: 'price', answer: oneTicker, rows },
  '/api/v5/market/books': {
    endpoint: 'book',
    answer: books,
    rows: {
      read: (body) => bookIn(body).asks,
      write: (body, asks) => ({ ...(body as object), data: [{ ...bookIn(body), asks }] }),
    },
  },
  '/api/v5/public/mark-price': { endpoint: 'price', answer: markPrice, rows },
  '/api/v5/public/funding-rate': { endpoint: 'funding', answer: fundingRate, rows },
  '/api/v5/public/funding-rate-history': { endpoint: 'funding', answer: fundingHistory, rows },
  '/api/v5/public/open-interest': { endpoint: 'positioning', answer: openInterest, rows },
  '/api/v5/rubik/stat/contracts/open-interest-history': { endpoint: 'positioning', answer: openInterestHistory, rows },
  '/api/v5/rubik/stat/contracts/long-short-account-ratio-contract': {
    endpoint: 'positioning',
    answer: longShortRatio,
    rows,
  },
  '/api/v5/public/position-tiers': { endpoint: 'other', answer: positionTiers, rows },
};

export const okxUnknownPath: ResponseBody = { status: 404, body: { code: '404', msg: 'Not Found', data: [] } };
