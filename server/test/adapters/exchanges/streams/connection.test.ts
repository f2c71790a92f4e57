import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StreamFaultRule } from '../../../../fakes/exchanges/streams/streamFaults.ts';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';
import { systemClock } from '../../../../src/adapters/exchanges/clock.ts';
import { exchanges } from '../../../../src/adapters/exchanges/exchanges.ts';
import { createVenues, type Venues } from '../../../../src/adapters/exchanges/createVenues.ts';
import type { StreamTimings } from '../../../../src/adapters/exchanges/streams/connection.ts';
import type { VenueFeed } from '../../../../src/features/market/port.ts';

let fake: ExchangesFake;
let venues: Venues;
let quoteCount: number;
let quotedAtMs: number;
/** Time at which the exchange's clock stands still, so that nothing is due. */
let frozenAtMs: number | undefined;
beforeAll(async () => {
  fake = await startExchanges({ seed: 7, now: () => frozenAtMs ?? Date.now() });
});
afterAll(() => fake.close());
afterEach(async () => {
  fake.streams.faults.clear();
  frozenAtMs = undefined;
  await venues.close();
});

async function feedOf(exchange: 'binance' | 'bybit' | 'okx', timings: Partial<StreamTimings>): Promise<VenueFeed> {
  venues = createVenues({ exchangesUrl: fake.url, streamTimings: timings });
  quoteCount = 0;
  const onQuote = (): void => {
    quoteCount += 1;
    quotedAtMs = performance.now();
  };
  const feed = venues.byExchange[exchange].feed({ bar: () => undefined, quote: onQuote });
  await feed.want({ prices: ['BTCUSDT', 'ETHUSDT'], candles: [{ symbol: 'BTCUSDT', interval: '1m' }] });
  return feed;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 600 && !isSo(); turn++) await delay(10);
  expect(isSo()).toBe(true);
}

describe('a stream connection', () => {
  it('reconnects with growing delays to an exchange that drops it at once', async () => {
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'drop', venue: 'bybit' }));
    fake.streams.connects.length = 0;
    const startedMs = performance.now();
    await feedOf('bybit', { backoffMinMs: 20, backoffMaxMs: 160 });
    await until(() => fake.streams.connects.length > 8);
    // Waits of at least 20, 40, 80, 80, ... ms: half of the backoff, whatever the jitter.
    const count = fake.streams.connects.length;
    expect(count).toBeLessThanOrEqual(3 + Math.ceil((performance.now() - startedMs) / 80));
  });

  it('obeys the limit of new connections, whatever the backoff says', async () => {
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'drop', venue: 'okx' }));
    fake.streams.connects.length = 0;
    const startedMs = performance.now();
    await feedOf('okx', { backoffMinMs: 1, backoffMaxMs: 2 });
    await until(() => fake.streams.connects.length > 2);
    await delay(400);
    // Two in any second, of the three that are allowed.
    const count = fake.streams.connects.length;
    expect(count).toBeLessThanOrEqual(2 * (1 + Math.floor((performance.now() - startedMs) / 1000)));
  });

  it.each(['binance', 'bybit', 'okx'] as const)(
    'replaces a silent connection of %s and receives data again',
    async (exchange) => {
      const feed = await feedOf(exchange, { watchMs: 10, pingEveryMs: 30, deadMs: 150, backoffMinMs: 10 });
      await until(() => quoteCount > 0);
      fake.streams.faults.add(StreamFaultRule.parse({ fault: 'silence', venue: exchange }));
      const { connectCount } = feed.health();
      await until(() => feed.health().connectCount > connectCount);
      fake.streams.faults.clear();
      quoteCount = 0;
      await until(() => quoteCount > 0);
    },
  );

  it('stays open while the exchange responds to pings, even without data', async () => {
    // Long compared with a pause of a busy process, during which pongs wait unread.
    const deadMs = 1500;
    const feed = await feedOf('bybit', { watchMs: 10, pingEveryMs: 30, deadMs, noDataMs: 60_000 });
    await until(() => quoteCount > 0);
    const { connectCount } = feed.health();
    frozenAtMs = Date.now();
    await until(() => performance.now() - quotedAtMs > deadMs + 300);
    expect(feed.health()).toMatchObject({ connectCount, openCount: 1 });
  });

  it('replaces a connection that sends nothing readable', async () => {
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'garbage', venue: 'binance' }));
    const feed = await feedOf('binance', { backoffMinMs: 10, backoffMaxMs: 20 });
    await until(() => feed.health().connectCount > 3);
    expect(quoteCount).toBe(0);
  });

  it.each(['binance', 'bybit', 'okx'] as const)(
    'of %s survives JSON that cannot be converted to text',
    async (exchange) => {
      fake.streams.faults.add(StreamFaultRule.parse({ fault: 'strangeJson', venue: exchange }));
      const feed = await feedOf(exchange, { backoffMinMs: 10, backoffMaxMs: 20 });
      await until(() => feed.health().unreadableCount > 0);
      fake.streams.faults.clear();
      await until(() => quoteCount > 0);
    },
  );
});

