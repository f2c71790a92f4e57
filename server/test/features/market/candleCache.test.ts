import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { noneLeftOut } from '../../../src/adapters/exchanges/universe.ts';
import { createMarket } from '../../../src/features/market/createMarket.ts';
import type {
  CandleGap,
  CandleWindow,
  Market,
  PriceQuote,
  Venue,
  VenueCandleRequest,
} from '../../../src/features/market/port.ts';
import { type Outcome, reject } from '../../../src/platform/errors.ts';

/** The cache over a scripted venue: minute bars whose prices are their index, and a list of the requested ranges. */
const MINUTE = 60_000;
const startMs = 10_000_000 * MINUTE;
const index = (openMs: number): number => (openMs - startMs) / MINUTE;

interface Handmade {
  venue: Venue;
  requested: [from: number, to: number][];
  /** Bars the venue does not have. */
  holes: Set<number>;
  /** Added to every price from now on. */
  drift: number;
  failure: Outcome<never> | undefined;
  last: number;
}

function columns(opens: number[], drift: number): Candles {
  const column = (value: (openMs: number) => number): Float64Array => Float64Array.from(opens, value);
  const price = (openMs: number): number => 1000 + index(openMs) / 1000 + drift;
  return {
    time: Float64Array.from(opens),
    open: column(price),
    high: column((openMs) => price(openMs) + 1),
    low: column((openMs) => price(openMs) - 1),
    close: column(price),
    volume: column(() => 1),
  };
}

function gapsAt(missing: number[]): CandleGap[] {
  return missing.map((openMs) => ({ fromMs: openMs, toMs: openMs, missingCount: 1 }));
}

function handmade(): Handmade {
  const state: Handmade = {
    requested: [],
    holes: new Set(),
    drift: 0,
    failure: undefined,
    last: 1000,
    venue: undefined as never,
  };
  const quote = (): PriceQuote => ({ symbol: 'BTCUSDT', last: state.last, bid: null, ask: null, mark: null, atMs: 0 });
  const listed = { symbol: 'BTCUSDT', base: 'BTC', tickSize: 1, stepSize: 1, status: 'trading' as const };
  state.venue = {
    exchange: 'binance',
    state: () => 'ok',
    symbols: () =>
      Promise.resolve(
        ok({
          symbols: [
            {
              ...listed,
              minNotional: null,
              maxQuantity: null,
              maxLeverage: null,
              listedAtMs: null,
              fundingHours: null,
            },
          ],
          readAtMs: 0,
          leftOut: noneLeftOut(),
        }),
      ),
    async candles({ fromMs, toMs }: VenueCandleRequest): Promise<Outcome<CandleWindow>> {
      state.requested.push([index(fromMs), index(toMs)]);
      await new Promise((resolve) => setImmediate(resolve));
      if (state.failure !== undefined) return state.failure;
      const opens = Array.from({ length: (toMs - fromMs) / MINUTE + 1 }, (_, i) => fromMs + i * MINUTE);
      const missing = opens.filter((openMs) => state.holes.has(index(openMs)));
      const candles = columns(
        opens.filter((openMs) => !missing.includes(openMs)),
        state.drift,
      );
      return ok({ candles, gaps: gapsAt(missing), rejectedCount: 0 });
    },
    prices: () => Promise.resolve(ok([quote()])),
    funding: () => Promise.reject(new Error('not requested here')),
    fundingHistory: () => Promise.reject(new Error('not requested here')),
    tops: () => Promise.reject(new Error('not requested here')),
    orderBook: () => Promise.reject(new Error('not requested here')),
    turnovers: () => Promise.reject(new Error('not requested here')),
    tiers: () => Promise.resolve(ok(null)),
    openInterest: () => Promise.reject(new Error('not requested here')),
    openInterestSeries: () => Promise.reject(new Error('not requested here')),
    longShortSeries: () => Promise.reject(new Error('not requested here')),
    feed: () => {
      throw new Error('not streamed here');
    },
  };
  return state;
}

let state: Handmade;
let market: Market;
let nowMs: number;
/** Minute `n` has just ended: bar n - 1 is the last closed one. */
const at = (n: number, ms = 0): number => (nowMs = startMs + n * MINUTE + ms);

function marketOf(candleBytesMax?: number): Market {
  const never = new Proxy({} as Venue, {
    get: () => () => Promise.reject(new Error('another exchange was requested')),
  });
  const venues = { binance: state.venue, bybit: never, okx: never };
  return createMarket({ venues, now: () => nowMs, ...(candleBytesMax === undefined ? {} : { candleBytesMax }) });
}

