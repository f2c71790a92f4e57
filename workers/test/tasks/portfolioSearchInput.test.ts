import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutCandles } from '../../src/candles/candleColumns.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { TrialReturns } from '../../src/protocol/honesty.ts';
import type { PortfolioInput, PortfolioSymbol } from '../../src/protocol/portfolio.ts';
import type { AccountSearch } from '../../src/protocol/portfolioSearch.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, TaskMessage } from '../../src/protocol/tasks.ts';
import { defaultCosts, standardLiquidity } from '../../src/protocol/wire/defaults.ts';
import { SetLevelsWire } from '../../src/protocol/wire/strategy.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { instantiate } from '../../src/engine/engine.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { checkRanges, searchOnPool, splitAccount } from '../../src/tasks/portfolio/searchAccount.ts';
import { checkValues, strategyOfSet } from '../../src/tasks/portfolio/setStrategy.ts';
import { portfolioSets } from '../../src/tasks/portfolioSets.ts';
import { testEngine } from '../support/engine.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

const costs = { ...defaultCosts, ...standardLiquidity, fundingSource: 'off' as const };
const symbolOf = (symbol: string, seed: number, count = 500): PortfolioSymbol => ({
  symbol,
  candles: randomCandles(seededRandom(seed), count, intervalMs['1h']),
  context: [],
  costs,
});
const strategy: Strategy = { ...liveRules(['1h']), entryThreshold: 0.2 };
const plain: PortfolioInput = { strategy, symbols: [symbolOf('BTCUSDT', 1), symbolOf('ETHUSDT', 2)], limits: {} };
const search: AccountSearch = { ranges: { positionsMax: { min: 1, max: 2 } }, samples: 10, seed: 3, target: 'pnl' };

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
function rulesOf(text: string): Strategy {
  const made = strategyOfRules(text, '1h');
  if (!made.ok) throw new Error(made.error[0]?.message);
  return made.value;
}

