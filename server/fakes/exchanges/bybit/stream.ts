import { candleRow, intervalNames, ticker } from './rest.ts';
import type { Candle } from '../market/seededMarket.ts';
import type { Listing } from '../market/venues.ts';
import { intervalMs, type Wire } from '../wire.ts';
import {
  parsed,
  type Reaction,
  type Session,
  type StreamDialect,
  stringsOf,
  type Topic,
} from '../streams/streamWire.ts';

/**
 * Bybit v5 public linear streams: `{"op":"subscribe","args":[topic]}`, a ticker as one snapshot and then only what changed, the
 * client pings with `{"op":"ping"}`. Source: Bybit's public API documentation.
 */
const argsLengthMax = 21_000;
const connectionId = 'd266a6a7-3d0a-4d4c-8b0a-8c1f4e1a9b1d';

const response = (body: Record<string, unknown>, op: string, isOk: boolean, message: string): string =>
  JSON.stringify({ success: isOk, ret_msg: message, conn_id: connectionId, req_id: body['req_id'] ?? '', op });

/** Ticker fields that change each second; the others are only in the snapshot. */
const changing = ['lastPrice', 'markPrice', 'indexPrice', 'bid1Price', 'bid1Size', 'ask1Price', 'ask1Size'] as const;

function tickerTopic(name: string, listing: Listing): Topic {
  const push = (wire: Wire, type: string, data: object): object[] => [
    { topic: name, type, data, cs: Math.floor(wire.nowMs), ts: wire.nowMs },
  ];
  return {
    name,
    kind: 'state',
    listing,
    everyMs: 1000,
    first: (wire, foreign) => push(wire, 'snapshot', ticker(wire, foreign(listing))),
    next: (wire, foreign) => {
      const full = ticker(wire, foreign(listing)) as Record<string, unknown>;
      const delta = Object.fromEntries(changing.map((field) => [field, full[field]]));
      return push(wire, 'delta', { symbol: full['symbol'], ...delta });
    },
  };
}

function topicOf(wire: Wire, name: string): Topic | undefined {
  const [channel = '', second = '', third = ''] = name.split('.');
  if (channel === 'tickers') {
    const listing = wire.listings.get(second);
    return listing === undefined ? undefined : tickerTopic(name, listing);
  }
  const listing = wire.listings.get(third);
  const interval = intervalNames[second];
  if (channel !== 'kline' || listing === undefined || interval === undefined) return undefined;
  return { name, kind: 'candle', listing, interval };
}

function react({ wire, isRejecting }: Session, text: string): Reaction {
  const body = parsed(text);
  if (body === undefined) return { replies: [], isOffence: true };
  const args = stringsOf(body['args']);
  const op = String(body['op']);
  if (op === 'ping') return { replies: [response(body, 'ping', true, 'pong')] };
  if (op === 'unsubscribe') return { replies: [response(body, op, true, '')], unsubscribe: args };
  if (op !== 'subscribe') return { replies: [response(body, op, false, 'error:unknown op')] };
  if (JSON.stringify(args).length > argsLengthMax) {
    return { replies: [response(body, op, false, 'error:args too long')] };
  }
  const topics = args.map((name) => topicOf(wire, name));
  const unknown = args.find((_, index) => topics[index] === undefined);
  // One unknown topic spoils the whole request.
  if (unknown !== undefined || isRejecting) {
    return { replies: [response(body, op, false, `error:handler not found,topic:${unknown ?? args[0] ?? ''}`)] };
  }
  return { replies: [response(body, op, true, '')], subscribe: topics.filter((each) => each !== undefined) };
}

function candle(wire: Wire, topic: Topic & { kind: 'candle' }, shown: Listing, bar: Candle, isClosed: boolean): object {
  const [, open, high, low, close, volume, turnover] = candleRow(shown, bar);
  const end = bar.openTimeMs + (intervalMs[topic.interval] as number) - 1;
  const interval = topic.name.split('.')[1];
  const data = [
    {
      start: bar.openTimeMs,
      end,
      interval,
      open,
      close,
      high,
      low,
      volume,
      turnover,
      confirm: isClosed,
      timestamp: wire.nowMs,
    },
  ];
  return { topic: topic.name, data, ts: wire.nowMs, type: 'snapshot' };
}

export const bybitStreams: StreamDialect = {
  venue: 'bybit',
  paths: ['/v5/public/linear'],
  react,
  candle,
  messagesPerSecond: 50,
  quietMsMax: 600_000,
};
