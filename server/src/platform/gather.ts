import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from './db/scope.ts';

/**
 * Joins single calls into batches: calls that arrive while a batch runs are the next one, so that many at once are few transactions and a lone
 * one does not wait. Of a batch that fails each call is run again alone, so `run` has to be repeatable, and only the failing ones reject.
 * @param run results in the order of the items
 */
export function createGather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  itemsMax: number,
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item;
    settle: PromiseWithResolvers<Result>;
  }
  const waiting: Call[] = [];
  let isRunning = false;

  async function runBatch(batch: readonly Call[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [at, { settle }] of batch.entries()) settle.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length > 1) for (const call of batch) await runBatch([call]);
      else for (const { settle } of batch) settle.reject(error);
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    // Calls of the same turn are one batch.
    await nextTurn();
    while (waiting.length > 0) await runBatch(waiting.splice(0, itemsMax));
    isRunning = false;
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>();
    waiting.push({ item, settle });
    if (!isRunning) void runAll();
    return settle.promise;
  };
}

/** One value for each database, made at its first use. */
export function perDb<Value>(make: (db: Db) => Value): (db: Db) => Value {
  const made = new WeakMap<Db, Value>();
  return (db) => {
    const known = made.get(db);
    if (known !== undefined) return known;
    const value = make(db);
    made.set(db, value);
    return value;
  };
}
