// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { StreamSignal } from '../../../src/features/stream/contract.ts';
import type { ClosedBar, ExchangeId, Interval } from '../../../src/features/market/port.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { type EventReader, listenOn, type ReadEvent, readEvents } from '../../support/readEvents.ts';
import { createNode, type MadeKey, makeKey } from '../apiKeys/support.ts';

let exchanges: TestExchanges;
let test: TestApp;
let origin: string;
let anna: TestUser;
let key: MadeKey;
const listeners = new Set<(exchange: ExchangeId, bar: ClosedBar) => void>();
const retained: string[] = [];
const readers: EventReader[] = [];
const sockets: WebSocket[] = [];

beforeAll(async () => {
  exchanges = await startTestExchanges();
  const market = exchanges.market(exchanges.venues());
  test = await createTestApp({
    deps: {
      now: exchanges.clock.now,
      market: {
        ...market,
        onCandle: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        keep: ({ symbol, interval }) => {
          retained.push(`${symbol} ${interval}`);
          return () => void retained.splice(retained.indexOf(`${symbol} ${interval}`), 1);
        },
      },
    },
  });
  origin = await listenOn(test.app);
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await exchanges.close();
});
beforeEach(async () => {
  anna = await test.signUp();
  key = await makeKey(test, anna);
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
  for (const socket of sockets.splice(0)) socket.terminate();
});

/** The exchange closes the candle of `symbol` that ended last by the clock of the test. */
function close(symbol: string, interval: Interval = '1h', volume = 1): void {
  const step = intervalMs[interval];
  const time = Math.floor(exchanges.clock.now() / step) * step - step;
  const bar = { symbol, interval, time, open: 1, high: 2, low: 0.5, close: 1.5, volume };
  for (const listener of listeners) listener('binance', bar);
}

async function open(query: string, headers: Record<string, string> = key.header): Promise<EventReader> {
  const reader = await readEvents(`${origin}/api/stream?${query}`, headers);
  readers.push(reader);
  if (reader.status === 200) await expect.poll(() => reader.events.length).toBeGreaterThan(0);
  return reader;
}
const volumes = ({ events }: { events: ReadEvent[] }) =>
  events.filter(({ event }) => event === 'candle').map(({ data }) => data['volume']);

