import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { runTaskCommand } from '../support/command.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market, marksOf, minutesOf } from '../support/markets.ts';

beforeAll(async () => {
  await testEngine();
}, engineTimeoutMs);

const listsOf = (columns: Record<string, Float64Array>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Array.from(column)]));
const candles = listsOf({ ...market(800, 3) });

interface Optimized {
  best: { pnl: number; trades: number; bestParams: object; hashes: { result: string }; origin: object };
  trials: Record<string, (number | null)[]>;
  train: object;
  trialCount: number;
}

async function json(name: string, input: unknown): Promise<unknown> {
  const { code, stdout, stderr } = await runTaskCommand([name], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('npm run task -- optimize', () => {
  it('prints the best as a whole backtest, which the backtest task repeats to the hash', async () => {
    const optimize = { samples: 30, seed: 4, walkForward: { folds: 2 } };
    const result = (await json('optimize', { candles, optimize })) as Optimized;
    expect(result.train).toEqual({ start: 76, end: 300 });
    expect(result.trials['netPnl']).toHaveLength(30);
    expect(result.trialCount).toBe(50); // 30 samples, and 4 rounds of one draw around each of the best five
    const single = (await json('backtest', {
      candles,
      params: result.best.bestParams,
      scored: 500,
    })) as Optimized['best'];
    expect(single.hashes).toEqual(result.best.hashes);
    expect([single.pnl, single.trades]).toEqual([result.best.pnl, result.best.trades]);
  });

  it('takes finer candles and mark prices, which the backtest task repeats to the hash', async () => {
    const fineCandles = listsOf({ ...minutesOf(market(800, 3)) });
    const markPrices = listsOf({ ...marksOf(market(800, 3), 0.002, 0.12) });
    const detail = { candles, fineCandles, markPrices };
    const result = (await json('optimize', { ...detail, optimize: { samples: 30, seed: 4 } })) as Optimized;
    const params = result.best.bestParams;
    const single = (await json('backtest', { ...detail, params, scored: 500 })) as Optimized['best'];
    expect(single.hashes).toEqual(result.best.hashes);
    const plain = (await json('backtest', { candles, params, scored: 500 })) as Optimized['best'];
    expect(plain.hashes.result).not.toBe(result.best.hashes.result);
  });

  it('prints figures that do not exist as null, never as text', async () => {
    const result = (await json('optimize', {
      candles,
      optimize: { samples: 12, target: 'sharpe', refine: false },
    })) as Optimized;
    expect(result.trials['value']!.every((value) => value === null)).toBe(true); // no 30 days of candles
    expect(result).toMatchObject({ best: { value: null, reason: expect.stringContaining('sharpe') as string } });
  });

  it.each([
    [{ optimize: { samples: 0 } }, 'optimize.samples'],
    [{ optimize: { space: { slPct: { min: 0.2, max: 0.1 } } } }, 'optimize.space.slPct'],
    [{ optimize: { part: { from: 40, count: 20 } } }, 'optimize.part.count'],
    [{ optimize: { target: 'luck' } }, 'optimize.target'],
    [{ params: { slPct: 5 } }, 'params.slPct'],
    [{ scored: 790 }, 'candles'],
  ])('ends with one line that names the field: %j', async (more, field) => {
    const { code, stdout, stderr } = await runTaskCommand(['optimize'], { candles, ...more });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr.startsWith(field)).toBe(true);
  });
});

describe('npm run task -- optimize with a strategy', () => {
  const base = market(900, 3);
  const hours = market(400, 4, { stepMs: 3_600_000 });
  // The hours start 175 candles before the first candle of the base.
  hours.time.forEach((openMs, i) => (hours.time[i] = openMs - 175 * 3_600_000));
  // Hours within the candles of the base are aggregated from them.
  for (let i = 0; 4 * i + 4 <= base.time.length; i++) {
    const part = (column: Float64Array): Float64Array => column.subarray(4 * i, 4 * i + 4);
    const [opens, closes] = [part(base.open), part(base.close)];
    hours.open[175 + i] = opens[0]!;
    hours.close[175 + i] = closes[3]!;
    hours.high[175 + i] = Math.max(...part(base.high));
    hours.low[175 + i] = Math.min(...part(base.low));
  }
  const strategy = { ...liveRules(['15m', '1h']), entryThreshold: 0.05 };
  const news = Array.from({ length: 900 }, (_, i) => (i % 90 === 0 ? 1 : 0));
  const requested = { candles: listsOf({ ...base }), context: [listsOf({ ...hours })], news };

  it('prints the best rules, which the backtest task repeats to the hash', async () => {
    const rulesSpace = { weight: { min: -1, max: 1 }, stop: { min: 1, max: 2 } };
    const optimize = { samples: 40, seed: 4, guide: true, rulesSpace };
    const search = (await json('optimize', { ...requested, strategy, scored: 300, optimize })) as Optimized & {
      best: { strategy: typeof strategy };
      leaders: { strategy: typeof strategy }[];
    };
    expect(search.trials['netPnl']).toHaveLength(40);
    expect(search.trialCount).toBe(80);
    const { best } = search;
    for (const { strategy: leader } of search.leaders.slice(1)) expect(leader.stop).toMatchObject({ mode: 'atr' });
    const single = (await json('backtest', {
      ...requested,
      strategy: best.strategy,
      scored: 300,
    })) as Optimized['best'];
    expect(single.hashes).toEqual(best.hashes);
    expect([single.pnl, single.trades]).toEqual([best.pnl, best.trades]);
    const panel = await json('honesty', { search: { ...requested, strategy, scored: 300, optimize } });
    expect(panel).toMatchObject({ trialCount: 80 });
  });

  it.each([
    [{ strategy: { ...strategy, entryThreshold: 2 } }, 'strategy.entryThreshold'],
    [{ context: [] }, 'context'],
    [{ news: [1] }, 'news'],
    [{ optimize: { rulesSpace: { stop: { min: 2, max: 1 } } } }, 'optimize.rulesSpace.stop'],
    [{ optimize: { rulesSpace: { weights: { rsi: { min: -6, max: 1 } } } } }, 'optimize.rulesSpace.weights.rsi'],
    [{ optimize: { space: { slPct: { min: 0.01, max: 0.02 } } } }, 'optimize.space'],
    [{ strategy: undefined, context: undefined, news: undefined, optimize: { rulesSpace: {} } }, 'optimize.rulesSpace'],
  ])('ends with one line that names the field: case %#', async (more, field) => {
    const { code, stderr } = await runTaskCommand(['optimize'], { ...requested, strategy, scored: 300, ...more });
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr.startsWith(field), stderr).toBe(true);
  });
});

