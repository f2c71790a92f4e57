import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import type { SextantError } from '../../client/src/errors.ts';
import type { StreamEvent, StreamOptions } from '../../client/src/stream.ts';
import { listenOnServer } from './listenOnServer.ts';

/** A server of the test whose connections each follow one script. */
type Connection = (response: ServerResponse, request: IncomingMessage) => void;
let server: Server;
let baseUrl: string;
let connections: Connection[];
let seen: { url: string; lastId: string | undefined; key: unknown }[];
beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    const { headers, url = '' } = request;
    seen.push({ url, lastId: headers['last-event-id'] as string | undefined, key: headers['x-api-key'] });
    connections.shift()?.(response, request);
  });
  baseUrl = await listenOnServer(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const opened = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
const text = (event: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const candle = (hour: number, symbol = 'BTCUSDT'): object => ({
  symbol,
  interval: '1h',
  candle_close_at: `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`,
  close: hour,
});
const sends =
  (...parts: string[]): Connection =>
  (response) =>
    opened(response).end(parts.join(''));

/** Reads until `count` events have arrived. */
async function read(count: number, options: Partial<StreamOptions> = {}): Promise<StreamEvent[]> {
  const client = createClient({ baseUrl, key: 'sx_live_abc' });
  const events: StreamEvent[] = [];
  for await (const event of client.stream({ symbols: ['BTCUSDT', 'ETHUSDT'], ...options }))
    if (events.push(event) === count) break;
  return events;
}
const namesOf = (events: StreamEvent[]): string[] =>
  events.map((each) => (each.event === 'candle' ? `candle ${each.data.symbol} ${each.data.close}` : each.event));

describe('the stream of the client', () => {
  it('PKG-046 continues from the last id after a break and passes each event on once', async () => {
    connections = [
      sends(text('ready', { resumed: false }, 'n-1'), text('candle', candle(1), 'n-2'), text('beat', {}, 'n-5')),
      // Another node repeats what it replays, under the id that the client sent.
      sends(
        text('ready', { resumed: true }, 'n-5'),
        text('candle', candle(1), 'n-5'),
        text('candle', candle(2), 'n-5'),
        text('candle', candle(1, 'ETHUSDT'), 'n-5'),
      ),
      sends(text('resync', { resumed: false }, 'm-1'), text('prices', { prices: [] })),
    ];
    const events = await read(7, { intervals: ['1h', '4h'], events: ['candles', 'prices'] });
    expect(namesOf(events)).toEqual([
      ...['ready', 'candle BTCUSDT 1', 'ready', 'candle BTCUSDT 2', 'candle ETHUSDT 1', 'resync', 'prices'],
    ]);
    expect(events.map(({ id }) => id)).toEqual(['n-1', 'n-2', 'n-5', 'n-5', 'n-5', 'm-1', undefined]);
    expect(seen.map(({ lastId }) => lastId)).toEqual([undefined, 'n-5', 'n-5']);
    const { url, key } = seen[0] ?? {};
    expect([url, key]).toEqual([
      '/api/stream?symbols=BTCUSDT%2CETHUSDT&intervals=1h%2C4h&events=candles%2Cprices',
      'sx_live_abc',
    ]);
  });

  it('PKG-046 reads events that arrive in pieces, and starts from an id that the caller stored', async () => {
    const whole = Buffer.from(
      text('ready', { resumed: true }, 'a') + text('candle', { ...candle(3), note: 'Zürich €' }),
    );
    connections = [
      (response) => {
        opened(response);
        const sendFrom = (at: number): void => {
          if (at >= whole.length) return;
          response.write(whole.subarray(at, at + 7), () => setImmediate(sendFrom, at + 7));
        };
        sendFrom(0);
      },
    ];
    const [, second] = await read(2, { lastEventId: 'stored' });
    expect(second?.data).toMatchObject({ close: 3, note: 'Zürich €' });
    expect(seen[0]?.lastId).toBe('stored');
  });

  it('PKG-047 connects again after 503 with Retry-After, a dropped connection and a server that stops', async () => {
    connections = [
      (response) => response.writeHead(503, { 'retry-after': '1' }).end('{"code":"database_unavailable"}'),
      (response) => response.destroy(),
      sends(text('ready', { resumed: false }, 'a'), text('end', { reason: 'server_stops' }, 'b')),
      sends(text('ready', { resumed: true }, 'b')),
    ];
    const startMs = performance.now();
    expect(namesOf(await read(2))).toEqual(['ready', 'ready']);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(995);
    expect(seen.map(({ lastId }) => lastId)).toEqual([undefined, undefined, undefined, 'b']);
  });

  it('PKG-047 ends with an error that another connection does not change, and quietly when it is stopped', async () => {
    const failure = () => read(9).catch((error: unknown) => error as SextantError);
    connections = [(response) => response.writeHead(403).end('{"code":"not_in_sandbox","message":"No stream."}')];
    expect(await failure()).toMatchObject({ code: 'not_in_sandbox', status: 403 });
    connections = [sends(text('ready', { resumed: false }, 'a'), text('end', { reason: 'key_ended' }, 'a'))];
    expect(await failure()).toMatchObject({ code: 'not_authenticated' });
    expect(seen).toHaveLength(2);
    const stop = new AbortController();
    let closed = false;
    connections = [
      (response) => {
        opened(response).write(text('ready', { resumed: false }, 'a'));
        response.on('close', () => (closed = true));
      },
    ];
    const client = createClient({ baseUrl });
    const events: string[] = [];
    for await (const { event } of client.stream({ symbols: ['BTCUSDT'], signal: stop.signal })) {
      events.push(event);
      stop.abort();
    }
    expect(events).toEqual(['ready']);
    await expect.poll(() => closed).toBe(true);
  });
});
