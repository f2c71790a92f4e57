import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLeadership, type Term, untilAborted } from '../../../src/platform/jobs/leadership.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('NODE-013 NODE-202 a node whose clock is far from the database does not lead, until its clock is clearly right', async () => {
  let offMs = 600_000;
  const terms: Term[] = [];
  const leadership = createLeadership({
    name: 'clocks',
    node: 'here',
    newClient: () => database.newClient(45_000),
    lead: async (term) => {
      terms.push(term);
      await untilAborted(term.signal);
    },
    onError: () => undefined,
    now: () => Date.now() + offMs,
  });
  await leadership.attempted;
  expect(terms).toEqual([]);
  expect(await database.asOwner('select from leaderships where name = $1 and epoch > 0', ['clocks'])).toEqual([]);
  offMs = 0;
  await expect.poll(() => terms.length, { timeout: 60_000 }).toBe(1);
  offMs = -600_000;
  await expect.poll(() => terms[0]?.signal.aborted, { timeout: 60_000 }).toBe(true);
  // Within the bound that it left by: it claims every second, and never takes the lease.
  offMs = -25_000;
  await delay(3500);
  expect(terms.length).toBe(1);
  offMs = -15_000;
  await expect.poll(() => terms.length, { timeout: 60_000 }).toBe(2);
  await leadership.close();
});
