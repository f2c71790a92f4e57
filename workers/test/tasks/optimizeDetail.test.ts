import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult, Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult } from '../../src/protocol/optimize.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { setOf } from '../../src/tasks/optimize/parameters.ts';
import { joinRefined, searchOnPool } from '../../src/tasks/optimize/onPool.ts';
import { unpackSet } from '../../src/tasks/optimize/space.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { optimizeFromWire, OptimizeRequestWire } from '../../src/protocol/wire/optimize.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market, marksOf, minutesOf } from '../support/markets.ts';
import { risingCandles, risingSearch } from '../support/risingMarket.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const pool = (threads: number): EnginePool => ({
  run: (name, input) => Promise.resolve(runTask(engine, { name, input } as never) as never),
  close: () => Promise.resolve(),
  threads,
});

function search(input: OptimizeInput): OptimizeResult {
  const result = runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
  if (!result.ok) throw new Error(`${result.error.field ?? ''} ${result.error.message}`);
  return result.value;
}

const stairs = (down: number): Candles => risingCandles((i) => 1 - Math.max(down, i < 100 ? 0.01 : 0));

/** Trades of risingSearch: one for each candle of its window but the first. */
const TRADES = 599;

describe('a search whose candles hold stop and target', () => {
  const candles = stairs(0.03);

  it('takes the nearest stop where the order is unknown, and the furthest target where minutes show it first, by hand', () => {
    const coarse = search(risingSearch(candles)).best!;
    expect(coarse.params.stopLossFraction).toBe(0.01);
    expect(coarse.train).toMatchObject({ tradeCount: TRADES, ambiguousFraction: 1 });
    expect(coarse.value).toBeCloseTo(-10 * TRADES, 6); // 1 % of 1,000 each

    const fine = search(risingSearch(candles, { fineCandles: minutesOf(candles, 'high') })).best!;
    expect(fine.params.takeProfitFraction).toBe(0.02);
    expect(fine.train).toMatchObject({ tradeCount: TRADES, ambiguousFraction: 0, winRate: 1 });
    expect(fine.value).toBeCloseTo(20 * TRADES, 6); // 2 % of 1,000 each
    expect(fine.scored.summary).toEqual(fine.train);

    const low = search(risingSearch(candles, { fineCandles: minutesOf(candles, 'low') })).best!;
    expect(low.train).toMatchObject({ tradeCount: TRADES, ambiguousFraction: 0, winRate: 0 });
    expect(low.value).toBeCloseTo(-10 * TRADES, 6);
  });

  it('leaves a candle ambiguous that lacks a minute', () => {
    const minutes = minutesOf(candles, 'high');
    const stored = (_: number, i: number): boolean => i % 15 !== 7;
    const holed = Object.fromEntries(
      Object.entries(minutes as unknown as Record<string, Float64Array>).map(([name, column]) => [
        name,
        column.filter(stored),
      ]),
    ) as unknown as Candles;
    const { best } = search(risingSearch(candles, { fineCandles: holed }));
    expect(best!.train).toMatchObject({ tradeCount: TRADES, ambiguousFraction: 1 });
    expect(best!.value).toBeCloseTo(-10 * TRADES, 6);
  });
});

describe('a search with mark prices', () => {
  it('liquidates where only the mark price falls, by hand', () => {
    const candles = stairs(0.005); // no stop is reached, every target is
    const free = search(risingSearch(candles)).best!;
    expect(free.value).toBeCloseTo(20 * TRADES, 6);
    // 10 % of margin and 0.5 % of maintenance put liquidation 9.55 % below the entry.
    const markPrices = { ...marksOf(candles, 0), low: candles.open.map((price) => price * 0.904) };
    const marked = search(risingSearch(candles, { markPrices })).best!;
    expect(marked.train).toMatchObject({ tradeCount: TRADES, liquidationCount: TRADES, ambiguousFraction: 1 });
    expect(marked.value).toBeCloseTo(-100 * TRADES, 6); // the margin
    const short = { ...markPrices, low: candles.open.map((price) => price * 0.905) };
    expect(search(risingSearch(candles, { markPrices: short })).best!.value).toBe(free.value);
  });
});

const rough = (more: Partial<OptimizeInput> = {}): OptimizeInput => {
  const candles = market(700, 5, { trend: 0.3 });
  return {
    candles,
    fineCandles: minutesOf(candles, 'low'),
    markPrices: marksOf(candles, 0.002, 0.12),
    params: {
      weights: { ...defaultWeights },
      entryThreshold: 0.08,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
    },
    costs: { ...defaultCosts, leverage: 10 },
    scoredCount: 300,
    samples: 60,
    target: 'pnl',
    seed: 9,
    ...more,
  };
};

function without(input: OptimizeInput): OptimizeInput {
  const plain = { ...input };
  delete plain.fineCandles;
  delete plain.markPrices;
  return plain;
}

