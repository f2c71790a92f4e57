import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createJobs } from '../../../src/platform/jobs/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const timeout = 30_000;

it.each([true, false])(
  'NODE-194 a node takes jobs only while it may work, when that was %s at its start',
  async (atStart) => {
    let mayWork = atStart;
    const jobs = createJobs({
      url: database.url,
      db: database.db,
      onError: () => undefined,
      mayWork: () => mayWork,
    });
    const done: string[] = [];
    await jobs.work('scan', {
      atOnce: 2,
      handle: (data) => Promise.resolve(void done.push((data as { scanId: string }).scanId)),
      setAside: () => Promise.resolve(),
    });
    const send = async (): Promise<string> => {
      const id = randomUUID();
      await withSystem(database.db, (tx) => jobs.send(tx, 'scan', id, { scanId: id }));
      return id;
    };
    const stateOf = async (id: string) =>
      (await database.asOwner<{ state: string }>(`select state::text from jobs.job where id = '${id}'`))[0]?.state;
    if (atStart) {
      const first = await send();
      await expect.poll(() => done, { timeout }).toEqual([first]);
      mayWork = false;
      // The workers of the queue stop within a second; until then they may take one more.
      await expect
        .poll(
          async () => {
            const id = await send();
            await delay(3000);
            return stateOf(id);
          },
          { timeout },
        )
        .toBe('created');
    } else {
      await send();
      // Longer than several polls of the queue.
      await delay(3000);
      expect(done).toEqual([]);
    }
    const count = done.length;
    mayWork = true;
    await expect.poll(() => done.length, { timeout }).toBeGreaterThan(count);
    const last = await send();
    await expect.poll(() => done, { timeout }).toContain(last);
    await jobs.stop();
  },
);

it('NODE-194 a node whose clock was judged after the queue was made takes no job', { timeout }, async () => {
  let mayWork = true;
  const jobs = createJobs({ url: database.url, db: database.db, onError: () => undefined, mayWork: () => mayWork });
  mayWork = false;
  const done: object[] = [];
  const id = randomUUID();
  await withSystem(database.db, (tx) => jobs.send(tx, 'scan', id, {}));
  await jobs.work('scan', {
    atOnce: 1,
    handle: (data) => Promise.resolve(void done.push(data as object)),
    setAside: () => Promise.resolve(),
  });
  await delay(3000);
  expect(done).toEqual([]);
  await jobs.stop();
});