describe('an error of a subscription in another form', () => {
  it.each([
    ['binance', 'bare'],
    ['okx', 'connectionCount'],
  ] as const)('NODE-018 of %s, %s, is counted as one', async (exchange, form) => {
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'rejectedSubscription', venue: exchange, form }));
    const feed = await feedOf(exchange, {});
    await until(() => feed.health().unreadableCount > 0);
    const read = exchanges[exchange].stream.read;
    const frame = {
      bare: '{"code":2,"msg":"Invalid request"}',
      connectionCount: '{"event":"channel-conn-count-error","channel":"tickers","connCount":"30","connId":"a"}',
    }[form];
    expect(read(frame).kind).toBe('refused');
    expect(read('{"event":"channel-conn-count","channel":"tickers","connCount":"2","connId":"a"}').kind).toBe(
      exchange === 'okx' ? 'other' : 'unreadable',
    );
  });
});

describe('hosts of an exchange', () => {
  it('NODE-019 can be set for one exchange: its requests and streams go there', async () => {
    const own = { rest: fake.url, stream: fake.url.replace('http', 'ws') };
    venues = createVenues({ exchangeHosts: { okx: own } });
    const { okx } = venues.byExchange;
    expect((await okx.symbols()).ok).toBe(true);
    let count = 0;
    const feed = okx.feed({ bar: () => undefined, quote: () => (count += 1) });
    await feed.want({ prices: ['BTCUSDT'], candles: [] });
    await until(() => count > 0);
    expect(okx.clockOffset()?.errorMs).toBeGreaterThanOrEqual(500);
  });
});

describe('a candle topic that is acknowledged and then silent', () => {
  const base = { binance: 'XRP', bybit: 'BTC', okx: 'SOL' } as const;

  it.each(['binance', 'bybit', 'okx'] as const)(
    'of %s is detected by the age of its data, listed in the health of the feed, and resubscribed to until data arrive',
    async (exchange) => {
      let aheadMs = 0;
      const clock = { ...systemClock, now: () => Date.now() + aheadMs };
      const streamTimings = { watchMs: 10, pingEveryMs: 30, deadMs: 1e9, noDataMs: 1e9 };
      venues = createVenues({ exchangesUrl: fake.url, streamTimings, clock });
      const muted = { symbol: `${base[exchange]}USDT`, interval: '1m' } as const;
      const streamed = { symbol: 'ETHUSDT', interval: '1m' } as const;
      fake.streams.faults.add(StreamFaultRule.parse({ fault: 'mutedKlines', venue: exchange, base: base[exchange] }));
      const feed = venues.byExchange[exchange].feed({ bar: () => undefined, quote: () => undefined });
      await feed.want({ prices: [], candles: [muted, streamed] });
      await until(() => feed.health().messageAtMs !== null);
      expect(feed.isSilent(muted)).toBe(false);
      aheadMs = 95_000;
      expect(feed.isSilent(muted)).toBe(true);
      // The other topic is resubscribed to as well, and sends data.
      await until(() => feed.health().silentTopics.length === 1);
      expect(feed.isSilent(streamed)).toBe(false);
      const { connectCount } = feed.health();
      fake.streams.faults.clear();
      aheadMs += 200_000;
      await until(() => !feed.isSilent(muted));
      expect(feed.health().connectCount).toBe(connectCount);
    },
  );
});