async function read(limit: number, more: { endTimeMs?: number; symbol?: string } = {}) {
  const outcome = await market.candles({ symbol: 'BTCUSDT', interval: '1m', limit, ...more });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { candles, gaps } = outcome.value.value;
  return { bars: Array.from(candles.time, index), gaps, fetchedAtMs: outcome.value.fetchedAtMs, close: candles.close };
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

beforeEach(() => {
  state = handmade();
  at(1000);
  market = marketOf();
});

describe('the candle cache', () => {
  it('serves from memory as long as no new bar has closed', async () => {
    expect((await read(10)).bars).toEqual(range(990, 999));
    at(1000, 59_999);
    const again = await read(10);
    expect(again.bars).toEqual(range(990, 999));
    expect(again.fetchedAtMs).toBe(startMs + 1000 * MINUTE);
    expect(state.requested).toEqual([[990, 999]]);
  });

  it('fetches only the new bars, and the last known one to see that it is still the same', async () => {
    await read(10);
    at(1003);
    expect((await read(10)).bars).toEqual(range(993, 1002));
    expect(state.requested).toEqual([
      [990, 999],
      [999, 1002],
    ]);
  });

  it('fetches only the older bars when more history is requested', async () => {
    await read(10);
    expect((await read(30)).bars).toEqual(range(970, 999));
    expect(state.requested).toEqual([
      [990, 999],
      [970, 990],
    ]);
    expect((await read(20, { endTimeMs: startMs + 995 * MINUTE })).bars).toEqual(range(975, 994));
    expect(state.requested).toHaveLength(2);
  });

  it('never serves the bar that is running', async () => {
    for (const ms of [0, 1, 30_000, 59_999]) {
      at(1010, ms);
      expect((await read(5)).bars.at(-1)).toBe(1009);
    }
  });

  it('serves bars that had closed at the end time, not those that opened before it', async () => {
    expect((await read(3, { endTimeMs: startMs + 500 * MINUTE + 30_000 })).bars).toEqual([497, 498, 499]);
  });

  it('fetches once for concurrent equal requests, and once per missing part for longer ones', async () => {
    const [first, second, third] = await Promise.all([read(10), read(10), read(50)]);
    expect(first.bars).toEqual(second.bars);
    expect(third.bars).toEqual(range(950, 999));
    expect(state.requested).toEqual([
      [990, 999],
      [950, 990],
    ]);
  });

  it('discards its bars when the exchange now returns other values for the same bar', async () => {
    await read(10);
    state.drift = 5;
    at(1001);
    const { bars, close } = await read(10);
    expect(bars).toEqual(range(991, 1000));
    expect(Array.from(close).every((each) => each > 1004)).toBe(true);
    expect(state.requested).toEqual([
      [990, 999],
      [999, 1000],
      [991, 1000],
    ]);
  });

  it('rejects candles whose price cannot be of this symbol', async () => {
    state.last = 20;
    const outcome = await market.candles({ symbol: 'BTCUSDT', interval: '1m', limit: 10 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'upstream_unavailable' } });
  });

  it('requests a late newest bar again, but at most every two seconds', async () => {
    state.holes.add(999);
    expect((await read(10)).bars).toEqual(range(990, 998));
    at(1000, 1999);
    await read(10);
    expect(state.requested).toHaveLength(1);
    state.holes.clear();
    at(1000, 2000);
    expect((await read(10)).bars).toEqual(range(990, 999));
    expect(state.requested).toEqual([
      [990, 999],
      [998, 999],
    ]);
  });

  it('reports a gap while it exists, requests it once a minute, and closes it when the bars arrive', async () => {
    state.holes.add(995);
    expect((await read(10)).gaps).toEqual(gapsAt([startMs + 995 * MINUTE]));
    at(1000, 30_000);
    expect((await read(10)).gaps).toHaveLength(1);
    expect(state.requested).toHaveLength(1);
    state.holes.clear();
    at(1001, 1000);
    const { bars, gaps } = await read(10);
    expect(bars).toEqual(range(991, 1000));
    expect(gaps).toEqual([]);
    expect(state.requested[1]).toEqual([994, 1000]);
  });

  it('returns the error of the exchange and retains its bars', async () => {
    await read(10);
    at(1002);
    state.failure = reject('upstream_rate_limited', 'Binance limits our requests. Try again in 30 s.', {
      retryAfterS: 30,
    });
    const outcome = await market.candles({ symbol: 'BTCUSDT', interval: '1m', limit: 10 });
    expect(outcome).toEqual(state.failure);
    state.failure = undefined;
    expect((await read(10)).bars).toEqual(range(992, 1001));
    expect(state.requested.at(-1)).toEqual([999, 1001]);
  });

  it('does not join a distant past to the present', async () => {
    await read(10);
    expect((await read(5, { endTimeMs: startMs - 50_000 * MINUTE })).bars).toEqual(range(-50_005, -50_001));
    expect(state.requested).toEqual([
      [990, 999],
      [-50_005, -50_001],
    ]);
    at(1001);
    await read(10);
    expect(state.requested.at(-1)).toEqual([999, 1000]);
  });

  it('NODE-205 serves a series from memory again that was not read for long', async () => {
    await read(10);
    at(4000);
    expect((await read(10)).bars).toEqual(range(3990, 3999));
    const sent = state.requested.length;
    expect((await read(10)).bars).toEqual(range(3990, 3999));
    expect(state.requested).toHaveLength(sent);
  });

  it('stays within its memory: the least recently used series goes first', async () => {
    // A series of 100 candles takes 100 x 48 + 512 bytes; there is room for two.
    market = marketOf(11_000);
    const request = (symbol: string) => market.candles({ symbol, interval: '1m', limit: 100 });
    await request('BTCUSDT');
    await request('ETHUSDT');
    await request('BTCUSDT');
    await request('SOLUSDT');
    expect(state.requested).toHaveLength(3);
    await request('BTCUSDT');
    await request('SOLUSDT');
    expect(state.requested).toHaveLength(3);
    await request('ETHUSDT');
    expect(state.requested).toHaveLength(4);
  });

  it('lets a caller abort without ending the fetch that others wait for', async () => {
    const controller = new AbortController();
    const leaving = market.candles({ symbol: 'BTCUSDT', interval: '1m', limit: 10, signal: controller.signal });
    const staying = read(10);
    controller.abort();
    expect(await leaving).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    expect((await staying).bars).toEqual(range(990, 999));
    expect(state.requested).toHaveLength(1);
  });

  it('returns copies: a caller that writes into them does not affect others', async () => {
    const first = await read(10);
    first.close.fill(0);
    expect((await read(10)).close[0]).toBeGreaterThan(900);
  });
});
