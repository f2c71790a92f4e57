import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult, Candles, StrategyParams } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { backtestToWire } from '../../src/protocol/wire/backtestResult.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { paramsToWire } from '../../src/protocol/wire/strategyParams.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const HOUR_MS = 3_600_000;
const FULL = 30 * 24;
const params: StrategyParams = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.01,
  takeProfitFraction: 0.01,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
/** The scored window starts at noon, so that 30 full days touch 31 days of the calendar. */
function candlesOf(scored: number): Candles {
  const candles = market(200 + scored, 3, { trend: 0.2 });
  const firstMs = Date.UTC(2025, 5, 1, 12) - 200 * HOUR_MS;
  return { ...candles, time: candles.time.map((_, i) => firstMs + i * HOUR_MS) };
}
const common = (scored: number) => ({
  candles: candlesOf(scored),
  params,
  costs: { ...defaultCosts },
  scoredCount: scored,
});
function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Every annualised figure of a run, and those inferred from daily returns, which need a month of them. */
function yearly(scored: number) {
  const result = valueOf(runTask(engine, { name: 'backtest', input: common(scored) }) as TaskResult<BacktestResult>);
  const wire = backtestToWire(result, paramsToWire(params), { costs: defaultCosts }) as unknown as Record<
    string,
    unknown
  > & {
    sharpe: { value: unknown };
    sortino: { value: unknown };
    analysis: Record<string, unknown>;
  };
  const { sharpe, sortino } = result.summary;
  const { annualReturnFraction, calmar, alphaFraction, beta, omega } = result.analysis;
  const shown = [sharpe.value, sortino.value, annualReturnFraction, calmar, alphaFraction, beta, omega];
  return { shown, reasons: [sharpe, sortino], wire };
}

describe('a figure of a year', () => {
  it('is absent one hour short of 30 full days, although 31 days of the calendar are touched', () => {
    const { shown, reasons, wire } = yearly(FULL - 1);
    expect(shown).toEqual(shown.map(() => null));
    for (const statistic of reasons) expect(statistic).toMatchObject({ reason: 'not enough data: 29 of 30 days' });
    expect([wire.sharpe.value, wire.sortino.value]).toEqual([null, null]);
  });

  it('is there from 30 full days on', () => {
    const { shown, wire } = yearly(FULL);
    for (const value of shown) expect(value).toEqual(expect.any(Number));
    expect([wire.sharpe.value, wire.sortino.value]).toEqual(shown.slice(0, 2));
  });

  it.each(['sharpe', 'sortino', 'calmar'] as const)('ranks no set by %s below 30 full days', (target) => {
    const search = (scored: number): OptimizeResult => {
      const input = { ...common(scored), samples: 40, seed: 5, target, trainOn: 'scored' as const, refine: false };
      return valueOf(runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>);
    };
    const short = search(FULL - 1);
    for (const name of ['sharpe', 'sortino', 'calmar'] as const)
      expect(short.trials[name].every(Number.isNaN)).toBe(true);
    expect(short.best?.value).toBeNull();
    const long = search(FULL);
    expect(long.trials[target].some(Number.isFinite)).toBe(true);
    expect(long.best?.value).toEqual(expect.any(Number));
  });
});
