import { beforeAll, expect, it } from 'vitest';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';
import { seeds } from '../support/statistics.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const markets = seeds(200);
/** Kolmogorov and Smirnov: a sample this large of uniform values strays further than this in one of a hundred cases. */
const STRAY_MAX = 1.63 / Math.sqrt(markets.length);

it('entries by dice beat the rules as often as chance says: the p-values of noise markets are uniform', () => {
  const params = {
    weights: defaultWeights,
    entryThreshold: 0.3,
    stopLossFraction: 0.02,
    takeProfitFraction: 0.03,
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  };
  const values: number[] = [];
  for (const seed of markets) {
    const search = {
      candles: market(700, 380_000 + seed),
      params,
      costs: defaultCosts,
      scoredCount: 500,
      samples: 1,
      seed: 1,
      target: 'pnl' as const,
      trainOn: 'scored' as const,
      refine: false,
    };
    const outcome = runTask(engine, {
      name: 'honesty',
      input: { kind: 'search', search },
    }) as TaskResult<HonestyResult>;
    if (!outcome.ok) throw new Error(outcome.error.message);
    const value = outcome.value.figures.find(({ id }) => id === 'randomEntry')?.value ?? null;
    if (value !== null) values.push(value);
  }
  values.sort((a, b) => a - b);
  expect(values.length).toBeGreaterThan(markets.length * 0.9);
  const stray = values.map((value, i) =>
    Math.max(Math.abs(value - i / values.length), Math.abs(value - (i + 1) / values.length)),
  );
  expect(Math.max(...stray)).toBeLessThan(STRAY_MAX);
});
