import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { RulesSweepInput, RulesSweepResult } from '@sextant/workers/src/protocol/rules.ts';
import { backtestRules } from '@sextant/workers/src/tasks/backtestRules.ts';
import { optimizeRules } from '@sextant/workers/src/tasks/optimizeRules.ts';
import { inputOfSet, valuesOf, varyingExits } from '@sextant/workers/src/tasks/ownRules/sets.ts';
import * as results from '../../abi/optimize.ts';
import * as abi from '../../abi/ruleProgram.ts';
import { liveExits, type StrategyExits } from '../../abi/strategy.ts';
import { randomExits } from '@sextant/workers/test/support/randomRuns.ts';
import { mulberry, roughMarket } from '../candles.ts';
import { roughCosts, roughFine, roughMarks, tickedMarket } from '../optimize/support.ts';
import { loadEngine } from '../support.ts';
import { randomProgram } from './support.ts';

const random = mulberry(4040);
const oneOf = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!;

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const { RULE_INPUT_COUNT: R, RULE_CLOSE: close } = abi;
const emaOf = (dest: number, value: number): number[] => [abi.OP_INDICATOR, 0, dest, close, -1, -1, value, 1];

/** Averages that cross, with an exit that depends on one parameter and one that depends on none. */
function crossing(): Pick<RulesSweepInput, 'program' | 'valueParameters' | 'parameters'> {
  const code = [
    emaOf(0, 0),
    emaOf(1, 1),
    [abi.OP_CROSSOVER, 0, 2, R, R + 1, -1, 0, 0],
    [abi.OP_CROSSUNDER, 0, 3, R, R + 1, -1, 0, 0],
    [abi.OP_INDICATOR, 0, 4, -1, -1, -1, 2, 2],
    [abi.OP_CONST, 0, 5, -1, -1, -1, 3, 0],
    [abi.OP_GT, 0, 4, R + 4, R + 5, -1, 0, 0],
    [abi.OP_LT, 0, 5, close, R + 1, -1, 0, 0],
    [abi.OP_NOT, 0, 6, R + 4, -1, -1, 0, 0],
    [abi.OP_AND, 0, 6, R + 2, R + 6, -1, 0, 0],
  ].flat();
  return {
    program: {
      code: Int32Array.from(code),
      values: Float64Array.of(3, 9, 14, 68),
      outputs: Int32Array.of(R + oneOf(2, 6), R + 3, oneOf(-1, R + 4, R + 5), oneOf(-1, R + 4)),
      intervals: [],
    },
    valueParameters: Int32Array.of(0, 1, -1, -1),
    parameters: [
      { name: 'fast', values: [2, 3, 5] },
      { name: 'slow', values: [6, 9, 20, 30] },
    ],
  };
}

/** Any program, some of whose whole values are parameters. */
function anything(): Pick<RulesSweepInput, 'program' | 'valueParameters' | 'parameters'> {
  const { code, values, outputs } = randomProgram(random, 2);
  const parameters: RulesSweepInput['parameters'] = [];
  const valueParameters = Int32Array.from(values, (value) => {
    if (!(Number.isInteger(value) && value > 1 && value < 60) || parameters.length > 2 || random() < 0.4) return -1;
    return parameters.push({ name: `p${parameters.length}`, values: [value, value + 1, value + 3] }) - 1;
  });
  return {
    program: {
      code: Int32Array.from(code.flat()),
      values: Float64Array.from(values),
      outputs: Int32Array.from(outputs),
      intervals: ['1h'],
    },
    valueParameters,
    parameters,
  };
}

function exitsOf(index: number): StrategyExits {
  if (index % 3 === 2) return { ...liveExits, ...randomExits(random) };
  return {
    ...liveExits,
    direction: oneOf('both', 'both', 'long', 'short'),
    stop: { mode: 'percent', fraction: oneOf(0.005, 0.02, 0.2) },
    target: { mode: 'percent', fraction: oneOf(0.01, 0.04, 0.4) },
    trailing: {
      ...liveExits.trailing,
      mode: oneOf('off', 'off', 'percent'),
      callbackFraction: 0.01,
      stepFraction: 0.002,
    },
    onOpposite: oneOf('hold', 'exit', 'reverse'),
    sizing: { mode: 'fixed', riskFraction: 0.01, isCompounding: false },
  };
}