describe('npm run task -- honesty', () => {
  it('judges a search, and return columns from elsewhere', async () => {
    const search = { candles, optimize: { samples: 30, seed: 4 } };
    const panel = await json('honesty', { search, earlierTrialCount: 100 });
    expect(panel).toMatchObject({ trialCount: 150, barCount: 224 });
    const returns = Array.from({ length: 12 }, (_, k) => Array.from({ length: 80 }, (_, t) => Math.sin(k * 7 + t * t)));
    const other = await json('honesty', { returns, bestIndex: 3, barMs: 3_600_000 });
    expect(other).toMatchObject({ trialCount: 12, barCount: 80 });
  });

  it.each([
    [
      {
        returns: [
          [1, 2, 3],
          [1, 2],
        ],
        bestIndex: 0,
        barMs: 1,
      },
      'returns',
    ],
    [{ returns: [[1, 2, 3]], bestIndex: 1, barMs: 1 }, 'bestIndex'],
    [{ search: { candles, optimize: { samples: 1.5 } } }, 'search.optimize.samples'],
    [{ search: { candles, scored: 799 } }, 'search.candles'],
    [{ earlierTrialCount: 3 }, 'returns'],
  ])('ends with one line that names the field: case %#', async (input, field) => {
    const { code, stderr } = await runTaskCommand(['honesty'], input);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain(field);
  });
});
