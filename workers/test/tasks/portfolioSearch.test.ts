import { beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { HonestyResult, TrialReturns } from '../../src/protocol/honesty.ts';
import type { PortfolioResult, PortfolioSetsResult } from '../../src/protocol/portfolio.ts';
import type { PortfolioSummary } from '../../src/protocol/portfolioFigures.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, TaskMessage } from '../../src/protocol/tasks.ts';
import { defaultCosts, standardLiquidity } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { drawSets, rankSets, splitMix, valueOfSet } from '../../src/tasks/portfolio/drawSets.ts';
import { portfolioSetsOnPool } from '../../src/tasks/portfolio/setsOnPool.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const strategy: Strategy = { ...liveRules(['1h']), entryThreshold: 0.2 };
const ranges = {
  entryThreshold: { min: 0.1, max: 0.3 },
  stopFactor: { min: 0.5, max: 1 },
  positionsMax: { min: 1, max: 3 },
};

describe('sets of a portfolio search', () => {
  it('RULE-090 draws by SplitMix64, as published', () => {
    // Outputs of the reference implementation for the seed 1234567, of which a fraction has the upper 53 bits.
    const published = [6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n];
    expect(published.map((_, index) => splitMix(1234567, index))).toEqual(
      published.map((bits) => Number(bits >> 11n) / 2 ** 53),
    );
  });

  it('RULE-090 changes nothing in set 0 and has every value of the others on its grid', () => {
    const sets = drawSets(strategy, { ranges, count: 400, seed: 7 });
    expect(sets[0]).toEqual({});
    // The stop of Live rules is 2 ATR; half of it to all of it in steps of 0.05 of it.
    const thresholds = new Set(sets.slice(1).map((set) => set.strategy?.entryThreshold));
    const stops = new Set(sets.slice(1).map((set) => (set.strategy?.stop as { multiple: number }).multiple));
    const slots = new Set(sets.slice(1).map((set) => set.limits?.positionsMax));
    expect([...thresholds].sort()).toEqual(
      Array.from({ length: 21 }, (_, k) => Number((0.1 + 0.01 * k).toFixed(2))).sort(),
    );
    expect([...stops].sort((a, b) => a - b)).toEqual([1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2]);
    expect([...slots].sort()).toEqual([1, 2, 3]);
    for (const set of sets.slice(1)) {
      expect(Object.keys(set.strategy ?? {})).toEqual(['entryThreshold', 'stop']);
      expect(Object.keys(set.limits ?? {})).toEqual(['positionsMax']);
    }
  });

  it('RULE-090 draws a set by seed and number alone', () => {
    const sets = drawSets(strategy, { ranges, count: 50, seed: 3 });
    expect(drawSets(strategy, { ranges, count: 20, seed: 3 })).toEqual(sets.slice(0, 20));
    expect(drawSets(strategy, { ranges, count: 50, seed: 4 })).not.toEqual(sets);
    // Leaving a range out changes no other value.
    const { positionsMax: _, ...fewer } = ranges;
    expect(drawSets(strategy, { ranges: fewer, count: 50, seed: 3 }).map((set) => set.strategy)).toEqual(
      sets.map((set) => set.strategy),
    );
  });

  it('RULE-090 keeps levels within the bounds of a strategy', () => {
    const wide = { stop: { mode: 'percent', fraction: 0.3 }, target: { mode: 'atr', multiple: 60 } } as const;
    const factor = { min: 2, max: 2 };
    const [, set] = drawSets(wide, { ranges: { stopFactor: factor, targetFactor: factor }, count: 2, seed: 1 });
    expect(set?.strategy).toEqual({
      stop: { mode: 'percent', fraction: 0.5 },
      target: { mode: 'atr', multiple: 100 },
    });
  });

  it('RULE-090 ranks sets with 10 trades and equity left, the best first, of equal ones the earlier', () => {
    const summary = (netPnl: number, rest: Partial<PortfolioSummary> = {}) =>
      ({
        tradeCount: 10,
        ruinMs: null,
        netPnl,
        profitFactor: null,
        sharpe: { value: netPnl / 100, count: 40 },
        sortino: { value: null, count: 0 },
        ...rest,
      }) as PortfolioSummary;
    const all = [
      summary(5),
      summary(90, { tradeCount: 9 }),
      summary(80, { ruinMs: 1 }),
      summary(30),
      summary(5),
      summary(-2),
    ];
    expect(rankSets(all, 'pnl')).toEqual([3, 0, 4, 5]);
    expect(rankSets(all, 'sharpe')).toEqual([3, 0, 4, 5]);
    expect(rankSets(all, 'sortino')).toEqual([]);
    expect(valueOfSet(summary(1, { profitFactor: 1.5 }), 'profitFactor')).toBe(1.5);
  });
});

describe('the equity of portfolio sets', () => {
  const symbols = ['BTCUSDT', 'ETHUSDT'].map((symbol, k) => ({
    symbol,
    candles: randomCandles(seededRandom(31 + k), 400, intervalMs['1h']),
    context: [],
    costs: { ...defaultCosts, ...standardLiquidity, fundingSource: 'off' as const },
  }));
  const sets = drawSets(strategy, { ranges, count: 7, seed: 2 });
  const input = { strategy, symbols, limits: { positionsMax: 2 }, sets, withEquity: true };

  it('RULE-090 is that of a portfolio run of each set, on one thread and on three', async () => {
    const { equity = new Float64Array() } = valueOf(
      runTask(at, { name: 'portfolioSets', input }) as TaskResult<PortfolioSetsResult>,
    );
    sets.forEach((set, k) => {
      const own = { strategy: { ...strategy, ...set.strategy }, limits: { ...input.limits, ...set.limits } };
      const run = valueOf(
        runTask(at, { name: 'portfolio', input: { symbols, ...own } }) as TaskResult<PortfolioResult>,
      );
      expect(run.summary.tradeCount, `set ${k}`).toBeGreaterThan(3);
      expect(equity.subarray(k * 400, (k + 1) * 400), `set ${k}`).toEqual(run.equity);
    });
    const pool: EnginePool = {
      run: (name, sent) => Promise.resolve(runTask(at, { name, input: sent } as TaskMessage) as never),
      close: () => Promise.resolve(),
      threads: 3,
    };
    expect(valueOf(await portfolioSetsOnPool(pool, input)).equity).toEqual(equity);
    // Only where it is requested.
    const { withEquity: _, ...plain } = input;
    expect(valueOf(await portfolioSetsOnPool(pool, plain))).not.toHaveProperty('equity');
  });
});

describe('the honesty of returns with unseen ones', () => {
  /** 120 returns of which `wins` in every ten are up by 1 %, the others down by 1 %. */
  const returnsOf = (wins: number): Float64Array =>
    Float64Array.from({ length: 120 }, (_, i) => ((i * 7) % 10 < wins ? 0.01 : -0.01));
  const searched: TrialReturns = {
    kind: 'returns',
    returns: Float64Array.from([...returnsOf(6), ...returnsOf(5)]),
    trialCount: 2,
    bestIndex: 0,
    tradeCount: 40,
    barMs: intervalMs['1h'],
    seed: 1,
    isOfAccount: true,
  };
  const judge = (input: TrialReturns) => runTask(at, { name: 'honesty', input }) as TaskResult<HonestyResult>;
  const figureOf = (input: TrialReturns, id: string) => valueOf(judge(input)).figures.find((each) => each.id === id);

  it('RULE-091 has the probability that the unseen returns are above zero, and both windows together', () => {
    const unseen = { returns: returnsOf(6), tradeCount: 30, lookCount: 1 };
    // Of 120 values ±0.01 with a share of 0.6: mean 0.002, variance 0.0001 - 0.000004, skewness (1 - 2p) / sqrt(p q),
    // kurtosis 3 + (1 - 6 p q) / (p q). The probabilistic Sharpe ratio is the normal distribution at z.
    const sharpe = 0.2 / Math.sqrt((0.96 * 120) / 119);
    const skewness = -0.2 / Math.sqrt(0.24);
    const kurtosis = 3 + (1 - 6 * 0.24) / 0.24;
    const z = (sharpe * Math.sqrt(119)) / Math.sqrt(1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);
    const holdout = figureOf({ ...searched, unseen }, 'holdout');
    expect(holdout?.value).toBeCloseTo(normal(z), 2);
    expect(holdout).toMatchObject({ says: 'skill', window: 'scored', count: 120 });
    expect(figureOf({ ...searched, unseen }, 'bothWindows')?.value).not.toBeNull();
    expect(figureOf(searched, 'holdout')?.value).toBeNull();
  });

  it('RULE-091 is stricter after more looks, and names unseen returns that are no numbers', () => {
    const unseen = { returns: returnsOf(6), tradeCount: 30, lookCount: 1 };
    const once = figureOf({ ...searched, unseen }, 'holdout')?.value ?? 0;
    const often = figureOf({ ...searched, unseen: { ...unseen, lookCount: 50 } }, 'holdout')?.value ?? 1;
    expect(often).toBeLessThan(once);
    const bad = judge({ ...searched, unseen: { ...unseen, returns: Float64Array.of(0.1, Number.NaN) } });
    expect(bad).toMatchObject({ ok: false, error: { field: 'unseen.returns' } });
  });
});

/** The normal distribution by its series, summed slowly. */
function normal(z: number): number {
  let [sum, term] = [z, z];
  for (let k = 1; k < 200; k++) {
    term *= -(z * z) / (2 * k);
    sum += term / (2 * k + 1);
  }
  return 0.5 + sum / Math.sqrt(2 * Math.PI);
}
