import { expect, test } from 'vitest';
import { repeat } from '../../src/platform/repeat.ts';

const ended = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work that fails is told, and its next round comes all the same', async () => {
  const told: unknown[] = [];
  const secondRound = Promise.withResolvers<undefined>();
  let rounds = 0;
  const stop = repeat(
    1,
    () => {
      rounds += 1;
      if (rounds === 2) secondRound.resolve(undefined);
      throw new Error(`round ${rounds}`);
    },
    (error) => told.push(error),
  );
  await secondRound.promise;
  await ended();
  stop();
  expect(told.slice(0, 2)).toEqual([new Error('round 1'), new Error('round 2')]);
});

test('a slow round is not overtaken', async () => {
  const slow = Promise.withResolvers<undefined>();
  let rounds = 0;
  const stop = repeat(
    1,
    () => {
      rounds += 1;
      return slow.promise;
    },
    () => undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(rounds).toBe(1);
  stop();
});

test('a round that fails after the end is not told: what it works with is closed by then', async () => {
  const told: unknown[] = [];
  const slow = Promise.withResolvers<undefined>();
  const stop = repeat(
    60_000,
    () => slow.promise,
    (error) => told.push(error),
  );
  await ended();
  stop();
  slow.reject(new Error('driver has already been destroyed'));
  await ended();
  expect(told).toEqual([]);
});
