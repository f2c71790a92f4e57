import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';

/** The stream formats as documented by the vendors. */
let nowMs: number;
let fake: ExchangesFake;
const opened: WebSocket[] = [];
beforeAll(async () => {
  nowMs = Date.UTC(2025, 2, 14, 10, 14, 30);
  fake = await startExchanges({ seed: 7, now: () => nowMs });
});
afterAll(() => fake.close());
afterEach(() => {
  nowMs = Date.UTC(2025, 2, 14, 10, 14, 30);
  for (const socket of opened.splice(0)) socket.terminate();
});

const read = (text: string): never => (/^[[{]/.test(text) ? JSON.parse(text) : text) as never;

interface Session {
  socket: WebSocket;
  texts: string[];
  /** Resolves with the first matching message. */
  find: (fits: (message: never) => boolean) => Promise<never>;
}

async function open(path: string): Promise<Session> {
  const socket = new WebSocket(fake.url.replace('http', 'ws') + path);
  opened.push(socket);
  const texts: string[] = [];
  socket.on('message', (data) => {
    texts.push((data as Buffer).toString());
  });
  await once(socket, 'open');
  const find = async (fits: (message: never) => boolean): Promise<never> => {
    for (let turn = 0; turn < 200; turn++) {
      const matches = texts.map(read).filter(fits);
      if (matches.length > 0) return matches[0] as never;
      await delay(5);
    }
    throw new Error(`not among ${texts.length} messages`);
  };
  return { socket, texts, find };
}

const closeBar = (): void => {
  nowMs = Date.UTC(2025, 2, 14, 10, 15, 1);
  fake.streams.tick();
};

describe('Binance', () => {
  it('acknowledges, sends the running bar and then the closed one, equal to REST', async () => {
    const { socket, find } = await open('/market/ws');
    socket.send('{"method":"SUBSCRIBE","params":["btcusdt@kline_15m"],"id":7}');
    expect(await find((message: { id?: number }) => message.id === 7)).toEqual({ result: null, id: 7 });
    await find((message: { k?: { x: boolean } }) => message.k?.x === false);
    closeBar();
    const closed: { k: Record<string, unknown> } = await find(
      (message: { k?: { x: boolean } }) => message.k?.x === true,
    );
    const openMs = Date.UTC(2025, 2, 14, 10);
    const rest = await fetch(`${fake.url}/fapi/v1/klines?symbol=BTCUSDT&interval=15m&startTime=${openMs}&limit=1`);
    const [row] = (await rest.json()) as unknown[][];
    const { t, o, h, l, c, v } = closed.k;
    expect([t, o, h, l, c, v]).toEqual(row!.slice(0, 6));
  });

  it('sends lists of all symbols as one message, serves book tickers elsewhere, and ends a flood', async () => {
    const { socket, find } = await open('/market/ws');
    socket.send('{"method":"SUBSCRIBE","params":["!miniTicker@arr","!markPrice@arr@1s","!bookTicker"],"id":1}');
    const list: unknown[] = await find((message: { length?: number }) => (message.length ?? 0) > 100);
    expect(list[0]).toMatchObject({ e: '24hrMiniTicker' });
    await find((message: { e?: string }[]) => message[0]?.e === 'markPriceUpdate');
    await expect(find((message: { e?: string }) => message.e === 'bookTicker')).rejects.toThrow();
    for (let i = 0; i < 12; i++) socket.send('{"method":"LIST_SUBSCRIPTIONS","id":2}');
    await once(socket, 'close');
  });
});

describe('Bybit', () => {
  it('sends a snapshot, then changes, returns pongs, and rejects a request with an unknown topic as a whole', async () => {
    const { socket, find } = await open('/v5/public/linear');
    socket.send('{"op":"subscribe","req_id":"a","args":["tickers.BTCUSDT","tickers.NOPE"]}');
    expect(await find((message: { req_id?: string }) => message.req_id === 'a')).toMatchObject({ success: false });
    socket.send('{"op":"subscribe","req_id":"b","args":["tickers.BTCUSDT","kline.15.BTCUSDT"]}');
    const snapshot: { data: object } = await find(
      (message: { type?: string; topic?: string }) => message.topic === 'tickers.BTCUSDT',
    );
    expect(snapshot).toMatchObject({ type: 'snapshot', data: { symbol: 'BTCUSDT', fundingIntervalHour: '8' } });
    socket.send('{"op":"ping","req_id":"c"}');
    expect(await find((message: { req_id?: string }) => message.req_id === 'c')).toMatchObject({
      ret_msg: 'pong',
      op: 'ping',
    });
    closeBar();
    const delta: { data: object } = await find((message: { type?: string }) => message.type === 'delta');
    expect(Object.keys(delta.data)).not.toContain('fundingRate');
    await find(
      (message: { data?: { confirm?: boolean }[] }) => Array.isArray(message.data) && message.data[0]?.confirm === true,
    );
  });
});

describe('OKX', () => {
  it('acknowledges each argument, serves candles only on /business, and pongs a text', async () => {
    const wrong = await open('/ws/v5/public');
    wrong.socket.send('{"id":"1","op":"subscribe","args":[{"channel":"candle15m","instId":"BTC-USDT-SWAP"}]}');
    expect(await wrong.find((message: { event?: string }) => message.event === 'error')).toMatchObject({
      code: '60018',
    });
    wrong.socket.send('ping');
    expect(await wrong.find((message: string) => message === 'pong')).toBe('pong');
    const { socket, find } = await open('/ws/v5/business');
    socket.send('{"id":"1","op":"subscribe","args":[{"channel":"candle15m","instId":"BTC-USDT-SWAP"}]}');
    await find((message: { event?: string }) => message.event === 'subscribe');
    closeBar();
    const closed: { data: string[][] } = await find((message: { data?: string[][] }) => message.data?.[0]?.[8] === '1');
    const rest = await fetch(`${fake.url}/api/v5/market/candles?instId=BTC-USDT-SWAP&bar=15m&limit=2`);
    const { data } = (await rest.json()) as { data: string[][] };
    expect(closed.data[0]).toEqual(data[1]);
  });
});

it('serves no stream on other paths', async () => {
  const socket = new WebSocket(`${fake.url.replace('http', 'ws')}/ws`);
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toContain('404');
});