describe('the stream of signals and candles', () => {
  it('sends the signal of a candle as soon as it closes, with the fields of a signal', async () => {
    const reader = await open('symbols=BTCUSDT,ETHUSDT&intervals=15m,1h');
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers.get('ratelimit')).toMatch(/^"hour";r=59;t=\d+$/);
    expect(reader.events[0]).toMatchObject({ event: 'ready', data: { resumed: false } });
    close('BTCUSDT', '1h');
    close('SOLUSDT', '1h');
    close('ETHUSDT', '15m');
    await expect.poll(() => reader.names()).toEqual(['ready', 'signal', 'signal']);
    const signals = reader.events.slice(1).map(({ data }) => StreamSignal.parse(data));
    expect(signals.map(({ symbol, interval }) => `${symbol} ${interval}`).sort()).toEqual([
      'BTCUSDT 1h',
      'ETHUSDT 15m',
    ]);
    expect(signals.find(({ symbol }) => symbol === 'BTCUSDT')?.candle_close_at).toBe('2025-03-14T10:00:00.000Z');
    // The same figures as the call that computes one signal.
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/futures-signal',
      headers: key.header,
      payload: { symbol: 'BTCUSDT', interval: '1h' },
    });
    const { score, stopLoss, hashes } = response.json<Record<string, unknown>>();
    expect(signals.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({ score, stopLoss, hashes });
    expect(retained).toContain('BTCUSDT 15m');
  });

  it('sends a signal once, also when its candle is received again', async () => {
    const reader = await open('symbols=XRPUSDT');
    close('XRPUSDT');
    await expect.poll(() => reader.names()).toEqual(['ready', 'signal']);
    close('XRPUSDT');
    close('ADAUSDT');
    const other = await open('symbols=ADAUSDT&events=signals,candles');
    close('ADAUSDT');
    await expect.poll(() => other.names()).toEqual(['ready', 'candle', 'signal']);
    expect(reader.names()).toEqual(['ready', 'signal']);
  });

  it('sends prices that have changed', async () => {
    const reader = await open('symbols=BTCUSDT&events=prices');
    await expect.poll(() => reader.events.map(({ event }) => event)).toContain('prices');
    expect(reader.events.at(-1)?.data).toMatchObject({ prices: [{ symbol: 'BTCUSDT' }] });
  });

  it('loses nothing over a break, and sends nothing twice', async () => {
    const query = 'symbols=BTCUSDT&intervals=1m&events=candles';
    const before = await open(query);
    for (const volume of [1, 2, 3]) close('BTCUSDT', '1m', volume);
    await expect.poll(() => volumes(before)).toEqual([1, 2, 3]);
    before.close();
    for (const volume of [4, 5]) close('BTCUSDT', '1m', volume);
    exchanges.clock.advance(9 * 60_000);
    const header = await open(query, { ...key.header, 'last-event-id': before.lastId() ?? '' });
    const inQuery = await open(`${query}&last_event_id=${before.lastId() ?? ''}`);
    close('BTCUSDT', '1m', 6);
    for (const after of [header, inQuery]) {
      await expect.poll(() => volumes(after)).toEqual([4, 5, 6]);
      expect(after.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
    }
  });

  it('says resync after a longer break, for an id without a time, and never for a series it did not follow', async () => {
    const query = 'symbols=BTCUSDT&intervals=5m&events=candles';
    const before = await open(query);
    close('BTCUSDT', '5m', 1);
    await expect.poll(() => volumes(before)).toEqual([1]);
    const first = before.events[0]?.id ?? '';
    // Ten minutes, and the two by which the mark of an id may be older than the id.
    exchanges.clock.advance(12 * 60_000 + 1);
    expect((await open(`${query}&last_event_id=${first}`)).names()).toEqual(['resync']);
    for (const id of ['0123456789ab-1', 'nonsense', '0123456789ab-1-99999999999999'])
      expect((await open(`${query}&last_event_id=${id}`)).names()).toEqual(['resync']);
    // A key has five streams.
    const { header } = await makeKey(test, anna);
    const young = (await open(query, header)).lastId() ?? '';
    const other = await open(`symbols=LTCUSDT&intervals=5m&events=candles&last_event_id=${young}`, header);
    expect(other.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
  });

  it.each(['another node', 'the same node after a restart'])('loses nothing over a break that ends on %s', async () => {
    const query = 'symbols=BTCUSDT,ETHUSDT&intervals=1m,5m&events=signals,candles';
    const before = await open(query);
    const lastId = before.lastId() ?? '';
    const leftMs = exchanges.clock.now();
    before.close();
    exchanges.clock.advance(9 * 60_000);
    const nowMs = exchanges.clock.now();
    const node = await createNode(test, Date.now);
    try {
      const otherOrigin = await listenOn(node.app);
      const after = await readEvents(`${otherOrigin}/api/stream?${query}&last_event_id=${lastId}`, key.header);
      readers.push(after);
      const of = (name: string, symbol: string, interval: Interval) =>
        after.events
          .filter(({ event, data }) => event === name && data['symbol'] === symbol && data['interval'] === interval)
          .map(({ data }) => data);
      const closesOf = (name: string, symbol: string, interval: Interval): number[] =>
        of(name, symbol, interval).map((data) => Date.parse(String(data['candle_close_at'])));
      /** Every close of the break. The one before it may have been sent or not, so it may come, too. */
      const missed = (step: number): number[] =>
        Array.from({ length: 10 }, (_each, at) => Math.floor(nowMs / step) * step - (9 - at) * step).filter(
          (closeMs) => closeMs > leftMs,
        );
      expect(missed(60_000)).toHaveLength(9);
      const expected = [
        ['candle', '1m'],
        ['candle', '5m'],
        ['signal', '5m'],
        ['signal', '1m'],
      ] as const;
      for (const symbol of ['BTCUSDT', 'ETHUSDT'])
        for (const [name, interval] of expected) {
          const closes = missed(intervalMs[interval]);
          await expect
            .poll(() => closesOf(name, symbol, interval).slice(-closes.length), { message: `${name} ${interval}` })
            .toEqual(closes);
        }
      expect(after.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
      // The candles are those of the exchange, and each signal is the one of its moment.
      const closesAt = async (interval: Interval, limit: number): Promise<number[]> => {
        const url = `/api/klines?symbol=BTCUSDT&interval=${interval}&limit=${limit}`;
        const klines = await test.app.inject({ url, headers: anna.bearer });
        return klines.json<{ candles: { close: number[] } }>().candles.close;
      };
      expect(
        of('candle', 'BTCUSDT', '1m')
          .slice(-9)
          .map(({ close: price }) => price),
      ).toEqual(await closesAt('1m', 9));
      const signals = of('signal', 'BTCUSDT', '5m');
      expect(signals.map(({ price }) => price)).toEqual(await closesAt('5m', signals.length));
      for (const data of signals) StreamSignal.parse(data);
    } finally {
      readers.pop()?.close();
      node.app.server.closeAllConnections();
      await node.close();
    }
  });

  it('cuts a reader that does not read, with a last event, and limits what it buffers', async () => {
    const url = `${origin}/api/stream?symbols=DOGEUSDT&intervals=1m&events=candles`;
    const [response] = (await once(httpRequest(url, { headers: key.header }).end(), 'response')) as [
      import('node:http').IncomingMessage,
    ];
    response.pause();
    let reportCount = 0;
    // Far more than the buffers of both ends of a connection hold.
    for (; reportCount < 150_000; reportCount += 1) {
      close('DOGEUSDT', '1m', reportCount);
      if (reportCount % 2000 === 0) await turn();
    }
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => (text += part));
    response.resume();
    await once(response, 'end');
    const blocks = text.trim().split('\n\n');
    expect(blocks.at(-1)).toContain('event: end\ndata: {"reason":"slow_reader"}');
    const got = [...text.matchAll(/"volume":(\d+)/g)].map(([, volume]) => Number(volume));
    expect(got).toEqual(Array.from(got, (_each, at) => at));
    expect(got.length).toBeLessThan(reportCount);
  });
});

