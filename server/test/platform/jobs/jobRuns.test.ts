import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { countSetAside, createJobRuns, deleteOldJobRuns } from '../../../src/platform/jobs/jobRuns.ts';
import { createJobs, NoRoom } from '../../../src/platform/jobs/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** A process that has just started: it knows only the database. */
const process1 = () => createJobRuns(database.db);

describe('a job that is taken again', () => {
  it('runs after one death of its process, and is set aside after the second', async () => {
    const id = randomUUID();
    expect(await process1().start(id, 'scan')).toBe('run');
    expect(await process1().start(id, 'scan')).toBe('run');
    expect(await process1().start(id, 'scan')).toBe('set_aside');
    expect(await process1().start(id, 'scan')).toBe('set_aside');
    expect(await countSetAside(database.db)).toBe(1);
    await database.asOwner(`update job_runs set set_aside_at = now() - interval '25 hours'`);
    expect(await countSetAside(database.db)).toBe(0);
  });

  it('runs however often its handler has thrown or met its deadline', async () => {
    const id = randomUUID();
    for (let time = 0; time < 5; time++) {
      const runs = process1();
      expect(await runs.start(id, 'scan')).toBe('run');
      await runs.end(id);
    }
    const runs = process1();
    // Stopped at its deadline and not back yet when the same process takes it again.
    for (let time = 0; time < 5; time++) expect(await runs.start(id, 'scan')).toBe('run');
  });

  it('counts a death across a run that ended normally', async () => {
    const id = randomUUID();
    await process1().start(id, 'scan');
    const second = process1();
    expect(await second.start(id, 'scan')).toBe('run');
    await second.end(id);
    expect(await process1().start(id, 'scan')).toBe('run');
    expect(await process1().start(id, 'scan')).toBe('set_aside');
  });

  it('NODE-208 is set aside alone: others that ran when the process died run on, one after the other', async () => {
    const [guilty, ...others] = Array.from({ length: 4 }, () => randomUUID());
    const first = process1();
    await Promise.all([guilty!, ...others].map((id) => first.start(id, 'notification')));
    // The process has died with four of them under way. The next one runs them one by one, the guilty one first.
    const second = process1();
    expect(await second.start(guilty!, 'notification')).toBe('run');
    const waiting = others.map((id) => second.start(id, 'notification'));
    expect(await Promise.race([...waiting, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).toBe('waits');
    // It dies again.
    const third = process1();
    expect(await third.start(guilty!, 'notification')).toBe('set_aside');
    for (const id of others) {
      expect(await third.start(id, 'notification')).toBe('run');
      await third.end(id);
    }
  });

  it('is deleted after 30 days', async () => {
    await database.asOwner(`update job_runs set started_at = now() - interval '31 days'`);
    await deleteOldJobRuns(database.db);
    expect(await database.asOwner('select job_id from job_runs')).toEqual([]);
  });
});

it('the queue does not run a job that was set aside, notifies its feature, and removes it from the queue', async () => {
  const id = randomUUID();
  await process1().start(id, 'scan');
  await process1().start(id, 'scan');
  const seen: string[] = [];
  const jobs = createJobs({ url: database.url, db: database.db, onError: () => undefined });
  await jobs.work('scan', {
    atOnce: 1,
    handle: () => Promise.resolve(void seen.push('handled')),
    setAside: (data) => Promise.resolve(void seen.push(`set aside ${JSON.stringify(data)}`)),
  });
  await withSystem(database.db, (tx) => jobs.send(tx, 'scan', id, { scanId: id }));
  const stateOf = () => database.asOwner<{ state: string }>(`select state::text from jobs.job where id = '${id}'`);
  await expect.poll(stateOf, { timeout: 20_000 }).toEqual([{ state: 'completed' }]);
  expect(seen).toEqual([`set aside ${JSON.stringify({ scanId: id })}`]);
  await jobs.stop();
});

it('the queue reports an attempt that threw, with its cause, and retries the job', async () => {
  const id = randomUUID();
  const thrown = new Error('the check of a table was broken');
  const reported: Error[] = [];
  const jobs = createJobs({ url: database.url, db: database.db, onError: (error) => void reported.push(error) });
  await jobs.work('scan', {
    atOnce: 1,
    handle: () => Promise.reject(thrown),
    setAside: () => Promise.resolve(),
  });
  await withSystem(database.db, (tx) => jobs.send(tx, 'scan', id, { scanId: id }));
  // The second report proves that the job was retried; how often by now depends on the machine.
  await expect.poll(() => reported.length, { timeout: 20_000 }).toBeGreaterThan(1);
  for (const { message, cause } of reported)
    expect({ message, cause }).toEqual({ message: `an attempt of job ${id} of the queue scan failed`, cause: thrown });
  await jobs.stop();
});

it('the queue reports a job whose feature could not be notified, and not one that found no capacity', async () => {
  const [dead, early] = [randomUUID(), randomUUID()];
  await process1().start(dead, 'scan');
  await process1().start(dead, 'scan');
  const thrown = new Error('the row of the scan is locked');
  const reported: unknown[] = [];
  const jobs = createJobs({ url: database.url, db: database.db, onError: ({ cause }) => void reported.push(cause) });
  await jobs.work('scan', {
    atOnce: 1,
    handle: () => Promise.reject(new NoRoom('all threads are taken')),
    setAside: () => Promise.reject(thrown),
  });
  const stateOf = async (id: string) =>
    (await database.asOwner<{ state: string }>(`select state::text from jobs.job where id = '${id}'`))[0]?.state;
  for (const id of [early, dead]) {
    await withSystem(database.db, (tx) => jobs.send(tx, 'scan', id, { scanId: id }));
    await expect.poll(() => stateOf(id), { timeout: 20_000 }).toMatch(/retry|failed/);
  }
  expect(reported.filter((each) => each !== thrown)).toEqual([]);
  expect(reported).toContain(thrown);
  await jobs.stop();
});
