import { beforeAll, expect, it } from 'vitest';
import type { DetectableInput, DetectableResult } from '../../src/protocol/honesty.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { seededNormal } from '../support/markets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const HOUR_MS = 3_600_000;
function request(more: Partial<DetectableInput>): DetectableResult {
  const input = { trialCount: 1, barCount: 10_001, barMs: HOUR_MS, goalAnnualSharpe: 3, ...more };
  const result = runTask(engine, { name: 'detectable', input }) as TaskResult<DetectableResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

it('is worked out by hand: z(.95) = 1.644854 and z(.8) = 0.841621 errors of 1 / sqrt(T - 1) above the luckiest', () => {
  // One trial, 10,001 bars: 2.486475 / 100 a bar; a year has 8,760 hours, so x 93.5949.
  expect(request({}).sharpePerBar).toBeCloseTo(0.02486475, 7);
  expect(request({}).annualSharpe!).toBeCloseTo(0.02486475 * Math.sqrt(8760), 5);
  // A Sharpe ratio of 3 a year is 0.0320530 an hour: 1 + (2.486475 / 0.0320530)^2 = 6,018.8 hours.
  expect(request({}).barsForGoal).toBe(6019);
  // The luckiest of 50 is expected at 2.276 deviations: 4.762 errors, and 626 bars are 25 roots.
  expect(request({ trialCount: 50, barCount: 626 }).sharpePerBar).toBeCloseTo(4.762 / 25, 3);
  expect(request({ trialCount: 50, barCount: 626 }).luckPerBar).toBeCloseTo(2.276 / 25, 3);
  expect(request({}).luckPerBar).toBe(0);
  expect(request({ trialCount: 50, barCount: 10_001 }).luckAnnualSharpe!).toBeCloseTo(0.02276 * Math.sqrt(8760), 2);
});

it('is no figure of a year below 30 full days', () => {
  expect(request({ barCount: 719 }).annualSharpe).toBeNull();
  expect(request({ barCount: 720 }).annualSharpe).not.toBeNull();
});

it('is passed in 80 % of cases by a strategy that has it, and in 5 % at most by one that has none', () => {
  // The best of 50 trials of which one has the ratio; the deflated Sharpe ratio requires 95 %.
  const [trials, bars, cases] = [50, 400, 150];
  const { sharpePerBar } = request({ trialCount: trials, barCount: bars });
  const passes = (skill: number): number => {
    let passed = 0;
    for (let seed = 0; seed < cases; seed++) {
      const normal = seededNormal(880_000 + seed);
      const values = Array.from({ length: bars }, () => normal() + skill);
      const mean = values.reduce((sum, value) => sum + value, 0) / bars;
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (bars - 1));
      const { raw } = engine.engine;
      const ratio = mean / deviation;
      passed += Number(raw.deflatedSharpe(ratio, bars, 0, 3, trials, 1 / (bars - 1)) >= 0.95);
    }
    return passed / cases;
  };
  // Four standard errors of 150 cases.
  expect(Math.abs(passes(sharpePerBar) - 0.8)).toBeLessThan(0.13);
  expect(passes(0)).toBeLessThanOrEqual(0.05);
});

it('rejects what cannot be searched', () => {
  const input = { trialCount: 0, barCount: 1, barMs: HOUR_MS, goalAnnualSharpe: 3 };
  expect(runTask(engine, { name: 'detectable', input })).toMatchObject({ ok: false, error: { field: 'trialCount' } });
});
