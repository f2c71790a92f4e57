import type { Candle } from '../market/seededMarket.ts';
import type { Listing } from '../market/venues.ts';
import { finePrice, intervalMs, nextFunding, price, quantity, rate, turnover, type Wire } from '../wire.ts';
import {
  parsed,
  type Reaction,
  type Session,
  type StreamDialect,
  stringsOf,
  type Topic,
} from '../streams/streamWire.ts';

/**
 * Binance USD-M market streams: `SUBSCRIBE` with stream names, `{"result":null,"id":1}` as the response, bare events. Prices, candles and
 * mark prices come over /market/ws, book tickers over /public/ws. Source: Binance's public API documentation.
 */
const streamsMax = 1024;

const isListed = (wire: Wire) => (listing: Listing) => wire.market.listedAtMs(listing) <= wire.nowMs;
const all = (wire: Wire): Listing[] =>
  [...wire.listings.values()].filter(isListed(wire)).filter(({ state = 'trading' }) => state === 'trading');

const miniTicker = (wire: Wire, listing: Listing, shown: Listing): object => {
  const last = price(shown, wire.market.quote(shown, wire.nowMs).last);
  const quote = (listing.instrument.dailyTurnover * listing.turnoverShare).toFixed(2);
  return { e: '24hrMiniTicker', E: wire.nowMs, s: shown.id, c: last, o: last, h: last, l: last, v: '1', q: quote };
};

const markPrice = (wire: Wire, shown: Listing): object => {
  const { mark, index } = wire.market.quote(shown, wire.nowMs);
  const next = nextFunding(wire, shown);
  return {
    e: 'markPriceUpdate',
    E: wire.nowMs,
    s: shown.id,
    p: finePrice(shown, mark),
    i: finePrice(shown, index),
    P: finePrice(shown, index),
    r: rate(wire.market.fundingRate(shown, next, wire.nowMs)),
    T: next,
  };
};

const bookTicker = (wire: Wire, shown: Listing): object => {
  const { bid, ask } = wire.market.quote(shown, wire.nowMs);
  return {
    e: 'bookTicker',
    u: Math.floor(wire.nowMs),
    s: shown.id,
    b: price(shown, bid),
    B: quantity(shown, 10),
    a: price(shown, ask),
    A: quantity(shown, 10),
    T: wire.nowMs,
    E: wire.nowMs,
  };
};

function topicOf(wire: Wire, path: string, name: string): Topic | undefined {
  const isMarket = path === '/market/ws';
  const state = (everyMs: number, next: (Topic & { kind: 'state' })['next']): Topic => ({
    name,
    kind: 'state',
    everyMs,
    first: next,
    next,
  });
  // The lists of all symbols are one message each, book tickers one message per symbol.
  if (name === '!miniTicker@arr' && isMarket)
    return state(1000, (now, foreign) => [all(now).map((each) => miniTicker(now, each, foreign(each)))]);
  if (name === '!markPrice@arr@1s' && isMarket)
    return state(1000, (now, foreign) => [all(now).map((each) => markPrice(now, foreign(each)))]);
  if (name === '!bookTicker' && !isMarket)
    return state(5000, (now, foreign) => all(now).map((each) => bookTicker(now, foreign(each))));
  const [id = '', channel = ''] = name.split('@');
  const listing = wire.listings.get(id.toUpperCase());
  const interval = channel.replace('kline_', '');
  if (listing === undefined || !isMarket || !channel.startsWith('kline_') || !(interval in intervalMs))
    return undefined;
  return { name, kind: 'candle', listing, interval };
}

function react(session: Session, text: string): Reaction {
  const body = parsed(text);
  const id = body?.['id'] ?? null;
  const params = stringsOf(body?.['params']);
  const fail = (code: number, msg: string): Reaction => ({ replies: [JSON.stringify({ error: { code, msg }, id })] });
  if (body === undefined) return fail(3, 'Invalid JSON');
  if (session.isRejecting && session.rejectionForm === 'bare')
    return { replies: [JSON.stringify({ code: 2, msg: 'Invalid request: unknown stream' })] };
  if (session.isRejecting) return fail(2, 'Invalid request: unknown stream');
  const done = JSON.stringify({ result: null, id });
  if (body['method'] === 'UNSUBSCRIBE') return { replies: [done], unsubscribe: params };
  if (body['method'] !== 'SUBSCRIBE' || params.length === 0) return fail(2, 'Invalid request: unknown method');
  if (session.topicCount + params.length > streamsMax) return fail(2, 'Invalid request: too many streams');
  // An unknown stream is acknowledged like any other and sends nothing.
  const topics = params.map((name) => topicOf(session.wire, session.path, name)).filter((each) => each !== undefined);
  return { replies: [done], subscribe: topics };
}

function candle(
  wire: Wire,
  { interval }: Topic & { kind: 'candle' },
  shown: Listing,
  bar: Candle,
  isClosed: boolean,
): object {
  const units = bar.lots / 10 ** shown.quantityDecimals;
  const span = intervalMs[interval] as number;
  return {
    e: 'kline',
    E: wire.nowMs,
    s: shown.id,
    k: {
      t: bar.openTimeMs,
      T: bar.openTimeMs + span - 1,
      s: shown.id,
      i: interval,
      f: 100,
      L: 200,
      o: price(shown, bar.open),
      c: price(shown, bar.close),
      h: price(shown, bar.high),
      l: price(shown, bar.low),
      v: quantity(shown, bar.lots),
      n: 100,
      x: isClosed,
      q: turnover(shown, bar, units),
      V: quantity(shown, Math.floor(bar.lots / 2)),
      Q: turnover(shown, bar, units / 2),
      B: '0',
    },
  };
}

export const binanceStreams: StreamDialect = {
  venue: 'binance',
  paths: ['/public/ws', '/market/ws'],
  react,
  candle,
  messagesPerSecond: 10,
  pingEveryMs: 180_000,
};
