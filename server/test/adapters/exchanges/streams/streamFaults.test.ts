import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type StreamFaultName,
  StreamFaultRule,
  streamFaults,
} from '../../../../fakes/exchanges/streams/streamFaults.ts';
import type { Venues } from '../../../../src/adapters/exchanges/createVenues.ts';
import { createMarket, type LiveMarket } from '../../../../src/features/market/createMarket.ts';
import type { ClosedBar, ExchangeId, LiveQuote, WarmCandles } from '../../../../src/features/market/port.ts';
import {
  exchangeIds,
  startTestExchanges,
  type TestExchanges,
  testNowMs,
  trueCandles,
} from '../support/testExchanges.ts';

/**
 * Every stream fault on every exchange: the engine reads correct candles or none, prices are correct or absent, and once REST
 * is allowed again the series are complete. A manual clock passes three closes.
 */
const interval = '15m';
const span = intervalMs[interval];
const limit = 100;
const quietS = 1;
let exchanges: TestExchanges;
let venues: Venues;
let market: LiveMarket;
let bars: ClosedBar[];
let quotes: LiveQuote[];

beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.streams.faults.clear();
  exchanges.fake.limits.clear();
});

const none = { symbolCount: 0, candles: [] };
/** Candles of three symbols; their prices take three lists, three topics or nine. */
const topicCount: Record<ExchangeId, number> = { binance: 6, bybit: 6, okx: 12 };

const turnMs = 5;

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 4000; turn++) {
    if (isSo()) return;
    await delay(turnMs);
  }
  throw new Error(`never: ${what}`);
}

/** A market that streams the three busiest symbols of one exchange, loaded and subscribed. */
async function warmMarket(exchange: ExchangeId): Promise<void> {
  const timings = { backoffMinMs: 5, backoffMaxMs: 20, watchMs: 3_600_000 };
  const plan = { binance: none, bybit: none, okx: none, [exchange]: { symbolCount: 3, candles: [interval] } };
  venues = exchanges.venues({ streamTimings: timings });
  market = createMarket({ venues: venues.byExchange, now: exchanges.clock.now, plan: plan });
  bars = [];
  quotes = [];
  market.onCandle((_, bar) => bars.push(bar));
  market.onPrice((_, quote) => quotes.push(quote));
  market.start(0);
  await market.round();
  expect(market.warmth()).toMatchObject({ wantedCount: 3, readyCount: 3 });
  await subscribed(exchange);
  // A first message that arrives after the clock has jumped is too old to be used.
  await until(() => market.readQuote({ exchange, symbol: 'BTCUSDT' }) !== null, 'the first price');
}

/** Advances the clock while waiting, because an exchange limits connections per second. */
function subscribed(exchange: ExchangeId): Promise<void> {
  const { clock, fake } = exchanges;
  const isSubscribed = (): boolean => {
    clock.set(clock.now() + turnMs);
    return fake.streams.topicCount(exchange) >= topicCount[exchange];
  };
  return until(isSubscribed, `${exchange} is subscribed to`);
}

/** Passes a close: streams push, and what they do not deliver is requested some seconds later. */
async function passClose(exchange: ExchangeId): Promise<void> {
  const { clock, fake } = exchanges;
  const closeMs = Math.floor(clock.now() / span) * span + span;
  clock.set(closeMs + 1000);
  fake.streams.tick();
  await delay(25);
  expectTruth(exchange, read(exchange));
  fake.streams.tick();
  clock.set(closeMs + 8000);
  await delay(10);
  await market.round();
  expectTruth(exchange, read(exchange));
}

const read = (exchange: ExchangeId): WarmCandles | null =>
  market.readWarm({ exchange, symbol: 'BTCUSDT', interval, limit });

const truthOf = (exchange: ExchangeId, symbol: string, fromMs: number, toMs: number) =>
  trueCandles(exchanges.fake, exchange, symbol, interval, fromMs, toMs);