describe('a portfolio search', () => {
  it('RULE-195 has news and mark prices of the candles that it searches', () => {
    const [symbol = symbolOf('BTCUSDT', 1)] = plain.symbols;
    const { open, high, low } = symbol.candles;
    const news = Int8Array.from(open, (_, i) => (i % 3) - 1);
    const whole: PortfolioSymbol = { ...symbol, news, markPrices: { open, high, low } };
    const { train, unseen, notTrained } = valueOf(splitAccount({ ...plain, symbols: [whole] }));
    expect(notTrained).toEqual([]);
    const [early] = train.symbols;
    // 70 % of 500 candles.
    expect(early?.candles.time).toHaveLength(350);
    expect(early?.news).toEqual(news.slice(0, 350));
    expect(early?.markPrices?.high).toEqual(high.slice(0, 350));
    expect(unseen.symbols).toEqual([whole]);
  });

  it('RULE-195 leaves out a symbol with too few candles before the unseen ones, and names it', async () => {
    const [first = symbolOf('BTCUSDT', 1)] = plain.symbols;
    const { time } = first.candles;
    const late = { ...first, symbol: 'NEWUSDT', candles: cutCandles(first.candles, time[349] ?? 0, Infinity) };
    const later = { ...first, symbol: 'NONEUSDT', candles: cutCandles(first.candles, time[400] ?? 0, Infinity) };
    const input = { ...plain, symbols: [...plain.symbols, late, later] };
    const { train, notTrained } = valueOf(splitAccount(input));
    expect(train.symbols.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(notTrained).toEqual(['NEWUSDT', 'NONEUSDT']);
    const found = valueOf(await searchOnPool(poolOf().pool, input, search));
    expect(found.left_out).toEqual([
      { symbol: 'NEWUSDT', reason: 'too_few_before_unseen' },
      { symbol: 'NONEUSDT', reason: 'too_few_before_unseen' },
    ]);
  });

  it('RULE-195 returns every other failure of a symbol by its field', async () => {
    const [a = symbolOf('A', 1), b = symbolOf('B', 2)] = plain.symbols;
    const wrong = { ...plain, symbols: [a, { ...b, news: new Int8Array(3) }] };
    expect(splitAccount(wrong)).toMatchObject({ ok: false, error: { field: 'symbols[1].news' } });
    expect(await searchOnPool(poolOf().pool, wrong, search)).toMatchObject({
      ok: false,
      error: { field: 'symbols[1].news' },
    });
  });

  it('RULE-195 judges with the seed of `judge`', async () => {
    const { pool, judged } = poolOf();
    valueOf(await searchOnPool(pool, { ...plain, judge: { seed: 7, earlierTrialCount: 0 } }, search));
    expect(judged.map(({ seed }) => seed)).toEqual([7]);
  });

  it('RULE-195 rejects a text that a drawn number could make too long', () => {
    const rules = 'n = 5 [5..50 step 1]\nlong when close > sma(n)\nshort when close < sma(n)\nstop 2 %; target 4 %\n#';
    const filled = (length: number): Strategy => rulesOf(rules.padEnd(length, '.'));
    // One number of at most 25 characters.
    expect(checkRanges(filled(3975), { ranges: {} })).toMatchObject({ ok: true });
    expect(checkRanges(filled(3976), { ranges: {} })).toMatchObject({ ok: false, error: { field: 'strategy.rules' } });
    expect(checkValues(filled(3999), { n: 10 })).toMatchObject({ ok: true });
    expect(checkValues(filled(4000), { n: 9 })).toMatchObject({ ok: true });
    expect(checkValues(filled(4000), { n: 10 })).toMatchObject({ ok: false, error: { field: 'values' } });
  });
});

describe('values of own rules', () => {
  const text = (name: string): string =>
    `${name} = 12.5 [5..50 step 2]\nlong when rsi(14) < ${name}\nshort when rsi(14) > 60\nstop 2 %; target 4 %`;

  it('RULE-194 are those of the grid, or the own one of the text beside it', () => {
    const own = rulesOf(text('level'));
    for (const level of [5, 7, 49, 12.5]) expect(checkValues(own, { level }), `${level}`).toMatchObject({ ok: true });
    for (const level of [6, 12, 50, 3, 51])
      expect(checkValues(own, { level }), `${level}`).toMatchObject({ ok: false, error: { field: 'values.level' } });
    expect(strategyOfSet(own, { values: { level: 7 } }).rules).toBe(text('level').replace('12.5', '7'));
  });

  it('RULE-194 are those of the text where a name is also a property of every object', () => {
    const own = rulesOf(text('constructor'));
    expect(checkValues(own, {})).toMatchObject({ ok: true });
    expect(strategyOfSet(own, { values: {} })).toEqual(own);
  });

  it('RULE-194 take the longest name that rules have', () => {
    const name = 'a'.repeat(45);
    expect(checkValues(rulesOf(text(name)), { [name]: 7 })).toMatchObject({ ok: true });
    expect(SetLevelsWire.safeParse({ values: { [name]: 7 } }).success).toBe(true);
  });
});

it('RULE-194 holds the ranges of few periods at a time, with the same figures', async () => {
  const input = { ...plain, symbols: ['A', 'B', 'C', 'D'].map((name, k) => symbolOf(name, k, 5000)) };
  const setOf = (atrPeriod: number) => ({ strategy: { atrPeriod } });
  const engine = instantiate((await testEngine()).module);
  const run = (periods: readonly number[]) => {
    engine.raw.arenaReset();
    return valueOf(portfolioSets(engine, 'e', { ...input, sets: periods.map(setOf) })).summaries;
  };
  const few = run([2, 3, 4, 5, 6, 7, 8, 9]);
  const { byteLength } = engine.raw.memory.buffer;
  // 160 kB of each period.
  const many = run(Array.from({ length: 100 }, (_, k) => 109 - k).concat([2, 3, 4, 5, 6, 7, 8, 9]));
  expect(engine.raw.memory.buffer.byteLength - byteLength).toBeLessThan(2 ** 20);
  expect(many.slice(100)).toEqual(few);
  expect(new Set(many.map(({ netPnl }) => netPnl)).size).toBeGreaterThan(50);
}, 120_000);

/** One thread, and the inputs of the honesty task. */
function poolOf(): { pool: EnginePool; judged: TrialReturns[] } {
  const judged: TrialReturns[] = [];
  return {
    judged,
    pool: {
      run(name, input) {
        if (name === 'honesty') judged.push(input as TrialReturns);
        return Promise.resolve(runTask(at, { name, input } as TaskMessage) as never);
      },
      close: () => Promise.resolve(),
      threads: 1,
    },
  };
}
