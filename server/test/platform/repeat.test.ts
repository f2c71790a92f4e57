import { expect, test } from 'vitest';
import { repeat } from '../../src/platform/repeat.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a failure is reported, and the next round still runs', async () => {
  const reported: unknown[] = [];
  const secondRound = Promise.withResolvers<undefined>();
  let rounds = 0;
  const stop = repeat(
    1,
    () => {
      rounds += 1;
      if (rounds === 2) secondRound.resolve(undefined);
      throw new Error(`round ${rounds}`);
    },
    (error) => reported.push(error),
  );
  await secondRound.promise;
  await nextTurn();
  stop();
  expect(reported.slice(0, 2)).toEqual([new Error('round 1'), new Error('round 2')]);
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

test('a round that fails after the end is not reported', async () => {
  const reported: unknown[] = [];
  const slow = Promise.withResolvers<undefined>();
  const stop = repeat(
    60_000,
    () => slow.promise,
    (error) => reported.push(error),
  );
  await nextTurn();
  stop();
  slow.reject(new Error('driver has already been destroyed'));
  await nextTurn();
  expect(reported).toEqual([]);
});