function randomSweep(index: number): RulesSweepInput {
  const count = oneOf(64, 150, 333);
  const shape = { volatility: oneOf(0.005, 0.02) };
  const candles = random() < 0.5 ? tickedMarket(count, index, 2, shape) : roughMarket(count, index, shape);
  const rules = random() < 0.6 ? crossing() : anything();
  const hourly = roughMarket(Math.ceil(count / 4), index + 1, { stepMs: 3_600_000 });
  return {
    ...rules,
    candles,
    context: rules.program.intervals.length > 0 ? [hourly] : [],
    interval: '15m',
    exits: exitsOf(index),
    costs: roughCosts(candles, index),
    scoredCount: count - oneOf(0, 10, 40),
    target: oneOf<'pnl' | 'sharpe' | 'winRate'>('pnl', 'pnl', 'winRate', 'sharpe'),
    ...(random() < 0.2 && { markPrices: roughMarks(candles, index, 0.002) }),
    ...(random() < 0.2 && { fineCandles: roughFine(candles, index) }),
    ...(random() < 0.2 && { news: Int8Array.from(candles.close, () => oneOf(-1, 0, 0, 1)) }),
  };
}

/** What a row of a sweep says of a run. */
function expectRow(
  { results: rows, setCount }: RulesSweepResult,
  i: number,
  run: BacktestResult,
  scored: number,
  where: string,
) {
  const of = (field: number): number => rows[field * setCount + i]!;
  const { summary, trades } = run;
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  const won = trades.map(({ netPnl }) => netPnl);
  const got = [
    results.RESULT_NET_PNL,
    results.RESULT_TRADE_COUNT,
    results.RESULT_WIN_COUNT,
    results.RESULT_GAIN,
    results.RESULT_LOSS,
    results.RESULT_AMBIGUOUS_COUNT,
    results.RESULT_TURNOVER,
  ].map(of);
  expect(got, where).toEqual([
    summary.netPnl,
    trades.length,
    won.filter((net) => net > 0).length,
    sum(won.filter((net) => net > 0)),
    won.filter((net) => !(net > 0)).reduce((total, net) => total - net, 0),
    trades.filter(({ isAmbiguous }) => isAmbiguous).length,
    sum(trades.map(({ quantity, entryPrice, exitPrice }) => quantity * (entryPrice + exitPrice))),
  ]);
  expect(of(results.RESULT_HELD_BAR_COUNT) / scored, where).toBe(summary.exposureFraction);
}

describe('a sweep of own rules', () => {
  it('equals the backtest of every set, to the bit, over 400 random sweeps', () => {
    const seen = new Map<string, number>();
    const count = (key: string): unknown => seen.set(key, (seen.get(key) ?? 0) + 1);
    for (let index = 0; index < 400; index++) {
      const input = randomSweep(index);
      engine.raw.arenaReset();
      const swept = optimizeRules(engine, '', input);
      if (!swept.ok) {
        count(swept.error.code);
        continue;
      }
      for (let i = 0; i < swept.value.setCount; i++) {
        engine.raw.arenaReset();
        const run = backtestRules(engine, '', inputOfSet(input, valuesOf(input, swept.value.sets, i)));
        if (!run.ok) {
          count('alone');
          continue;
        }
        expectRow(swept.value, i, run.value, input.scoredCount, `sweep ${index}, set ${i}`);
        run.value.trades.forEach(({ closeReason }) => count(closeReason));
        count('set');
        if (i === swept.value.best?.index) expect(swept.value.best.result.hashes).toEqual(run.value.hashes);
      }
    }
    for (const key of ['TP', 'SL', 'LIQ', 'END', 'SIGNAL', 'RULE', 'set'])
      expect(seen.get(key) ?? 0, `${key}: ${JSON.stringify([...seen])}`).toBeGreaterThan(100);
  });

  it('takes exits that depend on the parameters', () => {
    const base = { ...randomSweep(0), ...crossing(), exits: exitsOf(0), context: [] };
    base.costs = { ...base.costs, leverage: 1 };
    const exitsFor = ([fast = 1, slow = 1]: number[]): StrategyExits => ({
      ...base.exits,
      stop: { mode: 'percent', fraction: fast / 100 },
      target: { mode: 'percent', fraction: (slow * fast) / 400 },
    });
    const varying = varyingExits(base, exitsFor)!;
    engine.raw.arenaReset();
    const swept = optimizeRules(engine, '', { ...base, varying });
    if (!swept.ok) throw new Error(swept.error.message);
    for (let i = 0; i < swept.value.setCount; i++) {
      const values = valuesOf(base, swept.value.sets, i);
      engine.raw.arenaReset();
      const run = backtestRules(engine, '', inputOfSet(base, values, exitsFor(values)));
      if (!run.ok) throw new Error(run.error.message);
      expectRow(swept.value, i, run.value, base.scoredCount, `set ${i}`);
    }
  });
});
