import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import { createEnginePool, type PoolOptions } from '../../src/node/pool.ts';
import type { TaskProgress } from '../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { hangingEngine } from '../support/brokenEngines.ts';
import { randomBacktest } from '../support/randomRuns.ts';

let engine: CompiledEngine;
let hanging: CompiledEngine;
const pools: EnginePool[] = [];

beforeAll(async () => {
  engine = await testEngine();
  hanging = await hangingEngine();
}, engineTimeoutMs);

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function poolOf(options: Partial<PoolOptions> = {}): EnginePool {
  const pool = createEnginePool({ engine, threads: 1, queueMax: 8, deadlineMs: 30_000, ...options });
  pools.push(pool);
  return pool;
}

const input = randomBacktest(7, 0);
/** Long enough that a thread is in it when the next line of the test runs. */
const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the engine pool of the server', () => {
  it('gives the result of a plain call, columns included', async () => {
    const result = await poolOf().run('backtest', input);
    expect(result).toEqual(runTask(startEngine(engine), { name: 'backtest', input }));
    expect(result.ok && result.value.hashes.engine).toBe(engine.hash);
  });

  it('leaves the caller its own columns', async () => {
    await poolOf().run('backtest', input);
    expect(input.candles.close.length).toBe(300);
  });

  it('passes an error on as a value', async () => {
    const result = await poolOf().run('backtest', { ...input, scoredCount: 0 });
    expect(result).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'scoredCount' } });
  });

  it('reports the progress of each run separately', async () => {
    const pool = poolOf({ threads: 2 });
    const seen: TaskProgress[][] = [[], []];
    await Promise.all(
      seen.map((list) => pool.run('backtest', input, { onProgress: (progress) => list.push(progress) })),
    );
    const whole = [0, 1, 2].map((done) => ({ done, total: 2 }));
    expect(seen).toEqual([whole, whole]);
  });

  it('cancels a run that waits', async () => {
    const pool = poolOf({ engine: hanging });
    const first = new AbortController();
    const second = new AbortController();
    const running = pool.run('backtest', input, { signal: first.signal });
    const waiting = pool.run('backtest', input, { signal: second.signal });
    second.abort();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    first.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('rejects a run whose signal is already aborted', async () => {
    const result = await poolOf().run('backtest', input, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('ends an endless loop inside WASM when it is cancelled', async () => {
    const pool = poolOf({ engine: hanging });
    const cancel = new AbortController();
    const running = pool.run('backtest', input, { signal: cancel.signal });
    await settle(300);
    cancel.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('ends an endless loop inside WASM at the deadline', async () => {
    const pool = poolOf({ engine: hanging });
    const result = await pool.run('backtest', input, { deadlineMs: 200 });
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
  });

  it('uses its own deadline when the run brings none', async () => {
    const result = await poolOf({ engine: hanging, deadlineMs: 200 }).run('backtest', input);
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
  });

  it('works on after a thread was ended', async () => {
    const pool = poolOf();
    const cancel = new AbortController();
    const running = pool.run('backtest', input, { signal: cancel.signal });
    cancel.abort();
    await running;
    expect((await pool.run('backtest', input)).ok).toBe(true);
  });

  it('keeps the neighbours of an ended run', async () => {
    const pool = poolOf({ threads: 2 });
    const cancel = new AbortController();
    const doomed = pool.run('backtest', input, { signal: cancel.signal });
    const others = [1, 2, 3].map((index) => pool.run('backtest', randomBacktest(7, index)));
    cancel.abort();
    await doomed;
    expect((await Promise.all(others)).map((result) => result.ok)).toEqual([true, true, true]);
  });

  it('rejects what exceeds threads and queue, although every run carries a signal, and takes runs again afterwards', async () => {
    const pool = poolOf({ engine: hanging, threads: 1, queueMax: 2 });
    const cancel = new AbortController();
    const runs = Array.from({ length: 10 }, () => pool.run('backtest', input, { signal: cancel.signal }));
    const rejected = await Promise.all(runs.slice(3));
    expect(rejected.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(Array(7).fill('overloaded'));
    cancel.abort();
    await Promise.all(runs);
    const later = await pool.run('backtest', input, { deadlineMs: 100 });
    expect(later).toMatchObject({ error: { code: 'deadline_exceeded' } });
  });

  it('turns a heap that is too small into out_of_memory and recovers', async () => {
    const pool = poolOf({ heapMbMax: 24 });
    const count = 120_000;
    const big = randomBacktest(7, 0, count);
    // A stop and a target that are met in nearly every candle: some 60,000 trade records on a heap of 24 MB.
    big.params = { ...big.params, entryThreshold: 0.001, stopLossFraction: 0.0001, takeProfitFraction: 0.0001 };
    big.params.trailing.enabled = false;
    big.costs = { ...big.costs, initialEquity: 1e9, leverage: 1, minNotional: 0, stepSize: 0, tickSize: 0 };
    delete big.costs.tiers;
    const result = await pool.run('backtest', { ...big, scoredCount: count });
    expect(result).toMatchObject({ ok: false, error: { code: 'out_of_memory' } });
    expect((await pool.run('backtest', input)).ok).toBe(true);
  });

  it('settles what is under way when it is closed', async () => {
    const pool = poolOf({ engine: hanging });
    const running = pool.run('backtest', input);
    await settle(100);
    await pool.close();
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await pool.run('backtest', input)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});
