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

const publicPath = '/ws/v5/public';
const candlePath = '/ws/v5/business';
const candleChannel = 'candle';
const intervals = byName(intervalNames);
const keyOf = (channel: string, instId: string): string => `${channel} ${instId}`;

function partOf(channel: string, row: Fields, topic: string): StreamMessage {
  const base = { id: String(row['instId']), atMs: row['ts'] };
  const part = {
    tickers: { ...base, last: row['last'], bid: row['bidPx'], ask: row['askPx'] },
    'mark-price': { ...base, mark: row['markPx'] },
    'funding-rate': {
      ...base,
      fundingRate: row['fundingRate'],
      nextFundingAtMs: row['fundingTime'],
      // OKX names the next two fundings; their distance is the interval.
      fundingIntervalHours: (Number(row['nextFundingTime']) - Number(row['fundingTime'])) / 3_600_000,
    },
  }[channel];
  return part === undefined ? { kind: 'unreadable' } : { kind: 'parts', parts: [part], topic };
}

function bars(id: string, interval: Interval, data: readonly unknown[], topic: string): StreamMessage {
  const rows = data.filter((row): row is unknown[] => Array.isArray(row) && row.length >= 9);
  if (rows.length !== data.length) return { kind: 'unreadable' };
  return {
    kind: 'bars',
    topic,
    bars: rows.map((row) => ({
      id,
      interval,
      // Cells 5 to 7 are contracts, coins and quote currency; the other exchanges count coins.
      cells: [...row.slice(0, 5), row[6]],
      isClosed: row[8] === '1',
      atMs: undefined,
    })),
  };
}

function read(text: string): StreamMessage {
  if (text === 'pong') return { kind: 'other' };
  const body = fieldsOf(jsonOf(text));
  if (body === undefined) return { kind: 'unreadable' };
  if (body['event'] === 'error') return { kind: 'refused', detail: String(body['msg']).slice(0, 200) };
  // Follows an acknowledgement: too many connections read this channel, and the subscription has ended.
  if (body['event'] === 'channel-conn-count-error')
    return { kind: 'refused', detail: `too many connections for ${String(body['channel'])}`.slice(0, 200) };
  if (typeof body['event'] === 'string') return { kind: 'other' };
  const arg = fieldsOf(body['arg']);
  const { data } = body;
  if (arg === undefined || !Array.isArray(data)) return { kind: 'unreadable' };
  const channel = String(arg['channel']);
  const id = String(arg['instId']);
  const interval = channel.startsWith(candleChannel) ? intervals.get(channel.slice(candleChannel.length)) : undefined;
  if (interval !== undefined) return bars(id, interval, data as unknown[], keyOf(channel, id));
  const [row] = listOf(data);
  return row === undefined || row['instId'] !== id ? { kind: 'unreadable' } : partOf(channel, row, keyOf(channel, id));
}

const topic = (path: string, channel: string, instId: string, silentMs: number) => ({
  key: keyOf(channel, instId),
  path,
  arg: { channel, instId },
  silentMs,
});

/** Tickers are pushed with trades and quotes, mark prices at least every 10 s, funding rates about once a minute. */
const priceSilentMs = { tickers: 120_000, 'mark-price': 60_000, 'funding-rate': 300_000 };

export const okxStream: StreamDialect = {
  exchange: 'okx',
  liveOrigin: 'wss://ws.okx.com:8443',
  priceTopics: (ids) =>
    ids.flatMap((id) =>
      Object.entries(priceSilentMs).map(([channel, silentMs]) => topic(publicPath, channel, id, silentMs)),
    ),
  candleTopic: (id, interval) => topic(candlePath, `${candleChannel}${intervalNames[interval]}`, id, candleSilentMs),
  request: (op, topics, id) => JSON.stringify({ id: String(id), op, args: topics.map(({ arg }) => arg) }),
  read,
  ping: 'ping',
  // 480 requests of any kind per hour and connection.
  topicsPerRequest: 100,
  topicsPerConnection: 400,
  requestEveryMs: 500,
  // Three connections per second and IP address are allowed.
  connects: { capacity: 2, windowMs: 1000 },
};
