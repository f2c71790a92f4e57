import { intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryRequest, ListingDates } from '../../../../src/features/history/port.ts';
import { patternRecordToWire } from '../../../../src/features/vision/replay/patternRecordToWire.ts';
import { readSeriesRecords } from '../../../../src/features/vision/replay/patternRepository.ts';
import {
  newestStretch,
  replayPatterns,
  type ReplayPatternsDeps,
} from '../../../../src/features/vision/replay/replayPatterns.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { withSystem } from '../../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';

const nowMs = Date.UTC(2026, 2, 1, 12);
const barCount = 600;

/** A wave of wide candles, another one for each symbol, so that patterns occur on all of them. */
function storedCandles({ symbol, interval, to }: HistoryRequest): Candles {
  const stepMs = intervalMs[interval];
  let state = Array.from(symbol, (letter) => letter.charCodeAt(0)).reduce((sum, code) => (sum * 31 + code) >>> 0, 7);
  const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  let price = 100;
  const rows = Array.from({ length: barCount }, (_, i) => {
    const open = price;
    price *= 1 + 0.02 * (uniform() - 0.5);
    const [top, bottom] = [Math.max(open, price), Math.min(open, price)];
    const time = to - (barCount - 1 - i) * stepMs;
    return {
      time,
      open,
      high: top * (1 + 0.01 * uniform()),
      low: bottom * (1 - 0.01 * uniform()),
      close: price,
      volume: 9,
    };
  });
  return candlesOf((name) => Float64Array.from(rows, (row) => row[name]));
}

let test: TestApp;
let anna: TestUser;
let reads: HistoryRequest[] = [];
const traded = ['BBBUSDT', 'AAAUSDT'];
const market = {
  turnovers: () =>
    Promise.resolve(
      ok({
        exchange: 'binance' as const,
        fetchedAtMs: nowMs,
        value: traded.map((symbol) => ({ symbol, turnover: 1 })),
      }),
    ),
} as unknown as ReplayPatternsDeps['market'];
/** A contract that ended, and one without stored candles. */
const listings = ['AAAUSDT', 'DEADUSDT', 'EMPTYUSDT'].map((symbol) => ({ symbol }) as ListingDates);
const history: ReplayPatternsDeps['history'] = {
  readListings: () => Promise.resolve(ok(listings)),
  readClosedCandles: (request) => {
    reads.push(request);
    const whole = storedCandles(request);
    const columns = request.symbol === 'EMPTYUSDT' ? candlesOf((name) => whole[name].slice(0, 50)) : whole;
    return Promise.resolve(ok({ columns, gaps: [], complete: true, source: 'test', revisedCount: 0 }));
  },
};

beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());
beforeEach(async () => {
  reads = [];
  await test.database.asOwner('delete from pattern_records');
});

const round = (more: Partial<ReplayPatternsDeps> = {}) =>
  replayPatterns({
    db: test.deps.db,
    historySource: test.deps.historySource,
    market,
    history,
    engine: test.deps.engine,
    assertLeader: () => Promise.resolve(),
    now: () => nowMs,
    roundMs: 60_000,
    ...more,
  });
const series = async (): Promise<string[]> =>
  (
    await test.database.asOwner<{ name: string }>(
      `select symbol || ' ' || interval as name from pattern_records order by created_at, symbol, interval`,
    )
  ).map(({ name }) => name);

describe('the replay of patterns', () => {
  it('HIST-124 stores each series with enough candles, those of ended contracts too, as first sent and without a request for candles', async () => {
    expect(await round()).toEqual({ dueCount: 12, storedCount: 9 });
    expect((await series()).toSorted()).toEqual(
      ['AAAUSDT', 'BBBUSDT', 'DEADUSDT']
        .flatMap((symbol) => signalIntervals.map((each) => `${symbol} ${each}`))
        .toSorted(),
    );
    expect(reads.every(({ asOf }) => asOf === 0)).toBe(true);
    // By turnover first.
    expect(reads[0]?.symbol).toBe('BBBUSDT');

    // Counted again by hand: candles with a close ten candles later.
    const own = { source: test.deps.historySource, interval: '1h', symbol: 'AAAUSDT' };
    const rows = await withSystem(test.deps.db, (tx) => readSeriesRecords(tx, own));
    const [row] = rows.filter(({ symbol }) => symbol === 'AAAUSDT');
    expect(
      rows.filter(({ symbol }) => symbol !== 'AAAUSDT').every((other) => Object.keys(other.patterns).length === 0),
    ).toBe(true);
    const last = Math.floor(nowMs / intervalMs['1h']) * intervalMs['1h'] - intervalMs['1h'];
    const { close } = storedCandles({ exchange: 'binance', symbol: 'AAAUSDT', interval: '1h', from: 0, to: last });
    let higher = 0;
    for (let i = 0; i + 10 < close.length; i++) if ((close[i + 10] ?? 0) > (close[i] ?? 0)) higher += 1;
    expect(row).toMatchObject({ candleCount: barCount - 10, higherCount: higher, toAt: new Date(last) });
    expect(Object.keys(row?.patterns ?? {}).length).toBeGreaterThan(3);
  });

  it('HIST-124 a killed round continues after its last series, and a whole one is not repeated', async () => {
    let writes = 0;
    const dying = round({
      assertLeader: () => {
        writes += 1;
        // The first call is that of the start of the round.
        return writes > 5 ? Promise.reject(new Error('killed')) : Promise.resolve();
      },
    });
    await expect(dying).rejects.toThrow('killed');
    const before = await series();
    expect(before).toHaveLength(4);
    expect(await round()).toEqual({ dueCount: 8, storedCount: 5 });
    expect((await series()).slice(0, 4)).toEqual(before);
    // The symbol without candles is tried again.
    expect(await round()).toEqual({ dueCount: 3, storedCount: 0 });
  });

  it('HIST-124 is repeated for another engine and after some hours, and ends when its time is over', async () => {
    await round();
    await test.database.asOwner(`update pattern_records set engine_hash = repeat('0', 64) where symbol = 'AAAUSDT'`);
    await test.database.asOwner(
      `update pattern_records set created_at = now() - interval '7 hours' where symbol = 'BBBUSDT' and interval = '1h'`,
    );
    expect(await round()).toEqual({ dueCount: 7, storedCount: 4 });
    await test.database.asOwner('delete from pattern_records');
    expect((await round({ roundMs: 0 })).storedCount).toBe(0);
    const stopped = AbortSignal.abort();
    expect((await round({ signal: stopped })).storedCount).toBe(0);
    const unread = { ...history, readClosedCandles: () => Promise.resolve(reject('database_unavailable')) };
    expect(await round({ history: unread })).toMatchObject({ storedCount: 0 });
  });

  it('HIST-124 uses the newest stretch without a missing candle', () => {
    const time = Float64Array.of(0, 1, 2, 5, 6, 7);
    const candles = candlesOf(() => time);
    expect([...newestStretch(candles, 1).time]).toEqual([5, 6, 7]);
    expect([
      ...newestStretch(
        candlesOf(() => time.slice(0, 3)),
        1,
      ).time,
    ]).toEqual([0, 1, 2]);
    expect([
      ...newestStretch(
        candlesOf(() => new Float64Array()),
        1,
      ).time,
    ]).toEqual([]);
  });
});

