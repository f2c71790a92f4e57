import { ownValue } from '@sextant/workers/src/core/ownValue.ts';
import type { Interval } from '../../../features/market/port.ts';
import { intervalNames } from './candles.ts';
import {
  byName,
  candleSilentMs,
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  type RawPart,
  type StreamDialect,
  type StreamMessage,
} from '../streams/streamDialect.ts';

const intervals = byName(intervalNames);

/** Streams of all symbols: one message a second each, instead of thousands of per-symbol streams. */
const priceTopics = [
  { key: '!miniTicker@arr', path: '/market/ws', arg: '!miniTicker@arr', silentMs: 30_000 },
  { key: '!markPrice@arr@1s', path: '/market/ws', arg: '!markPrice@arr@1s', silentMs: 30_000 },
  { key: '!bookTicker', path: '/public/ws', arg: '!bookTicker', silentMs: 30_000 },
];
const topicOfEvent: Record<string, string> = {
  '24hrMiniTicker': '!miniTicker@arr',
  markPriceUpdate: '!markPrice@arr@1s',
  bookTicker: '!bookTicker',
};
const topicOf = (event: Fields | undefined): string =>
  (typeof event?.['e'] === 'string' && ownValue(topicOfEvent, event['e'])) || '';
const candleKey = (id: string, interval: Interval): string => `${id.toLowerCase()}@kline_${intervalNames[interval]}`;

function partOf(event: Fields): RawPart | undefined {
  const id = String(event['s']);
  const atMs = event['E'];
  switch (event['e']) {
    case '24hrMiniTicker':
      return { id, atMs, last: event['c'] };
    case 'markPriceUpdate':
      return { id, atMs, mark: event['p'], fundingRate: event['r'], nextFundingAtMs: event['T'] };
    case 'bookTicker':
      return { id, atMs, bid: event['b'], ask: event['a'] };
    default:
      return undefined;
  }
}

function barOf(event: Fields): StreamMessage {
  const bar = fieldsOf(event['k']);
  const interval = intervals.get(String(bar?.['i']));
  // The frame states the symbol twice; a mismatch makes it invalid.
  if (bar === undefined || interval === undefined || bar['s'] !== event['s']) return { kind: 'unreadable' };
  const cells = [bar['t'], bar['o'], bar['h'], bar['l'], bar['c'], bar['v']];
  const raw = { id: String(bar['s']), interval, cells, isClosed: bar['x'] === true, atMs: event['E'] };
  return { kind: 'bars', bars: [raw], topic: candleKey(raw.id, interval) };
}

function read(text: string): StreamMessage {
  const body = jsonOf(text);
  if (Array.isArray(body)) {
    const events = listOf(body);
    const parts = events.map(partOf).filter((part) => part !== undefined);
    return { kind: 'parts', parts, topic: topicOf(events[0]) };
  }
  const event = fieldsOf(body);
  if (event === undefined) return { kind: 'unreadable' };
  if (event['e'] === 'kline') return barOf(event);
  const part = partOf(event);
  if (part !== undefined) return { kind: 'parts', parts: [part], topic: topicOf(event) };
  const error = fieldsOf(event['error']);
  if (error !== undefined) return { kind: 'refused', detail: String(error['msg']).slice(0, 200) };
  // Errors also come bare: `{"code":2,"msg":"Invalid request"}`.
  if (typeof event['code'] === 'number' && typeof event['msg'] === 'string')
    return { kind: 'refused', detail: event['msg'].slice(0, 200) };
  return 'result' in event ? { kind: 'other' } : { kind: 'unreadable' };
}

export const binanceStream: StreamDialect = {
  exchange: 'binance',
  liveOrigin: 'wss://fstream.binance.com',
  priceTopics: () => priceTopics,
  candleTopic(id, interval) {
    const name = candleKey(id, interval);
    return { key: name, path: '/market/ws', arg: name, silentMs: candleSilentMs };
  },
  request: (op, topics, id) => JSON.stringify({ method: op.toUpperCase(), params: topics.map(({ arg }) => arg), id }),
  read,
  topicsPerRequest: 100,
  // 1,024 are documented; we use at most 200.
  topicsPerConnection: 200,
  // Ten messages a second are allowed, pings included.
  requestEveryMs: 250,
  connects: { capacity: 240, windowMs: 300_000 },
};
