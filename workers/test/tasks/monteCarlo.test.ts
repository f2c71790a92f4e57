import { beforeAll, describe, expect, it } from 'vitest';
import type { MonteCarloInput, MonteCarloResult } from '../../src/protocol/monteCarlo.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const candles = randomCandles(seededRandom(7), 600);
const params = {
  weights: defaultWeights,
  entryThreshold: 0.2,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const run: MonteCarloInput['run'] = { candles, params, costs: defaultCosts, scoredCount: 400 };

function monteCarlo(change: Partial<MonteCarloInput> = {}): MonteCarloResult {
  const input = { run, seed: 3, marketCount: 40, ...change };
  const outcome = runTask(engine, { name: 'monteCarlo', input }) as TaskResult<MonteCarloResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

describe('markets made of blocks', () => {
  it('are the same for the same seed, however many are requested', () => {
    const result = monteCarlo();
    expect(monteCarlo()).toEqual(result);
    expect([...monteCarlo({ marketCount: 15 }).netPnl]).toEqual([...result.netPnl.slice(0, 15)]);
    expect(monteCarlo({ seed: 4 }).netPnl).not.toEqual(result.netPnl);
  });

  it('give the real result each time when one block holds the whole market', () => {
    const plain = runTask(engine, { name: 'backtest', input: run }) as TaskResult<BacktestResult>;
    if (!plain.ok) throw new Error('backtest failed');
    const { netPnl, tradeCount, maxDrawdownFraction } = plain.value.summary;
    const whole = monteCarlo({ marketCount: 3, blockLength: 599 });
    expect(whole).toMatchObject({ ownNetPnl: netPnl, blockLength: 599, belowOwnFraction: 0 });
    expect([...whole.netPnl]).toEqual([netPnl, netPnl, netPnl]);
    expect([...whole.tradeCount]).toEqual([tradeCount, tradeCount, tradeCount]);
    expect([...whole.maxDrawdownFraction]).toEqual(Array(3).fill(maxDrawdownFraction));
  });

  it('are summed up by their own counts and quantiles', () => {
    const { netPnl, netPnlBand, gainFraction, belowOwnFraction, ownNetPnl } = monteCarlo({ marketCount: 101 });
    const sorted = [...netPnl].sort((a, b) => a - b);
    // 101 values: the quantiles 5 %, 50 % and 95 % are the values of rank 5, 50 and 95, from 0.
    expect([netPnlBand.low, netPnlBand.median, netPnlBand.high]).toEqual([sorted[5], sorted[50], sorted[95]]);
    expect(gainFraction).toBe(sorted.filter((net) => net > 0).length / 101);
    expect(belowOwnFraction).toBe(sorted.filter((net) => net < ownNetPnl).length / 101);
  });

  it('are not made of what cannot be cut', () => {
    const rejection = (change: Partial<MonteCarloInput>) =>
      runTask(engine, { name: 'monteCarlo', input: { run, seed: 3, marketCount: 40, ...change } });
    expect(rejection({ blockLength: 600 })).toMatchObject({ ok: false, error: { field: 'blockLength' } });
    expect(rejection({ marketCount: 0 })).toMatchObject({ ok: false, error: { field: 'marketCount' } });
    expect(rejection({ seed: -1 })).toMatchObject({ ok: false, error: { field: 'seed' } });
  });
});
