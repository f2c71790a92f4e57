import { beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { cutCandles } from '../../src/candles/candleColumns.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { respondToTask } from '../../src/node/respondToTask.ts';
import type {
  PortfolioResult,
  PortfolioSet,
  PortfolioSetsInput,
  PortfolioSetsResult,
} from '../../src/protocol/portfolio.ts';
import type { PortfolioSummary } from '../../src/protocol/portfolioFigures.ts';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { SearchedAccount as Searched } from '../../src/protocol/portfolioSearch.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, TaskMessage } from '../../src/protocol/tasks.ts';
import { defaultCosts, standardLiquidity } from '../../src/protocol/wire/defaults.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { drawSets } from '../../src/tasks/portfolio/drawSets.ts';
import { inArena } from '../../src/tasks/honesty/kernels.ts';
import { searchOnPool, setsOfSearch } from '../../src/tasks/portfolio/searchAccount.ts';
import { searchedParameters } from '../../src/tasks/portfolio/setStrategy.ts';
import { portfolioSets } from '../../src/tasks/portfolioSets.ts';
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

type SearchedAccount = Searched & { honesty: Pick<HonestyResult, 'trialCount'> | null };

const columnsOf = (candles: object): Record<string, number[]> =>
  Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, [...(column as Float64Array)]]));

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

  describe('with other values of own rules', () => {
    const text = (fast: number, stop: number): string =>
      `fast = ${fast} [5..20 step 1]; width = ${stop} [1..3 step 0.5]
long when rsi(fast) < 40; short when rsi(fast) > 60
exit long when rsi(fast) > 55
stop width * atr(14); target 3R`;
    const rulesOf = (fast: number, stop: number): Strategy => {
      const made = strategyOfRules(text(fast, stop), '1h');
      if (!made.ok) throw new Error(made.error[0]?.message);
      return made.value;
    };

    it('RULE-194 have the figures of the portfolio run of a text with those numbers, to the bit, in any order', () => {
      const pairs = [
        [14, 2],
        [5, 2],
        [14, 1.5],
        [20, 3],
        [14, 2],
      ] as const;
      const own = pairs.map(([fast, width], k): PortfolioSet => (k === 0 ? {} : { values: { fast, width } }));
      const { summaries } = setsOf(inputOf(rulesOf(14, 2), own));
      const want = pairs.map(([fast, width]) => runsOf(inputOf(rulesOf(fast, width), [{}]))[0]);
      summaries.forEach((summary, k) => expect(summary, `set ${k}`).toEqual(want[k]));
      expect(new Set(summaries.map((summary) => JSON.stringify(summary))).size).toBe(4);
      for (const { tradeCount } of summaries) expect(tradeCount).toBeGreaterThan(3);
      // A value that is not named is that of the text; limits go with values.
      const [one] = setsOf(inputOf(rulesOf(14, 2), [{ values: { fast: 5 }, limits: { positionsMax: 1 } }])).summaries;
      const limited = { ...inputOf(rulesOf(5, 2), [{}]), limits: { positionsMax: 1, dailyLossPct: 3 } };
      expect(one).toEqual(runsOf(limited)[0]);
    });

    it('RULE-197 sets that differ in exits, sizes or limits alone share their signals, to the bit and in their own places', () => {
      // Two periods in turn: each set has other signals than the one before it.
      const pairs = [14, 9, 14, 9, 14, 9].map((fast, k) => [fast, 1 + Math.min(k, 4) / 2] as const);
      const own = pairs.map(([fast, width]): PortfolioSet => ({ values: { fast, width } }));
      own.push({ values: { fast: 9 }, limits: { positionsMax: 1 } });
      const { raw } = at.engine;
      let programRuns = 0;
      const ruleSignals: typeof raw.ruleSignals = (...of) => {
        programRuns += 1;
        return raw.ruleSignals(...of);
      };
      const input = { ...inputOf(rulesOf(14, 2), own), withEquity: true };
      const counted = inArena(at.engine, () =>
        portfolioSets({ ...at.engine, raw: { ...raw, ruleSignals } }, at.hash, input),
      );
      const { summaries, equity } = valueOf(counted);
      // Every symbol once for each period, whatever the number of sets.
      expect(programRuns).toBe(2 * symbols.length);
      const want = pairs.map(([fast, width]) => runsOf(inputOf(rulesOf(fast, width), [{}]))[0]);
      expect(summaries.slice(0, pairs.length)).toEqual(want);
      expect(new Set(summaries.map((summary) => JSON.stringify(summary))).size).toBe(own.length);
      const steps = (equity?.length ?? 0) / own.length;
      const lastOf = (k: number) => equity?.[(k + 1) * steps - 1];
      summaries.forEach(({ netPnl }, k) => expect((lastOf(k) ?? 0) - costs.initialEquity).toBeCloseTo(netPnl, 6));
    });

    it.each([
      [{ slow: 9 }, 'sets[1].values.slow', 'use fast, width'],
      [{ fast: 21 }, 'sets[1].values.fast', 'must be from 5 to 20'],
      [{ fast: Number.NaN }, 'sets[1].values.fast', 'must be from 5 to 20'],
      [{ fast: 5.5 }, 'sets[1].values.fast', 'must be from 5 to 20 in steps of 1'],
      [{ width: 1.25 }, 'sets[1].values.width', 'must be from 1 to 3 in steps of 0.5'],
    ])('RULE-194 rejects %j by its field', (values, field, fix) => {
      const result = runTask(at, { name: 'portfolioSets', input: inputOf(rulesOf(14, 2), [{}, { values }]) });
      expect(result).toMatchObject({ ok: false, error: { field, message: expect.stringContaining(fix) as string } });
    });

    it('RULE-194 rejects values of a strategy of votes', () => {
      const result = runTask(at, { name: 'portfolioSets', input: inputOf(strategy, [{ values: { fast: 9 } }]) });
      expect(result).toMatchObject({ ok: false, error: { field: 'sets[0].values' } });
    });

    it('RULE-195 draws every parameter with a range on its grid, by seed and number alone', () => {
      const parameters = searchedParameters(rulesOf(14, 2));
      expect(parameters.map(({ name }) => name)).toEqual(['fast', 'width']);
      const draw = (count: number, seed: number) =>
        drawSets(rulesOf(14, 2), { ranges: { positionsMax: { min: 1, max: 3 } }, count, seed, parameters });
      const drawn = draw(300, 3);
      expect(drawn[0]).toEqual({});
      const valuesOf = (name: string) => new Set(drawn.slice(1).map(({ values }) => values?.[name]));
      expect(valuesOf('fast')).toEqual(new Set(Array.from({ length: 16 }, (_, k) => 5 + k)));
      expect(valuesOf('width')).toEqual(new Set([1, 1.5, 2, 2.5, 3]));
      expect(draw(20, 3)).toEqual(drawn.slice(0, 20));
      expect(draw(20, 4)).not.toEqual(drawn.slice(0, 20));
      // Slots are those of the same search without ranges in the text.
      const slots = drawSets(rulesOf(14, 2), { ranges: { positionsMax: { min: 1, max: 3 } }, count: 300, seed: 3 });
      expect(drawn.map(({ limits }) => limits)).toEqual(slots.map(({ limits }) => limits));
    });

    it('RULE-195 a strategy with other exits than its text searches slots alone', async () => {
      const other: Strategy = { ...rulesOf(14, 2), stop: { mode: 'atr', multiple: 9 } };
      expect(searchedParameters(other)).toEqual([]);
      const pool: EnginePool = {
        run: (name, input) => Promise.resolve(runTask(at, { name, input } as TaskMessage) as never),
        close: () => Promise.resolve(),
        threads: 1,
      };
      const { sets: _sets, ...account } = inputOf(other, []);
      const search = { samples: 10, seed: 2, target: 'pnl', ranges: {} } as const;
      const slots = { ...search, ranges: { positionsMax: { min: 1, max: 3 } } };
      const drawn = setsOfSearch(other, slots);
      expect(new Set(drawn.slice(1).map(({ limits }) => limits?.positionsMax))).toEqual(new Set([1, 2, 3]));
      expect(drawn.filter(({ values }) => values !== undefined)).toEqual([]);
      expect(valueOf(await searchOnPool(pool, account, slots))).toMatchObject({ samples: 10, own: { set: {} } });
      const nothing = await searchOnPool(pool, account, search);
      const message =
        'ranges must have one range at least: the ranges of the text are left out, as the strategy has other exits than its rules';
      expect(nothing).toMatchObject({ ok: false, error: { field: 'ranges', message } });
    });

    it('RULE-195 is searched by the task command, the best set shown on candles that were not searched', async () => {
      const sent = {
        strategy: rulesOf(14, 2),
        symbols: symbols.map(({ symbol, candles }) => ({ symbol, candles: columnsOf(candles) })),
        costs: { fundingSource: 'off' },
        limits: { positionsMax: 3 },
        search: { samples: 12, seed: 2 },
      };
      const run = async (input: object) => {
        const outcome = await respondToTask(
          ['portfolio'],
          () => Promise.resolve(JSON.stringify(input)),
          () => Promise.resolve(),
        );
        return { ...outcome, found: JSON.parse(outcome.stdout === '' ? '{}' : outcome.stdout) as SearchedAccount };
      };
      const { found, stderr } = await run(sent);
      expect(stderr).toBe('');
      // 70 % of 500 candles.
      expect([found.train.candles, found.unseen.candles, found.samples]).toEqual([350, 150, 12]);
      expect(found.honesty?.trialCount).toBe(12);
      expect(Object.keys(found.best?.set.values ?? {})).toEqual(['fast', 'width']);
      // The best set on the searched candles, as a run of its text on them.
      const { fast = 0, width = 0 } = found.best?.set.values ?? {};
      const { search: _search, ...plainRun } = sent;
      const cut = symbols.map(({ symbol, candles }) => ({
        symbol,
        candles: columnsOf(cutCandles(candles, 0, found.train.to)),
      }));
      const alone = await run({ ...plainRun, strategy: rulesOf(fast, width), symbols: cut, judge: null });
      expect((alone.found as unknown as PortfolioResult).summary).toEqual(found.best?.train);
      // Sets tried before count, and a search without a range has nothing to vary.
      const later = await run({ ...sent, judge: { earlierTrialCount: 30 } });
      expect(later.found.honesty?.trialCount).toBe(42);
      const plain = await run({ ...sent, strategy });
      expect([plain.code, plain.stderr]).toEqual([1, 'ranges must have one range at least\n']);
    });
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
        candles: columnsOf(candles),
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
