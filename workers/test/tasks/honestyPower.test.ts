import { beforeAll, expect, it } from 'vitest';
import { startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { levelAtDefaults } from '../support/productPanel.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

it('at the product defaults the best of 50 on markets with trends of 0.6 deviations holds up in at least 85 of 100', () => {
  // Measured power: docs/honesty.md. Four standard errors of 100 markets below it.
  const levels = Array.from({ length: 100 }, (_, i) => levelAtDefaults(engine, 40_000 + i, { trend: 0.6 }));
  expect(levels.filter((level) => level === 'holds up').length).toBeGreaterThanOrEqual(85);
  expect(levels).not.toContain('luck');
}, 120_000);
