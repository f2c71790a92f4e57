import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import { createEnginePool } from '../../src/node/pool.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest } from '../support/randomRuns.ts';

const seed = 42;
/** 1,000 in `npm run test:statistics`. */
const runs = process.env.STATISTICS === 'full' ? 1000 : 300;

let engine: CompiledEngine;
let pool: EnginePool;
beforeAll(async () => {
  engine = await testEngine();
  pool = createEnginePool({ engine, threads: 2, queueMax: runs, deadlineMs: 120_000 });
}, engineTimeoutMs);
afterAll(() => pool.close());

/** What must agree to the bit: the hashes cover every input and every output. An error is compared with its message. */
function mark(result: TaskResult<BacktestResult>): string {
  return result.ok ? JSON.stringify(result.value.hashes) : JSON.stringify(result.error);
}

it(`gives the same bits in two threads at once as in one, over ${runs} random inputs (seed ${seed})`, async () => {
  const indexes = Array.from({ length: runs }, (_, index) => index);
  const inThreads = await Promise.all(indexes.map((index) => pool.run('backtest', randomBacktest(seed, index))));
  const one = startEngine(engine);
  const inOne = indexes.map((index) => runTask(one, { name: 'backtest', input: randomBacktest(seed, index) }));
  expect(inThreads.map(mark)).toEqual((inOne as TaskResult<BacktestResult>[]).map(mark));
  const traded = inThreads.filter((result) => result.ok && result.value.trades.length > 0).length;
  expect(traded, 'runs that traded').toBeGreaterThan(runs / 2);
  expect(new Set(inThreads.map(mark)).size, 'different results').toBeGreaterThan(runs / 2);
});