function expectTruth(exchange: ExchangeId, warm: WarmCandles | null): void {
  if (warm === null) return;
  const { time, open, high, low, close, volume } = warm.candles;
  const truth = truthOf(exchange, 'BTCUSDT', time[0] as number, time.at(-1) as number);
  expect(time).toHaveLength(limit);
  time.forEach((openMs, i) => {
    expect([openMs, open[i], high[i], low[i], close[i], volume[i]]).toEqual(truth.get(openMs));
    expect(openMs + span).toBeLessThanOrEqual(exchanges.clock.now());
  });
}

/** Appended candles and reported prices equal the market's. */
function expectHonest(exchange: ExchangeId): void {
  for (const { symbol, time, open, high, low, close, volume } of bars) {
    expect([time, open, high, low, close, volume]).toEqual(truthOf(exchange, symbol, time, time).get(time));
  }
  for (const { symbol, last, atMs, receivedAtMs } of quotes) {
    const id = exchange === 'okx' ? `${symbol.slice(0, -4)}-USDT-SWAP` : symbol;
    const listing = exchanges.fake.listings[exchange].get(id)!;
    expect(last).toBe(exchanges.fake.market.quote(listing, atMs).last / 10 ** listing.priceDecimals);
    expect(receivedAtMs - atMs).toBeLessThanOrEqual(60_000);
  }
}

describe.each(exchangeIds)('a stream of %s', (exchange) => {
  beforeAll(async () => {
    exchanges.clock.set(testNowMs);
    await warmMarket(exchange);
  });
  afterAll(() => market.stop());
  beforeEach(async () => {
    await subscribed(exchange);
    await market.round();
    bars = [];
    quotes = [];
  });

  it('delivers closed bars and prices without a single request', async () => {
    exchanges.fake.requests.clear();
    for (let close = 0; close < 3; close++) {
      exchanges.clock.set(Math.floor(exchanges.clock.now() / span) * span + span + 1000);
      exchanges.fake.streams.tick();
      await until(() => bars.length >= 3 * (close + 1), 'the bars');
      expect(read(exchange)).not.toBeNull();
      await market.round();
    }
    expectTruth(exchange, read(exchange));
    expectHonest(exchange);
    expect(market.readQuote({ exchange, symbol: 'BTCUSDT' })?.fundingRate).toBeTypeOf('number');
    expect(exchanges.fake.requests.all().filter(({ endpoint }) => endpoint === 'klines')).toEqual([]);
  });

  it.each(streamFaults)('%s lets no wrong value in and leaves no gap', async (fault: StreamFaultName) => {
    exchanges.fake.streams.faults.add(
      StreamFaultRule.parse({ fault, venue: exchange, delayMs: 5, retryAfterS: quietS }),
    );
    for (let close = 0; close < 3; close++) await passClose(exchange);
    expect(read(exchange)).not.toBeNull();
    expectHonest(exchange);
  });

  it('does not connect while a ban is active, nor does REST', async () => {
    const { fake, clock } = exchanges;
    const times = market.warmth().feeds[exchange]?.openCount ?? 0;
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'drop', venue: exchange, times }));
    fake.streams.faults.add(StreamFaultRule.parse({ fault: 'refusedUpgrade', venue: exchange, retryAfterS: 120 }));
    const before = fake.streams.connects.length;
    clock.advance(span);
    fake.streams.tick();
    await until(() => fake.streams.connects.length > before, 'a rejected handshake');
    // The exchange has rejected the handshake, and the client has read that.
    await until(() => venues.byExchange[exchange].state() === 'banned', 'a ban');
    fake.requests.clear();
    const rejected = fake.streams.connects.length;
    clock.advance(60_000);
    await market.round();
    const response = await market.candles({ exchange, symbol: 'BTCUSDT', interval, limit });
    expect(response).toMatchObject({ ok: false, error: { code: 'upstream_rate_limited' } });
    expect(read(exchange)).toBeNull();
    await delay(60);
    expect(fake.requests.all().filter(({ venue }) => venue === exchange)).toEqual([]);
    expect(fake.streams.connects.length - rejected).toBeLessThanOrEqual(1);
    fake.streams.faults.clear();
    clock.advance(120_000);
    await market.round();
    expect(read(exchange)).not.toBeNull();
  });
});
