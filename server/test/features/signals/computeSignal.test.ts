import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import type { NewsSay } from '../../../src/features/news/newsVotes.ts';
import { unmeasured } from '../../../src/features/signals/confidenceBasis.ts';
import { createSignals, type SignalRequest } from '../../../src/features/signals/computeSignal.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';

const hourMs = 3_600_000;

/** A seeded random walk of closed hours, the same each time. */
function walk(count: number, seed: number): Candles {
  let state = seed;
  const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
  const made = Object.fromEntries(columns.map((name) => [name, new Float64Array(count)])) as unknown as Candles;
  let price = 100;
  for (let i = 0; i < count; i++) {
    const open = price;
    price *= 1 + (uniform() - 0.495) * 0.02;
    made.time[i] = i * hourMs;
    made.open[i] = open;
    made.close[i] = price;
    made.high[i] = Math.max(open, price) * (1 + uniform() * 0.003);
    made.low[i] = Math.min(open, price) * (1 - uniform() * 0.003);
    made.volume[i] = 100 + uniform() * 50;
  }
  return made;
}
const cut = (candles: Candles, end: number): Candles =>
  Object.fromEntries(
    Object.entries(candles).map(([name, column]) => [name, (column as Float64Array).slice(0, end)]),
  ) as unknown as Candles;

let pool: ReturnType<typeof createEnginePool>;
beforeAll(async () => {
  pool = createEnginePool({ engine: await loadModule(), threads: 1, queueMax: 64, deadlineMs: 20_000 });
});
afterAll(() => pool.close());

const silentNews: NewsSay = { vote: undefined, strength: 0, storyCount: 0, stories: [] };

/** Cached candles that a test may replace, an engine that counts its runs, and a market that must get no further requests. */
function signalsOn(first: Candles, now = () => 7) {
  const held = { candles: first, runCount: 0, news: { say: silentNews, mark: '' } };
  const newsVotes = { read: () => held.news.say, mark: () => held.news.mark };
  const market = {
    findWarm: ({ limit }: { limit: number }) => {
      const end = held.candles.time.length;
      return { columns: held.candles, start: end - limit, end, fetchedAtMs: 5 };
    },
    readWarm: ({ limit }: { limit: number }) => {
      const { candles } = held;
      const from = candles.time.length - limit;
      const view = Object.fromEntries(
        Object.entries(candles).map(([name, column]) => [name, (column as Float64Array).subarray(from)]),
      ) as unknown as Candles;
      return { exchange: 'binance', candles: view, fetchedAtMs: 5 };
    },
    symbols: () => Promise.resolve({ ok: true, value: { value: [] } }),
    candles: () => Promise.reject(new Error('the exchange was requested')),
  } as unknown as Market;
  const engine: typeof pool = {
    ...pool,
    run: (...given) => {
      held.runCount += 1;
      return pool.run(...given);
    },
  };
  return {
    held,
    signals: createSignals({ market, engine, newsVotes, confidences, aiCheck: { dailyMicrousdMax: 0 }, now }),
  };
}

/** No outcomes are measured yet. */
const confidences = { of: unmeasured, refresh: () => Promise.resolve() };

const request: SignalRequest = {
  exchange: 'binance',
  symbol: 'BTCUSDT',
  intervals: ['1h'],
  limit: 300,
  tuning: neutralTuning,
  sizing: { balance: 1000, leverage: 10, riskTolerance: 'medium', isDynamicRisk: false },
};

describe('a signal from memory', () => {
  it('equals the computed one bit for bit, for every candle and every request', async () => {
    const all = walk(720, 5);
    const { held, signals } = signalsOn(all);
    for (const end of [700, 701, 720]) {
      held.candles = cut(all, end);
      for (const change of [{}, { limit: 600 }, { tuning: { ...neutralTuning, adx: 1.5 } }]) {
        const requested = { ...request, ...change };
        expect(signals.recall(requested)).toBeUndefined();
        const computed = await signals.compute(requested);
        if (!computed.ok) throw new Error(computed.error.message);
        const recalled = signals.recall(requested);
        expect(recalled?.wire).toBe(computed.value.wire);
        const alone = await signalsOn(cut(all, end)).signals.compute(requested);
        if (!alone.ok) throw new Error(alone.error.message);
        expect(recalled?.wire).toEqual(alone.value.wire);
        expect(recalled?.timing.engine).toBe(0);
      }
    }
    expect(held.runCount).toBe(9);
  });

  it('is computed again when a candle in the middle was corrected, though the last candle is the same', async () => {
    const before = walk(700, 5);
    const { held, signals } = signalsOn(before);
    await signals.compute(request);
    const corrected = cut(before, 700);
    corrected.close[450] = (corrected.close[450] ?? 0) * 1.01;
    corrected.high[450] = Math.max(corrected.high[450] ?? 0, corrected.close[450]);
    held.candles = corrected;
    expect(signals.recall(request)).toBeUndefined();
    const [first, second] = [await signalsOn(before).signals.compute(request), await signals.compute(request)];
    if (!first.ok || !second.ok) throw new Error('refused');
    expect(second.value.wire.hashes.data).not.toBe(first.value.wire.hashes.data);
  });

  it('is computed again when a story with a vote arrived', async () => {
    const { held, signals } = signalsOn(walk(700, 5));
    const first = await signals.compute(request);
    held.news = { say: { ...silentNews, vote: 1, strength: 0.4, storyCount: 1 }, mark: 'a story' };
    expect(signals.recall(request)).toBeUndefined();
    const second = await signals.compute(request);
    if (!first.ok || !second.ok) throw new Error('refused');
    expect(second.value.wire.live_votes).toBe(first.value.wire.live_votes + 1);
    expect(second.value.wire.contributions.filter(({ vote }) => vote === 'news')).toHaveLength(1);
    expect(second.value.wire.hashes.params).not.toBe(first.value.wire.hashes.params);
  });

  it('is computed once for concurrent requests', async () => {
    const { held, signals } = signalsOn(walk(700, 9));
    const outcome = await Promise.all(Array.from({ length: 20 }, () => signals.compute(request)));
    expect(new Set(outcome.map((each) => (each.ok ? each.value.wire : undefined))).size).toBe(1);
    expect(held.runCount).toBe(1);
  });
});
