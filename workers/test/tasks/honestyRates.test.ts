import { beforeAll, expect, it } from 'vitest';
import { startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { levelAtDefaults } from '../support/productPanel.ts';
import { seeds, shareOf } from '../support/statistics.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

it('at the product defaults the best of 50 on noise reads luck in at least 95 % of markets, never as skill', () => {
  const levels = seeds(200).map((seed) => levelAtDefaults(engine, 30_000 + seed));
  expect(shareOf(levels, 'luck')).toBeGreaterThanOrEqual(0.95);
  expect(levels).not.toContain('holds up');
}, 120_000);

it('at the product defaults the best of 50 on markets with trends of 0.6 deviations holds up in at least 85 %', () => {
  // Measured power: docs/honesty.md. Four standard errors of 100 markets below it.
  const levels = seeds(100).map((seed) => levelAtDefaults(engine, 40_000 + seed, { trend: 0.6 }));
  expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.85);
  expect(levels).not.toContain('luck');
}, 120_000);
