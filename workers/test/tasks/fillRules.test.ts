import { beforeAll, describe, expect, it } from 'vitest';
import { loadModule } from '../../src/node/loadModule.ts';
import { respondToTask } from '../../src/node/respondToTask.ts';
import type { BacktestResult, Costs } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

const candles = randomCandles(seededRandom(5), 600);
const params = {
  weights: defaultWeights,
  entryThreshold: 0.08,
  stopLossFraction: 0.004,
  takeProfitFraction: 0.008,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

function runOf(costs: Partial<Costs>): BacktestResult {
  const input = {
    candles,
    params,
    scoredCount: 400,
    costs: { ...defaultCosts, fundingSource: 'off' as const, ...costs },
  };
  const result = runTask(at, { name: 'backtest', input }) as TaskResult<BacktestResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('fill rules of a task', () => {
  it('RULE-132 are part of the hash where they are not the defaults', () => {
    const usual = runOf({});
    expect(runOf({ entryCandleExits: true, lastClose: 'order' }).hashes).toEqual(usual.hashes);
    const hashes = [
      runOf({ entryCandleExits: false }),
      runOf({ lastClose: 'mark' }),
      runOf({ entryCandleExits: false, lastClose: 'mark' }),
    ].map((run) => run.hashes.params);
    expect(new Set([...hashes, usual.hashes.params]).size).toBe(4);
  });

  it('RULE-132 come from a file', async () => {
    const sent = {
      candles: Object.fromEntries(
        Object.entries(candles).map(([name, column]) => [name, [...(column as Float64Array)]]),
      ),
      params: {
        slPct: params.stopLossFraction,
        tpPct: params.takeProfitFraction,
        entryThreshold: params.entryThreshold,
      },
      scored: 400,
    };
    const run = (costs: object) =>
      respondToTask(
        ['backtest'],
        () => Promise.resolve(JSON.stringify({ ...sent, costs: { fundingSource: 'off', ...costs } })),
        () => Promise.resolve(),
      );
    const tradesOf = async (costs: object): Promise<{ entryIndex: number; exitIndex: number }[]> => {
      const { code, stdout, stderr } = await run(costs);
      expect([code, stderr]).toEqual([0, '']);
      return (JSON.parse(stdout) as { tradeList: { entryIndex: number; exitIndex: number }[] }).tradeList;
    };
    const isInEntry = ({ entryIndex, exitIndex }: { entryIndex: number; exitIndex: number }): boolean =>
      entryIndex === exitIndex;
    expect((await tradesOf({})).filter(isInEntry).length).toBeGreaterThan(3);
    const held = await tradesOf({ entryCandleExits: false });
    expect(held.length).toBeGreaterThan(10);
    expect(held.filter(isInEntry)).toEqual([]);
    const bad = await run({ lastClose: 'never' });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('costs.lastClose');
  });
});