describe('a search with minutes and mark prices', () => {
  it('gives each set the figures of its single run, and shows the single run of the best, hashes included', () => {
    const input = rough({ withSets: true });
    const { train, trials, sets, best } = search(input);
    const { candles, costs, scoredCount, fineCandles, markPrices } = input;
    const cut = Object.fromEntries(
      Object.entries(candles as unknown as Record<string, Float64Array>).map(([name, column]) => [
        name,
        column.slice(0, train.end),
      ]),
    ) as unknown as Candles;
    const marks = {
      open: markPrices!.open.slice(0, train.end),
      high: markPrices!.high.slice(0, train.end),
      low: markPrices!.low.slice(0, train.end),
    };
    const liquidations = Array.from({ length: 60 }, (_, trial) => {
      const single = runTask(engine, {
        name: 'backtest',
        input: {
          candles: cut,
          costs,
          params: unpackSet(setOf(sets!.trials, trial), input.params),
          scoredCount: train.end - train.start,
          fineCandles: fineCandles!,
          markPrices: marks,
        },
      }) as TaskResult<BacktestResult>;
      if (!single.ok) throw new Error(single.error.message);
      const { netPnl, tradeCount, liquidationCount } = single.value.summary;
      expect([trials.netPnl[trial], trials.tradeCount[trial]]).toEqual([netPnl, tradeCount]);
      return liquidationCount;
    });
    expect(liquidations.filter((count) => count > 0).length).toBeGreaterThan(10);
    const shown = {
      candles,
      params: best!.params,
      costs,
      scoredCount,
      fineCandles: fineCandles!,
      markPrices: markPrices!,
    };
    expect(runTask(engine, { name: 'backtest', input: shown })).toEqual({ ok: true, value: best!.scored });
    const plain = search(without(input));
    expect(trials.netPnl).not.toEqual(plain.trials.netPnl);
    expect(best!.scored.hashes.data).not.toBe(plain.best!.scored.hashes.data);
  });

  it('is the same in chunks on a pool, walked forward and with marked drawdowns, to the bit', async () => {
    const walkForward = { kind: 'anchored', folds: 2, purgeBars: 5, embargoBars: 5 } as const;
    const input = rough({ samples: 3001, guide: true, walkForward });
    const searched = await searchOnPool(pool(2), input, { signal: new AbortController().signal });
    const [parts, last] = [searched.parts, joinRefined(searched)];
    const whole = search({ ...input, withSets: true });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ trials }) => [...trials.netPnl])).toEqual([...whole.trials.netPnl]);
    expect(last.refined).toEqual(whole.refined);
    expect(last.best).toEqual(whole.best);
    expect(last.walkForward).toEqual(whole.walkForward);
    const marked = search({ ...input, marked: whole.sets!.refined });
    expect(marked.trials.netPnl).toEqual(whole.refined.netPnl);
    const known = { samples: whole.trials.value, refined: whole.refined.value };
    expect(search({ ...input, known }).best).toEqual(whole.best);
  });

  it('is judged as it was run', () => {
    const judge = (input: OptimizeInput): HonestyResult => {
      const panel = runTask(engine, { name: 'honesty', input: { kind: 'search', search: input } });
      if (!panel.ok) throw new Error(panel.error.message);
      return panel.value as HonestyResult;
    };
    const input = rough();
    const whole = search(input);
    const known = { samples: whole.trials.value, refined: whole.refined.value };
    expect(judge({ ...input, known })).toEqual(judge(input));
    expect(judge(input)).not.toEqual(judge(without(input)));
  });

  it('is read from JSON as a single run is', () => {
    const input = rough();
    const list = (columns: object): Record<string, number[]> =>
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Array.from(column as Float64Array)]));
    const wire = {
      candles: list(input.candles),
      fineCandles: list(input.fineCandles!),
      markPrices: list(input.markPrices!),
      costs: { leverage: 10 },
      scored: 300,
      optimize: { samples: 20, seed: 9 },
    };
    const read = optimizeFromWire(OptimizeRequestWire.parse(JSON.parse(JSON.stringify(wire))));
    expect(read.fineCandles).toEqual(input.fineCandles);
    expect(read.markPrices).toEqual(input.markPrices);
    const { best } = search(read);
    const single = { ...read, params: best!.params };
    expect(runTask(engine, { name: 'backtest', input: single })).toEqual({ ok: true, value: best!.scored });
  });

  it.each([
    ['fineCandles.low[3]', { fineCandles: { ...minutesOf(market(700, 5)), low: new Float64Array(10_500) } }],
    ['markPrices.low', { markPrices: { ...marksOf(market(700, 5), 0), low: new Float64Array(3) } }],
    ['markPrices.high[0]', { markPrices: { ...marksOf(market(700, 5), 0), high: new Float64Array(700).fill(1e-3) } }],
  ] as [string, Partial<OptimizeInput>][])('names what is wrong: %s', (field, more) => {
    const outcome = runTask(engine, { name: 'optimize', input: rough(more) });
    expect(outcome.ok ? '' : outcome.error.field?.replace('[0]', '')).toBe(field.replace(/\[\d\]/, ''));
  });
});
