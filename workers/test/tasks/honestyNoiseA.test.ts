import { beforeAll, expect, it } from 'vitest';
import { startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { levelAtDefaults } from '../support/productPanel.ts';

// Two hundred noise markets in two files, so that two cores share them.

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

it('at the product defaults the best of 50 on noise reads luck in at least 95 of 100 markets, never as skill', () => {
  const levels = Array.from({ length: 100 }, (_, i) => levelAtDefaults(engine, 30_000 + i));
  expect(levels.filter((level) => level === 'luck').length).toBeGreaterThanOrEqual(95);
  expect(levels).not.toContain('holds up');
}, 120_000);
