import { beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { respondToTask } from '../../src/node/respondToTask.ts';
import type {
  PortfolioResult,
  PortfolioSet,
  PortfolioSetsInput,
  PortfolioSetsResult,
} from '../../src/protocol/portfolio.ts';
import type { PortfolioSummary } from '../../src/protocol/portfolioFigures.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, TaskMessage } from '../../src/protocol/tasks.ts';
import { defaultCosts, standardLiquidity } from '../../src/protocol/wire/defaults.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { portfolioSetsOnPool } from '../../src/tasks/portfolio/setsOnPool.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

const costs = {
  ...defaultCosts,
  ...standardLiquidity,
  fundingSource: 'assumed' as const,
  assumedFundingFraction: 1e-4,
};
const symbols = ['BTCUSDT', 'ETHUSDT', 'ADAUSDT', 'SOLUSDT'].map((symbol, k) => ({
  symbol,
  candles: randomCandles(seededRandom(11 + k), 500, intervalMs['1h']),
  context: [],
  costs,
}));
const { trailing, sizing } = liveRules(['1h']);
const sets: PortfolioSet[] = [
  {},
  { strategy: { entryThreshold: 0.5 } },
  { strategy: { stop: { mode: 'percent', fraction: 0.01 }, target: { mode: 'percent', fraction: 0.03 } } },
  { strategy: { atrPeriod: 7, trailing: { ...trailing, mode: 'atr', atrMultiple: 1.5 } } },
  { strategy: { direction: 'long', onOpposite: 'reverse', holdingBarsMax: 12, breakEvenR: 1 } },
  { strategy: { sizing: { ...sizing, isCompounding: true } }, limits: { positionsMax: 1 } },
  { limits: { openingsMax: 1, grossMaxFraction: 1, skipsStopBeyondLiquidation: false } },
  // The first again: a set leaves nothing behind.
  {},
];

const inputOf = (strategy: Strategy, own: PortfolioSet[]): PortfolioSetsInput => ({
  strategy,
  symbols,
  limits: { positionsMax: 3, dailyLossPct: 3 },
  sets: own,
});
const strategy: Strategy = { ...liveRules(['1h']), entryThreshold: 0.2 };

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const setsOf = (input: PortfolioSetsInput): PortfolioSetsResult =>
  valueOf(runTask(at, { name: 'portfolioSets', input }) as TaskResult<PortfolioSetsResult>);

/** Each set as a portfolio run of its own, votes and scores included. */
const runsOf = ({ sets: all, ...input }: PortfolioSetsInput): PortfolioSummary[] =>
  all.map((set) => {
    const own = { strategy: { ...input.strategy, ...set.strategy }, limits: { ...input.limits, ...set.limits } };
    const run = runTask(at, { name: 'portfolio', input: { ...input, ...own } }) as TaskResult<PortfolioResult>;
    return valueOf(run).summary;
  });

describe('portfolio sets', () => {
  it('RULE-130 have the figures of their own portfolio runs, to the bit', () => {
    const input = inputOf(strategy, sets);
    const { summaries } = setsOf(input);
    const want = runsOf(input);
    summaries.forEach((summary, k) => expect(summary, `set ${k}`).toEqual(want[k]));
    // Each set changes something, and all of them trade.
    expect(new Set(summaries.slice(0, -1).map((summary) => JSON.stringify(summary))).size).toBe(sets.length - 1);
    for (const { tradeCount } of summaries) expect(tradeCount).toBeGreaterThan(3);
  });

  it('RULE-130 have it under own rules, whose limits may differ', () => {
    const own = strategyOfRules(
      'long when rsi(14) < 45\nshort when rsi(14) > 55\nexit long when rsi(14) > 50\nstop 2 * atr(14)\ntarget 3R',
      '1h',
    );
    if (!own.ok) throw new Error(own.error[0]?.message);
    const input = inputOf(own.value, [{}, { limits: { positionsMax: 1 } }]);
    expect(setsOf(input).summaries).toEqual(runsOf(input));
    const changed = runTask(at, {
      name: 'portfolioSets',
      input: inputOf(own.value, [{}, { strategy: { breakEvenR: 1 } }]),
    });
    expect(changed).toMatchObject({ ok: false, error: { field: 'sets[1].strategy' } });
  });

  it('RULE-131 divides the sets among threads and names the wrong one by its place among all', async () => {
    const shares: number[] = [];
    const pool: EnginePool = {
      run: (name, input) => {
        shares.push((input as PortfolioSetsInput).sets.length);
        return Promise.resolve(runTask(at, { name, input } as TaskMessage) as never);
      },
      close: () => Promise.resolve(),
      threads: 3,
    };
    const input = inputOf(strategy, sets);
    expect(valueOf(await portfolioSetsOnPool(pool, input))).toEqual(setsOf(input));
    expect(shares).toEqual([3, 3, 2]);
    const fieldOf = async (...own: PortfolioSet[]): Promise<string | undefined> => {
      const result = await portfolioSetsOnPool(pool, inputOf(strategy, own));
      return result.ok ? 'none' : result.error.field;
    };
    expect(await fieldOf()).toBe('sets.length');
    expect(await fieldOf({}, {}, {}, {}, { limits: { positionsMax: 1.5 } })).toBe('sets[4].limits.positionsMax');
    expect(await fieldOf({}, { strategy: { entryThreshold: 2 } })).toBe('sets[1].strategy.entryThreshold');
  });

  it('RULE-131 runs from a file', async () => {
    const sent = {
      strategy,
      symbols: symbols.map(({ symbol, candles }) => ({
        symbol,
        candles: Object.fromEntries(
          Object.entries(candles).map(([name, column]) => [name, [...(column as Float64Array)]]),
        ),
      })),
      costs: { fundingSource: 'off' },
      limits: { positionsMax: 3 },
      sets: [{}, { strategy: { entryThreshold: 0.5 }, limits: { openingsMax: 1 } }],
    };
    const run = (input: object) =>
      respondToTask(
        ['portfolio-sets'],
        () => Promise.resolve(JSON.stringify(input)),
        () => Promise.resolve(),
      );
    const { code, stdout, stderr } = await run(sent);
    expect([code, stderr]).toEqual([0, '']);
    const { summaries } = JSON.parse(stdout) as PortfolioSetsResult;
    expect(summaries.map(({ maxOpenCount }) => maxOpenCount)).toEqual([3, 3]);
    expect(summaries[1]?.tradeCount).toBeLessThan(summaries[0]?.tradeCount ?? 0);
    const bad = await run({ ...sent, sets: [{}, { strategy: { weights: {} } }] });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('sets[1].strategy');
  });
});
