import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noneLeftOut } from '../../../../src/adapters/exchanges/universe.ts';
import { createMarket, type LiveMarket } from '../../../../src/features/market/createMarket.ts';
import type {
  CandleWindow,
  ClosedBar,
  FeedListener,
  FuturesSymbol,
  Venue,
  VenueCandleRequest,
} from '../../../../src/features/market/port.ts';
import { type Outcome, reject } from '../../../../src/platform/errors.ts';

/** A stream that loses, repeats, swaps and falsifies bars, over an exchange whose REST responses are correct. */
const MINUTE = 60_000;
const startMs = 29_000_000 * MINUTE;
const symbol = 'BTCUSDT';

/** A random walk of steps below 1 %, by bar number. */
function truth(n: number): ClosedBar {
  const price = (i: number): number =>
    Math.round(50_000 * (1 + 0.004 * Math.sin(i / 3) + 0.003 * Math.sin(i * 1.7))) / 10;
  const [open, close] = [price(n), price(n + 1)];
  const bar = {
    time: startMs + n * MINUTE,
    open,
    close,
    high: Math.max(open, close) + 1,
    low: Math.min(open, close) - 1,
  };
  return { symbol, interval: '1m', ...bar, volume: n % 97 };
}

const columns = (bars: readonly ClosedBar[]): Candles =>
  candlesOf((name) => Float64Array.from(bars, (bar) => bar[name]));

interface Rig {
  market: LiveMarket;
  listener: () => FeedListener;
  setNow: (nowMs: number) => void;
  fetchCount: () => number;
  /** The topic of the series is acknowledged and sends nothing. */
  silence: () => void;
  /** Reads of candles fail. */
  fail: (isFailing: boolean) => void;
  /** Runs while candles are read. */
  duringFetch: (work: (() => void) | undefined) => void;
}

/** A rig whose prices jump by 3 % at bar 600. */
const jumped = (n: number): ClosedBar => {
  const bar = truth(n);
  if (n < 600) return bar;
  const high = (value: number): number => Math.round(value * 10.3) / 10;
  return { ...bar, open: high(bar.open), high: high(bar.high), low: high(bar.low), close: high(bar.close) };
};

function rig(barOf = truth): Rig {
  let nowMs = startMs + 600 * MINUTE + 10_000;
  let listener: FeedListener | undefined;
  let fetchCount = 0;
  let isSilent = false;
  let isFailing = false;
  let duringFetch: (() => void) | undefined;
  const listing: FuturesSymbol = {
    symbol,
    base: 'BTC',
    tickSize: 0.1,
    stepSize: 1,
    status: 'trading',
    minNotional: null,
    maxQuantity: null,
    maxLeverage: null,
    listedAtMs: null,
    fundingHours: null,
  };
  const unused = () => Promise.reject(new Error('not requested here'));
  const venue: Venue = {
    exchange: 'binance',
    state: () => 'ok',
    symbols: () => Promise.resolve(ok({ readAtMs: nowMs, symbols: [listing], leftOut: noneLeftOut() })),
    candles({ fromMs, toMs }: VenueCandleRequest): Promise<Outcome<CandleWindow>> {
      fetchCount++;
      const first = Math.max(0, (fromMs - startMs) / MINUTE);
      const bars = Array.from({ length: (toMs - startMs) / MINUTE - first + 1 }, (_, i) => barOf(first + i));
      if (isFailing) return Promise.resolve(reject('upstream_unavailable', 'The exchange is away.'));
      if (duringFetch !== undefined) duringFetch();
      return Promise.resolve(ok({ candles: columns(bars), gaps: [], rejectedCount: 0 }));
    },
    prices: () => Promise.resolve(ok([{ symbol, last: 5000, bid: null, ask: null, mark: null, atMs: nowMs }])),
    funding: unused,
    fundingHistory: unused,
    tops: () => Promise.reject(new Error('not requested here')),
    orderBook: () => Promise.reject(new Error('not requested here')),
    turnovers: () => Promise.resolve(ok([{ symbol, turnoverUsdt: 1 }])),
    tiers: () => Promise.resolve(ok(null)),
    openInterest: () => Promise.reject(new Error('not requested here')),
    openInterestSeries: () => Promise.reject(new Error('not requested here')),
    longShortSeries: () => Promise.reject(new Error('not requested here')),
    feed(added) {
      listener ??= added;
      const health = { connectionCount: 1, openCount: 1, connectCount: 1, unreadableCount: 0, rejectedBarCount: 0 };
      return {
        want: () => Promise.resolve(ok(null)),
        health: () => ({ ...health, messageAtMs: null, silentTopics: [] }),
        dataAtMs: () => ({ candles: null, prices: null }),
        isSilent: () => isSilent,
        close: () => undefined,
      };
    },
  };
  const silent = { symbolCount: 0, candles: [] };
  const plan = { binance: { symbolCount: 1, candles: ['1m' as const] }, bybit: silent, okx: silent };
  const others = { ...venue, feed: () => venue.feed({ bar: () => undefined, quote: () => undefined }) };
  const market = createMarket({ venues: { binance: venue, bybit: others, okx: others }, now: () => nowMs, plan });
  return {
    market,
    listener: () => {
      if (listener === undefined) throw new Error('there is no listener');
      return listener;
    },
    setNow: (value) => (nowMs = value),
    fetchCount: () => fetchCount,
    silence: () => (isSilent = true),
    fail: (value) => (isFailing = value),
    duringFetch: (work) => (duringFetch = work),
  };
}

