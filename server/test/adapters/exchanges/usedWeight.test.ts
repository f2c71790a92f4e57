import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchanges } from '../../../src/adapters/exchanges/exchanges.ts';
import { createTransport, type Transport } from '../../../src/adapters/exchanges/transport.ts';
import { manualClock } from './support/testExchanges.ts';

/** A Binance that counts weight in minutes of its own clock, and states the count as in its documents. */
const WEIGHT = 2;
const startMs = Date.UTC(2025, 2, 14, 10, 7, 0);
const clock = manualClock(startMs);
/** How far its clock is ahead, the trip of a request and of its response, and the weight of others at our address. */
let aheadMs = 0;
let tripMs = 50;
let others = 0;
const counts = new Map<number, number>();

let server: Server;
let transport: Transport;
let url: string;
beforeAll(async () => {
  server = createServer((_request, response) => {
    clock.advance(tripMs);
    const theirsMs = clock.now() + aheadMs;
    const minute = Math.floor(theirsMs / 60_000);
    const used = (counts.get(minute) ?? 0) + WEIGHT;
    counts.set(minute, used);
    response.setHeader('date', new Date(theirsMs).toUTCString());
    response.setHeader('x-mbx-used-weight-1m', String(used + others));
    response.setHeader('content-type', 'application/json');
    clock.advance(tripMs);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  counts.clear();
  clock.set(startMs);
  others = 0;
  const limits = { requestTimeoutMs: 5000, callDeadlineMs: 5000 };
  transport = createTransport({ rules: exchanges.binance.rules, baseUrl: url, clock, ...limits });
});

const send = () => transport.getJson('/fapi/v1/klines?symbol=BTCUSDT&limit=200');
const used = (): number | undefined => transport.budgets().find(({ name }) => name === 'weight')?.used;

describe('the weight that Binance states', () => {
  it.each([
    { ahead: 0, trip: 50 },
    { ahead: 0, trip: 400 },
    { ahead: -1500, trip: 50 },
    { ahead: 1500, trip: 50 },
    { ahead: -20_000, trip: 90 },
    { ahead: 20_000, trip: 90 },
  ])(
    'NODE-203 counts nothing twice when a minute ends: its clock $ahead ms ahead, $trip ms each way',
    async ({ ahead, trip }) => {
      aheadMs = ahead;
      tripMs = trip;
      let sent = 0;
      while (clock.now() < startMs + 59_000) {
        await send();
        sent += WEIGHT;
        clock.advance(100);
        expect(used()).toBe(sent);
      }
      // In any span of a minute, not more than what was sent in it.
      const spent: { atMs: number }[] = [];
      while (clock.now() < startMs + 150_000) {
        spent.push({ atMs: clock.now() });
        await send();
        clock.advance(100);
        const ours = sent + WEIGHT * spent.length;
        expect(used()).toBeLessThanOrEqual(ours);
        if (clock.now() > startMs + 120_000) {
          const last = spent.filter(({ atMs }) => atMs > clock.now() - 60_000).length;
          expect(used()).toBe(WEIGHT * last);
        }
      }
      await transport.close();
    },
  );

  it('NODE-203 includes what others at our address use', async () => {
    aheadMs = 0;
    tripMs = 50;
    await send();
    clock.set(startMs + 20_000);
    others = 500;
    await send();
    expect(used()).toBe(2 * WEIGHT + 500);
    // Stated in the last moment of a minute, and received in the next one. The first request is over a minute old by then.
    clock.set(startMs + 59_950);
    await send();
    expect(used()).toBe(2 * WEIGHT + 500);
    await transport.close();
  });
});

/** A Bybit that counts requests in fixed windows of five seconds of its own clock. */
describe('the requests that Bybit states', () => {
  it.each([0, 300, 1000, 2000, 5000, -1000, -5000])(
    'NODE-203 counts nothing twice when its clock is %i ms ahead',
    async (ahead) => {
      const WINDOW = 5000;
      const windows = new Map<number, number>();
      const bybit = createServer((_request, response) => {
        clock.advance(20);
        const theirsMs = clock.now() + ahead;
        const window = Math.floor(theirsMs / WINDOW);
        const count = (windows.get(window) ?? 0) + 1;
        windows.set(window, count);
        response.setHeader('date', new Date(theirsMs).toUTCString());
        response.setHeader('x-bapi-limit', '600');
        response.setHeader('x-bapi-limit-status', String(600 - count));
        response.setHeader('x-bapi-limit-reset-timestamp', String((window + 1) * WINDOW));
        response.setHeader('content-type', 'application/json');
        clock.advance(20);
        response.end('{"retCode":0,"result":{"list":[]}}');
      }).listen(0, '127.0.0.1');
      await once(bybit, 'listening');
      const limits = { requestTimeoutMs: 5000, callDeadlineMs: 5000 };
      const baseUrl = `http://127.0.0.1:${(bybit.address() as AddressInfo).port}`;
      const own = createTransport({ rules: exchanges.bybit.rules, baseUrl, clock, ...limits });
      const sent: number[] = [];
      try {
        while (clock.now() < startMs + 20_000) {
          sent.push(clock.now());
          await own.getJson('/v5/market/tickers?category=linear');
          clock.advance(10);
          const inWindow = sent.filter((atMs) => atMs > clock.now() - 5500).length;
          expect(own.budgets()[0]?.used).toBeLessThanOrEqual(inWindow + 1);
        }
      } finally {
        await own.close();
        bybit.close();
      }
    },
  );
});