describe('the record of patterns', () => {
  const row = (symbol: string, candleCount: number, [count, followedCount]: [number, number]) => ({
    symbol,
    horizon: 10,
    fromAt: new Date('2026-01-01T00:00:00Z'),
    toAt: new Date('2026-02-01T00:00:00Z'),
    candleCount,
    higherCount: candleCount * 0.48,
    lowerCount: candleCount * 0.5,
    patterns: { engulfing: { bullish: { count, followedCount }, bearish: { count: 12, followedCount: 9 } } },
  });

  it('HIST-125 has cases, Wilson interval and baseline; cases that overlap in time count as one', () => {
    // 60 of 100 is 0.5020 to 0.6906, above the 0.48 of all candles.
    const wide = patternRecordToWire([row('AAAUSDT', 1000, [100, 60])], '1h', 'AAAUSDT');
    expect(wide).toMatchObject({ origin: 'replayed', symbol: 'AAAUSDT', candle_count: 1000, symbols: ['AAAUSDT'] });
    expect(wide.patterns[0]).toMatchObject({
      direction: 'bullish',
      count: 100,
      right_count: 60,
      base_share: 0.48,
      edge: 'better',
    });
    expect(wide.patterns[0]?.right_low).toBeCloseTo(0.502, 3);
    expect(wide.patterns[0]?.right_high).toBeCloseTo(0.6906, 3);
    // 500 candles have room for 50 spans of ten: 30 of 50 is 0.4618 to 0.7239.
    const narrow = patternRecordToWire([row('AAAUSDT', 500, [100, 60])], '1h', null);
    expect(narrow.patterns[0]).toMatchObject({ count: 100, edge: 'none' });
    expect(narrow.patterns[0]?.right_low).toBeCloseTo(0.4618, 3);
    expect(narrow.patterns[0]?.right_high).toBeCloseTo(0.7239, 3);
    // Twelve cases decide nothing.
    expect(narrow.patterns[1]).toMatchObject({ direction: 'bearish', count: 12, edge: 'unknown' });
  });

  it('HIST-125 of all symbols is their sum, with the span of the longest; without one it is empty', () => {
    const rows = [row('AAAUSDT', 1000, [100, 60]), row('BBBUSDT', 600, [60, 20])];
    const all = patternRecordToWire(rows, '4h', null);
    expect(all).toMatchObject({ symbol: null, candle_count: 1600, symbols: ['AAAUSDT', 'BBBUSDT'] });
    expect(all.patterns[0]).toMatchObject({ count: 160, right_count: 80, base_share: 0.48, edge: 'none' });
    // 100 spans, half of the cases right: 0.4038 to 0.5962.
    expect(all.patterns[0]?.right_low).toBeCloseTo(0.4038, 3);
    expect(patternRecordToWire(rows, '4h', 'CCCUSDT')).toMatchObject({
      candle_count: 0,
      first: null,
      last: null,
      patterns: [],
    });
  });

  it('HIST-125 is read by symbol and interval, and a bad request names its field', async () => {
    await round();
    const get = async (query: string) =>
      test.app.inject({ url: `/api/vision/patterns?${query}`, headers: anna.bearer });
    const one = (await get('interval=4h&symbol=aaausdt')).json<{
      symbol: string;
      candle_count: number;
      patterns: object[];
    }>();
    expect(one).toMatchObject({ symbol: 'AAAUSDT', interval: '4h', candle_count: barCount - 10 });
    expect(one.patterns.length).toBeGreaterThan(3);
    const all = (await get('interval=4h')).json<{ candle_count: number }>();
    expect(all.candle_count).toBe(3 * (barCount - 10));
    expect((await get('interval=1m')).json()).toMatchObject({ code: 'validation_failed', field: 'interval' });
  });
});