describe('who may open a stream', () => {
  it('is a key with the scope, and with read:market for candles and prices', async () => {
    expect((await open('symbols=BTCUSDT', {})).status).toBe(401);
    expect((await open('symbols=BTCUSDT', anna.bearer)).status).toBe(403);
    const market = await makeKey(test, anna, { scopes: ['read:market'] });
    expect((await open('symbols=BTCUSDT', market.header)).status).toBe(403);
    const signals = await makeKey(test, anna, { scopes: ['read:signals'] });
    expect((await open('symbols=BTCUSDT', signals.header)).status).toBe(200);
    expect((await open('symbols=BTCUSDT&events=signals,prices', signals.header)).status).toBe(403);
  });

  it('names what is wrong with the query', async () => {
    for (const query of [
      '',
      'symbols=',
      'symbols=BTCUSDT&intervals=7m',
      'symbols=BTCUSDT&events=all',
      'symbols=BTCUSDT&x=1',
    ])
      expect((await open(query)).status, query).toBe(400);
    expect((await open('symbols=NOSUCHUSDT')).status).toBe(404);
    const many = Array.from({ length: 61 }, (_each, at) => `A${at}USDT`).join();
    expect((await open(`symbols=${many}&intervals=1m,5m,15m,1h,4h`)).status).toBe(400);
  });

  it('is rejected for the sixth stream of a key, and accepted when one has closed', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => open('symbols=BTCUSDT')));
    const sixth = await open('symbols=BTCUSDT');
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '30']);
    const other = await makeKey(test, anna);
    expect((await open('symbols=BTCUSDT', other.header)).status).toBe(200);
    five[0]?.close();
    await expect.poll(async () => (await open('symbols=BTCUSDT')).status, { interval: 500 }).toBe(200);
  });

  it('is counted on all nodes together, and not on a dead node', async () => {
    const node = await createNode(test, Date.now);
    const there = await listenOn(node.app);
    const openThere = async () => {
      const reader = await readEvents(`${there}/api/stream?symbols=BTCUSDT`, key.header);
      readers.push(reader);
      return reader;
    };
    try {
      const here = await Promise.all([open('symbols=BTCUSDT'), open('symbols=BTCUSDT')]);
      // Of four concurrent streams on the other node three fit.
      const requested = await Promise.all([openThere(), openThere(), openThere(), openThere()]);
      expect(requested.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
      expect((await open('symbols=BTCUSDT')).status).toBe(429);
      // A stream that ended here has released its slot to the other node.
      here[0].close();
      await expect.poll(async () => (await openThere()).status, { interval: 500 }).toBe(200);
      expect((await open('symbols=BTCUSDT')).status).toBe(429);
    } finally {
      node.app.server.closeAllConnections();
      await node.close();
    }
    // A node that stops in order releases its slots.
    expect((await open('symbols=BTCUSDT')).status).toBe(200);
    const dead = '00000000-0000-4000-8000-00000000dead';
    const seen = (secondsAgo: number) =>
      test.database.asOwner(
        `insert into api_stream_places (node, key_id, user_id, streams, seen_at)
         values ($1, $2, $3, 3, now() - make_interval(secs => $4))
         on conflict (node, key_id) do update set seen_at = excluded.seen_at`,
        [dead, key.id, anna.id, secondsAgo],
      );
    // Heartbeat of the dead node: in the future, so that a slow machine still counts it as recent, and then eight seconds ago.
    await seen(-600);
    expect((await open('symbols=BTCUSDT')).status).toBe(429);
    await seen(8);
    expect((await open('symbols=BTCUSDT')).status).toBe(200);
  });

  it('ends with its key: a revoked one is cut within seconds, with a last event', async () => {
    const reader = await open('symbols=BTCUSDT');
    await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${key.id}`, headers: anna.bearer });
    // Five seconds are guaranteed; the rest is for a busy machine.
    await expect.poll(() => reader.isEnded(), { timeout: 20_000 }).toBe(true);
    expect(reader.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'key_ended' } });
  });

  it('is logged when it starts', async () => {
    await open('symbols=BTCUSDT');
    await test.deps.api.calls.flush();
    const rows = await test.database.asOwner('select status, route from api_calls where key_id = $1', [key.id]);
    expect(rows).toEqual([{ status: 200, route: '/api/stream' }]);
  });
});

describe('the stream as a WebSocket', () => {
  const connect = (query: string, headers: Record<string, string> = key.header) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/stream?${query}`, { headers });
    sockets.push(socket);
    const messages: ReadEvent[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as ReadEvent));
    return { socket, messages };
  };

  it('carries the same events and resumes by the same ids', async () => {
    const query = 'symbols=SOLUSDT&intervals=15m&events=candles,signals';
    const { socket, messages } = connect(query);
    await expect.poll(() => messages.map(({ event }) => event)).toEqual(['ready']);
    close('SOLUSDT', '15m', 1);
    await expect.poll(() => messages.map(({ event }) => event)).toEqual(['ready', 'candle', 'signal']);
    StreamSignal.parse(messages[2]?.data);
    socket.terminate();
    close('SOLUSDT', '15m', 2);
    const again = connect(`${query}&last_event_id=${messages[1]?.id ?? ''}`);
    await expect.poll(() => again.messages.map(({ event }) => event)).toEqual(['ready', 'signal', 'candle']);
    expect(volumes({ events: again.messages })).toEqual([2]);
    // The same path over HTTP also resumes from an id of a socket.
    const plain = await open(`${query}&last_event_id=${messages[1]?.id ?? ''}`);
    await expect.poll(() => plain.names()).toEqual(['ready', 'signal', 'candle']);
  });

  it('is rejected with the status of the error, and other paths accept no socket', async () => {
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
      socket.terminate();
      return response.statusCode;
    };
    expect(await statusOf('/api/stream?symbols=BTCUSDT', {})).toBe(401);
    expect(await statusOf('/api/stream?symbols=BTCUSDT', { 'x-api-key': 'x' })).toBe(401);
    expect(await statusOf('/api/stream?symbols=BTCUSDT', anna.bearer)).toBe(403);
    expect(await statusOf('/api/stream', key.header)).toBe(400);
    expect(await statusOf('/api/app', {})).toBe(200);
  });

  it('ends with its key', async () => {
    const { socket, messages } = connect('symbols=BTCUSDT');
    await expect.poll(() => messages.length).toBe(1);
    const closed = once(socket, 'close');
    await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${key.id}`, headers: anna.bearer });
    await closed;
    expect(messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'key_ended' } });
  });
});
