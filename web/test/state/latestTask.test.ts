import { describe, expect, it } from 'vitest';
import { createLatestTask } from '../../src/state/latestTask.ts';
import { runUserResets } from '../../src/state/userReset.ts';

/** Work that ends when the test says so. */
function heldWork() {
  let resolve!: (value: string) => void;
  let reject!: (failure: unknown) => void;
  const ended = new Promise<string>((onValue, onFailure) => {
    resolve = onValue;
    reject = onFailure;
  });
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return ended;
  };
  return { work, signals, resolve, reject };
}

describe('the latest task', () => {
  it('aborts the former and keeps the result of the newest, whichever ends first', async () => {
    const task = createLatestTask();
    const done: string[] = [];
    const [first, second] = [heldWork(), heldWork()];
    const onDone = (value: string) => void done.push(value);
    const isFirstStored = task.run({ work: first.work, onDone });
    const isSecondStored = task.run({ work: second.work, onDone });
    expect([first.signals[0]?.aborted, second.signals[0]?.aborted]).toEqual([true, false]);
    second.resolve('second');
    first.resolve('first');
    expect([await isFirstStored, await isSecondStored]).toEqual([false, true]);
    expect(done).toEqual(['second']);
  });

  it.each([
    ['a cancel', (task: ReturnType<typeof createLatestTask>) => task.cancel()],
    ['another user', () => runUserResets()],
  ])('drops result and failure after %s', async (_name, end) => {
    const task = createLatestTask();
    const seen: unknown[] = [];
    const keep = (what: unknown) => void seen.push(what);
    for (const finish of ['resolve', 'reject'] as const) {
      const held = heldWork();
      const isStored = task.run({ work: held.work, onDone: keep, onFailed: keep });
      end(task);
      held[finish]('late');
      expect(await isStored).toBe(false);
    }
    expect(seen).toEqual([]);
  });

  it('reports the failure of the newest, or rejects with it', async () => {
    const task = createLatestTask();
    const failures: unknown[] = [];
    const work = () => Promise.reject(new Error('no'));
    const onFailed = (failure: unknown) => void failures.push(failure);
    expect(await task.run({ work, onDone: () => undefined, onFailed })).toBe(true);
    expect(failures).toEqual([new Error('no')]);
    await expect(task.run({ work, onDone: () => undefined })).rejects.toThrow('no');
  });

  it('never starts a delayed task that was superseded meanwhile', async () => {
    const task = createLatestTask();
    const started: string[] = [];
    const work = (name: string) => () => {
      started.push(name);
      return Promise.resolve(name);
    };
    const first = task.run({ work: work('first'), onDone: () => undefined, delayMs: 1 });
    const second = task.run({ work: work('second'), onDone: () => undefined, delayMs: 1 });
    expect([await first, await second]).toEqual([false, true]);
    expect(started).toEqual(['second']);
  });
});
