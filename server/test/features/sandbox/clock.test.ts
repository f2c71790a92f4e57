import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleCreated } from '../../../src/features/notifications/webhooks/examples.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { type MadeKey, makeKey } from '../apiKeys/support.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}
interface Moved {
  now: string;
  plan: { name: string; expires_at: string | null };
  invoices: { status: string; credits: number; expires_at: string }[];
  messages: { id: string; event: string; body: string }[];
  delivery: { delivered: number; failure: string | null } | null;
}
interface Body {
  type: string;
  timestamp: string;
  sequence: number;
  data: { price: number; symbol: string; scan_id: string; signal_id: string };
}

const receiver: { received: Received[]; rejectFrom: number; server: Server } = {
  received: [],
  rejectFrom: Infinity,
  server: createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      receiver.received.push({ headers: request.headers, body });
      response.statusCode = receiver.received.length >= receiver.rejectFrom ? 500 : 204;
      response.end();
    });
  }),
};
let origin: string;
let test: TestApp;
let owner: TestUser;
let testKey: MadeKey;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}`;
  test = await createTestApp({ env: { EXCHANGES_URL: 'http://127.0.0.1:9', WEBHOOK_RECEIVER_URL: origin } });
  owner = await test.signUp();
  testKey = await makeKey(test, owner, { mode: 'test', scopes: apiScopeNames });
});
afterAll(async () => {
  await test.close();
  await new Promise((resolve) => receiver.server.close(resolve));
});

const move = (payload: object, key: MadeKey = testKey): Promise<LightMyRequestResponse> =>
  test.app.inject({ method: 'POST', url: '/api/sandbox/clock', headers: key.header, payload });
async function moved(payload: object, key?: MadeKey): Promise<Moved> {
  const response = await move(payload, key);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Moved>();
}
const get = (url: string, key: MadeKey = testKey): Promise<LightMyRequestResponse> =>
  test.app.inject({ url, headers: key.header });
const newKey = async (): Promise<MadeKey> =>
  makeKey(test, await test.signUp(), { mode: 'test', scopes: apiScopeNames });
const bodies = (messages: Moved['messages']): Body[] => messages.map(({ body }) => JSON.parse(body) as Body);

const dayMinutes = 1440;
const month = {
  restart: true,
  buy_plan: 'PRO',
  invoice: { credits: 100, paid_after_minutes: 600 },
  advance_minutes: 30 * dayMinutes,
};

describe('the clock of the sandbox', () => {
  it('PKG-090 moves market, plan, invoices and webhooks 30 days, within a minute', async () => {
    const before = process.cpuUsage();
    const { now, plan, invoices, messages } = await moved(month);
    const { user, system } = process.cpuUsage(before);
    // Processor time of this process with its engine: a busy machine must not fail it.
    const seconds = (user + system) / 1e6;
    process.stdout.write(`30 days of the sandbox: ${seconds.toFixed(1)} s of a core, ${messages.length} messages\n`);
    expect(seconds).toBeLessThan(60);
    expect(now).toBe('2026-07-01T12:00:00.000Z');
    // Bought on 1 June at 12:00 for 30 days.
    expect(plan).toEqual({ name: 'FREE', expires_at: null });
    expect(invoices).toMatchObject([{ status: 'COMPLETED', credits: 100, expires_at: '2026-06-01T12:15:00.000Z' }]);
    const all = bodies(messages);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
    expect(all.map(({ timestamp }) => timestamp)).toEqual(all.map(({ timestamp }) => timestamp).toSorted());
    const timeOf = (type: string) => all.filter((each) => each.type === type).map(({ timestamp }) => timestamp);
    expect(timeOf('payment.completed')).toEqual(['2026-06-01T22:00:00.000Z']);
    expect(timeOf('plan.expiring')).toEqual(['2026-06-28T12:00:00.000Z']);
    expect(timeOf('signal.created').length).toBeGreaterThan(5);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  });

  it('PKG-091 gives equal bytes to equal moves, of other accounts too, in one step or in several', async () => {
    const once = await move(month);
    const other = await newKey();
    expect((await move(month, other)).body).toBe(once.body);
    const { advance_minutes: _minutes, ...purchases } = month;
    const steps = [await moved({ ...purchases, advance_minutes: 600 })];
    steps.push(await moved({ advance_minutes: 10 * dayMinutes + 45 }));
    steps.push(await moved({ advance_minutes: 20 * dayMinutes - 645 }));
    const whole = once.json<Moved>();
    expect(steps.flatMap(({ messages }) => messages)).toEqual(whole.messages);
    expect({ ...steps.at(-1), messages: whole.messages }).toEqual(whole);
    const first = await get('/api/klines?symbol=BTCUSDT&interval=15m&limit=500');
    expect((await get('/api/klines?symbol=BTCUSDT&interval=15m&limit=500', other)).body).toBe(first.body);
  });

  it('PKG-092 moves the market of its account only: candles end and prices stand at its time', async () => {
    const [mine, other] = [await newKey(), await newKey()];
    const url = '/api/klines?symbol=BTCUSDT&interval=1h&limit=48';
    const before = await get(url, other);
    await moved({ restart: true, advance_minutes: 2 * dayMinutes + 30 }, mine);
    type Klines = { candles: Record<'time' | 'open' | 'high' | 'low' | 'close', number[]>; candle_close_at: string };
    const hours = (await get(url, mine)).json<Klines>();
    expect(hours.candle_close_at).toBe('2026-06-03T12:00:00.000Z');
    const { candles: quarters } = (await get('/api/klines?symbol=BTCUSDT&interval=15m&limit=194', mine)).json<Klines>();
    expect(new Date((quarters.time.at(-1) ?? 0) + 900_000).toISOString()).toBe('2026-06-03T12:30:00.000Z');
    // Each hour is made of its four quarters; the last two of 194 belong to the hour that is open.
    hours.candles.time.forEach((time, i) => {
      const at = quarters.time.indexOf(time);
      const part = (name: 'high' | 'low') => quarters[name].slice(at, at + 4);
      expect(at).toBe(i * 4);
      expect(hours.candles.open[i]).toBe(quarters.open[at]);
      expect(hours.candles.close[i]).toBe(quarters.close[at + 3]);
      expect(hours.candles.high[i]).toBe(Math.max(...part('high')));
      expect(hours.candles.low[i]).toBe(Math.min(...part('low')));
    });
    const { price } = (await get('/api/price?symbol=BTCUSDT', mine)).json<{ price: number }>();
    expect(price).toBeCloseTo(quarters.close.at(-1) ?? 0, 1);
    expect((await get('/api/scan/last', mine)).json()).toMatchObject({
      scan: { created_at: '2026-06-03T12:30:00.000Z' },
    });
    expect((await get(url, other)).body).toBe(before.body);
  });

  it('PKG-092 runs the same calls at a later time: backtests, arbitrage, indicators, the scan behind a message', async () => {
    const key = await newKey();
    const { messages } = await moved({ restart: true, advance_minutes: 12 * dayMinutes }, key);
    const series = { symbol: 'BTCUSDT', interval: '1h' };
    for (const [url, payload] of [
      ['/api/backtest', { ...series, limit: 500 }],
      ['/api/backtest', { ...series, interval: '4h', limit: 300, honesty: true }],
      ['/api/technical-indicators', { ...series, limit: 200 }],
      ['/api/arbitrage-scan', { symbols: ['BTCUSDT', 'ETHUSDT'], minSpreadPct: 0.001, notionalUsdt: 1000 }],
    ] as const) {
      const run = () => test.app.inject({ method: 'POST', url, headers: key.header, payload });
      const first = await run();
      expect(first.statusCode, `${url} ${first.body}`).toBe(200);
      expect((await run()).body).toBe(first.body);
    }
    const minutes = await get('/api/klines?symbol=BTCUSDT&interval=5m&limit=20', key);
    expect(minutes.json()).toMatchObject({ code: 'not_in_sandbox' });
    const last = bodies(messages).findLast(({ type }) => type === 'signal.created');
    const scanMs = Date.parse(last?.timestamp ?? '');
    const back = (scanMs - Date.UTC(2026, 5, 1, 12)) / 60_000;
    await moved({ restart: true, advance_minutes: back }, key);
    const { scan } = (await get('/api/scan/last', key)).json<{
      scan: { scan_id: string; results: { all: { signal_id: string; price: number }[] } };
    }>();
    expect(scan.scan_id).toBe(last?.data.scan_id);
    expect(scan.results.all.find(({ signal_id: id }) => id === last?.data.signal_id)?.price).toBe(last?.data.price);
  });

  it('PKG-093 posts each message in order, signed as live ones, and stops at the first that is rejected', async () => {
    receiver.received = [];
    const { messages, delivery } = await moved({
      ...month,
      advance_minutes: 5 * dayMinutes,
      webhook_url: `${origin}/hook`,
    });
    expect(messages.length).toBeGreaterThan(1);
    expect(delivery).toEqual({ delivered: messages.length, failure: null });
    expect(receiver.received.map(({ body }) => body)).toEqual(messages.map(({ body }) => body));
    for (const { headers, body } of receiver.received) {
      const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
      const key = Buffer.from(exampleCreated.secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signature}`);
      // Receivers reject old signatures, so the signed time is the real one.
      expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(600);
    }
    receiver.received = [];
    receiver.rejectFrom = 2;
    const stopped = await moved({ ...month, advance_minutes: 5 * dayMinutes, webhook_url: `${origin}/hook` });
    receiver.rejectFrom = Infinity;
    expect(stopped.delivery).toEqual({ delivered: 1, failure: 'The receiver responded with status 500.' });
    expect(stopped.messages).toEqual(messages);
  });

  it('PKG-094 lets an invoice expire after 15 minutes and credits money that arrives later', async () => {
    const unpaid = { restart: true, invoice: { credits: 20 } };
    expect((await moved(unpaid)).invoices).toMatchObject([{ status: 'PENDING' }]);
    expect((await moved({ advance_minutes: 15 })).invoices).toMatchObject([{ status: 'EXPIRED' }]);
    const late = { restart: true, invoice: { credits: 20, paid_after_minutes: 40 }, advance_minutes: 30 };
    expect((await moved(late)).invoices).toMatchObject([{ status: 'EXPIRED' }]);
    const { invoices, messages } = await moved({ advance_minutes: 15 });
    expect(invoices).toMatchObject([{ status: 'COMPLETED' }]);
    expect(bodies(messages)).toMatchObject([{ type: 'payment.completed', timestamp: '2026-06-01T12:40:00.000Z' }]);
  });

  it('PKG-095 rejects bad moves with the field and the fix, and changes nothing', async () => {
    const state = await moved({ restart: true, buy_plan: 'STARTER', advance_minutes: 60 });
    for (const [payload, status, field] of [
      [{ advance_minutes: 7 }, 400, 'advance_minutes'],
      [{ advance_minutes: 35 * dayMinutes }, 400, 'advance_minutes'],
      [{ advance_minutes: -15 }, 400, 'advance_minutes'],
      [{ buy_plan: 'FREE' }, 400, 'buy_plan'],
      [{ buy_plan: 'PRO' }, 409, 'buy_plan'],
      [{ invoice: { credits: 19 } }, 400, 'invoice.credits'],
      [{ webhook_url: 'http://10.0.0.1/' }, 400, 'webhook_url'],
    ] as const) {
      const rejected = await move(payload);
      expect([rejected.statusCode, rejected.json<{ field?: string }>().field], rejected.body).toEqual([status, field]);
    }
    const { messages: _messages, delivery: _delivery, ...unchanged } = state;
    expect((await get('/api/sandbox/clock')).json()).toEqual(unchanged);
  });

  it('PKG-096 is for test keys only, and touches no live data of its account', async () => {
    const live = await makeKey(test, owner, { scopes: apiScopeNames });
    expect((await move({ restart: true }, live)).json()).toMatchObject({ code: 'forbidden' });
    const bySession = await test.app.inject({ url: '/api/sandbox/clock', headers: owner.bearer });
    expect(bySession.json()).toMatchObject({ code: 'forbidden' });
    const rows = () =>
      test.database.asOwner(
        `select (select count(*) from credit_ledger where user_id = $1) as entries,
          (select count(*) from payments where user_id = $1) as payments,
          (select count(*) from api_subscriptions where user_id = $1) as plans,
          (select count(*) from notifications where user_id = $1) as messages`,
        [owner.id],
      );
    const before = await rows();
    await moved(month);
    expect(await rows()).toEqual(before);
  });

  it('PKG-096 limits moves by the hour', async () => {
    const user = await test.signUp();
    const key = await makeKey(test, user, { mode: 'test', scopes: apiScopeNames });
    await test.database.asOwner(
      `insert into rate_limits (key, hit_count, window_ends_at) values ('sandbox-clock:' || $1::text, 59, now() + interval '1 hour')`,
      [user.id],
    );
    expect((await move({}, key)).statusCode).toBe(200);
    const rejected = await move({}, key);
    expect(rejected.json()).toMatchObject({ code: 'rate_limited', message: 'At most 60 moves an hour.' });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3000);
  });
});
