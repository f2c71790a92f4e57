import { fail } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { describe, expect, it } from 'vitest';
import { runInTurn } from '../../../src/features/market/engineRuns.ts';

const pool = (): EnginePool => ({
  threads: 1,
  run: () => Promise.resolve(fail('cancelled', 'not run in this test')),
  close: () => Promise.resolve(),
});

describe('runs of one user', () => {
  it('are limited to two at once on one pool, for all callers; another user is not delayed', async () => {
    const engine = pool();
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const start = (userId: string, name: string) =>
      runInTurn(engine, userId, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const runs = [start('anna', 'a1'), start('anna', 'a2'), start('anna', 'a3'), start('ben', 'b1')];
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends[0]?.();
    await runs[0];
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const end of ends) end();
    await Promise.all(runs);
  });

  it('are rejected when too many wait, and a run that throws releases its slot', async () => {
    const engine = pool();
    const broken = runInTurn(engine, 'anna', () => Promise.reject(new Error('trap')));
    await expect(broken).rejects.toThrow('trap');
    const ends: (() => void)[] = [];
    const runs = Array.from({ length: 10 }, () =>
      runInTurn(engine, 'anna', () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    const rejected = await runInTurn(engine, 'anna', () => Promise.resolve());
    expect(rejected).toMatchObject({ ok: false, error: { code: 'overloaded', retryAfterS: 2 } });
    for (let i = 0; i < 10; i++) {
      ends[i]?.();
      await runs[i];
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