const read = (market: LiveMarket, limit = 500) => market.readWarm({ symbol, interval: '1m', limit });
const expected = (lastBar: number, limit = 500): Candles =>
  columns(Array.from({ length: limit }, (_, i) => truth(lastBar - limit + 1 + i)));

const events = fc.array(fc.constantFrom('good', 'lost', 'twice', 'late', 'false'), { minLength: 3, maxLength: 25 });

describe('a series that is streamed', () => {
  it('equals the correct series bit for bit after any losses, repeats, late and false bars, and is never wrong in between', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (sequence) => {
        const { market, listener, setNow } = rig();
        market.start(0);
        await market.round();
        let last = 599;
        let held: ClosedBar | undefined;
        for (const event of sequence) {
          const bar = truth(++last);
          setNow(startMs + (last + 1) * MINUTE + 200);
          if (event === 'good' || event === 'twice') listener().bar(bar);
          if (event === 'twice') listener().bar(bar);
          if (held !== undefined) listener().bar(held);
          held = event === 'late' ? bar : undefined;
          // Price of another symbol: far from the previous close.
          if (event === 'false') listener().bar({ ...bar, open: 900, high: 901, low: 800, close: 850 });
          const now = read(market);
          if (now !== null)
            expect(now.candles).toEqual(expected(last - (now.candles.time.at(-1) === bar.time ? 0 : 1)));
          setNow(startMs + (last + 1) * MINUTE + 8000);
          await market.round();
          expect(read(market)?.candles).toEqual(expected(last));
        }
        market.stop();
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['is silent', true, [600, 600, 600]],
    ['is only late', false, [599, 599, 600]],
  ] as const)(
    'whose stream %s has its closed candle 1.1, 4 and 5.1 s after the close: %s, %j',
    async (_, isSilent, bars) => {
      const { market, setNow, silence } = rig();
      market.start(0);
      await market.round();
      if (isSilent) silence();
      const seen: number[] = [];
      for (const afterMs of [1100, 4000, 5100]) {
        setNow(startMs + 601 * MINUTE + afterMs);
        await market.round();
        const last = market.readWarm({ symbol, interval: '1m', limit: 1 });
        seen.push(((last?.candles.time[0] ?? 0) - startMs) / MINUTE);
      }
      market.stop();
      expect(seen.map((bar) => (bar < 0 ? 599 : bar))).toEqual(bars);
    },
  );

  it('sends the exchange no request while the stream is complete', async () => {
    const { market, listener, setNow, fetchCount } = rig();
    market.start(0);
    await market.round();
    const before = fetchCount();
    for (let last = 600; last < 640; last++) {
      setNow(startMs + (last + 1) * MINUTE + 200);
      listener().bar(truth(last));
      await market.round();
      setNow(startMs + (last + 1) * MINUTE + 9000);
      await market.round();
      const response = await market.candles({ symbol, interval: '1m', limit: 500 });
      expect(response.ok && response.value.value.candles).toEqual(expected(last));
    }
    expect(fetchCount()).toBe(before);
    market.stop();
  });

  it('is not served as current when its last bar is late, and never changes after it was returned', async () => {
    const { market, listener, setNow } = rig();
    market.start(0);
    await market.round();
    const held = read(market);
    setNow(startMs + 601 * MINUTE + 4000);
    expect(read(market)?.candles).toEqual(expected(599));
    setNow(startMs + 601 * MINUTE + 5000);
    expect(read(market)).toBeNull();
    listener().bar(truth(600));
    expect(read(market)?.candles).toEqual(expected(600));
    expect(held?.candles).toEqual(expected(599));
    market.stop();
  });

  it('notifies each appended candle once, in order, repaired ones too', async () => {
    const { market, listener, setNow } = rig();
    const reported: number[] = [];
    const stop = market.onCandle((_, bar) => reported.push((bar.time - startMs) / MINUTE));
    market.start(0);
    await market.round();
    setNow(startMs + 601 * MINUTE + 200);
    listener().bar(truth(600));
    listener().bar(truth(600));
    setNow(startMs + 604 * MINUTE + 8000);
    await market.round();
    stop();
    setNow(startMs + 605 * MINUTE + 200);
    listener().bar(truth(604));
    expect(reported).toEqual([600, 601, 602, 603]);
    market.stop();
  });

  it('NODE-204 notifies a true bar that opens 3 % away, once it is checked', async () => {
    const { market, listener, setNow } = rig(jumped);
    const reported: number[] = [];
    const stop = market.onCandle((_, bar) => reported.push((bar.time - startMs) / MINUTE));
    market.start(0);
    await market.round();
    setNow(startMs + 601 * MINUTE + 200);
    listener().bar(jumped(600));
    setNow(startMs + 601 * MINUTE + 1200);
    await market.round();
    setNow(startMs + 602 * MINUTE + 200);
    listener().bar(jumped(601));
    stop();
    market.stop();
    expect(reported).toEqual([600, 601]);
  });

  it('NODE-204 checks a doubtful bar again when its check failed', async () => {
    const { market, listener, setNow, fail } = rig();
    market.start(0);
    await market.round();
    setNow(startMs + 601 * MINUTE + 200);
    // The stream sends a bar that is not final, then the final one.
    listener().bar({ ...truth(600), close: truth(600).close + 0.5 });
    listener().bar(truth(600));
    fail(true);
    setNow(startMs + 601 * MINUTE + 1200);
    await market.round();
    fail(false);
    for (let last = 601; last < 604; last++) {
      setNow(startMs + (last + 1) * MINUTE + 200);
      listener().bar(truth(last));
      await market.round();
    }
    expect(read(market)?.candles).toEqual(expected(603));
    market.stop();
  });

  it('NODE-204 checks a bar that contradicts what was fetched meanwhile', async () => {
    let isFinal = false;
    const { market, listener, setNow, duringFetch } = rig((n) =>
      n === 599 && !isFinal ? { ...truth(599), close: truth(599).close + 0.5 } : truth(n),
    );
    market.start(0);
    // The load has a bar that is not final; the stream sends the final one while the load runs.
    duringFetch(() => {
      duringFetch(undefined);
      isFinal = true;
      listener().bar(truth(599));
    });
    await market.round();
    setNow(startMs + 601 * MINUTE + 200);
    listener().bar(truth(600));
    await market.round();
    expect(read(market)?.candles).toEqual(expected(600));
    market.stop();
  });
});
