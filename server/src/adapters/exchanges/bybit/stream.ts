import type { Interval } from '../../../features/market/port.ts';
import { intervalNames } from './candles.ts';
import {
  byName,
  candleSilentMs,
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  type StreamDialect,
  type StreamMessage,
} from '../streams/streamDialect.ts';

const path = '/v5/public/linear';
/** Mark prices in a ticker change every second. */
const tickerSilentMs = 60_000;
const intervals = byName(intervalNames);

function ticker(id: string, body: Fields): StreamMessage {
  const data = fieldsOf(body['data']);
  if (data === undefined || data['symbol'] !== id) return { kind: 'unreadable' };
  const part = {
    id,
    atMs: body['ts'],
    last: data['lastPrice'],
    bid: data['bid1Price'],
    ask: data['ask1Price'],
    mark: data['markPrice'],
    fundingRate: data['fundingRate'],
    nextFundingAtMs: data['nextFundingTime'],
    isDelta: body['type'] === 'delta',
  };
  return { kind: 'parts', parts: [part], topic: String(body['topic']) };
}

function bars(id: string, interval: Interval, body: Fields): StreamMessage {
  const matches = listOf(body['data']).map((bar) => ({
    id,
    interval,
    cells: [bar['start'], bar['open'], bar['high'], bar['low'], bar['close'], bar['volume']],
    isClosed: bar['confirm'] === true,
    atMs: body['ts'],
  }));
  return { kind: 'bars', bars: matches, topic: String(body['topic']) };
}

function read(text: string): StreamMessage {
  const body = fieldsOf(jsonOf(text));
  if (body === undefined) return { kind: 'unreadable' };
  if (body['success'] === false) return { kind: 'refused', detail: String(body['ret_msg']).slice(0, 200) };
  if (typeof body['topic'] !== 'string') return 'op' in body ? { kind: 'other' } : { kind: 'unreadable' };
  const [channel, second = '', third = ''] = body['topic'].split('.');
  if (channel === 'tickers') return ticker(second, body);
  const interval = intervals.get(second);
  return channel === 'kline' && interval !== undefined ? bars(third, interval, body) : { kind: 'unreadable' };
}

const topic = (name: string, silentMs: number) => ({ key: name, path, arg: name, silentMs });

export const bybitStream: StreamDialect = {
  exchange: 'bybit',
  liveOrigin: 'wss://stream.bybit.com',
  priceTopics: (ids) => ids.map((id) => topic(`tickers.${id}`, tickerSilentMs)),
  candleTopic: (id, interval) => topic(`kline.${intervalNames[interval]}.${id}`, candleSilentMs),
  request: (op, topics, id) => JSON.stringify({ op, req_id: String(id), args: topics.map(({ arg }) => arg) }),
  read,
  ping: '{"op":"ping"}',
  // The arguments of a connection may have 21,000 characters in total; one has at most 35.
  topicsPerRequest: 100,
  topicsPerConnection: 400,
  requestEveryMs: 100,
  connects: { capacity: 400, windowMs: 300_000 },
};
