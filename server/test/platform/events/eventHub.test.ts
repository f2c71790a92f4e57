import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { eventChannel, notifyEveryone, notifyUser, parseNotice } from '../../../src/platform/events/notify.ts';
import { createOwnHub } from '../../support/createOwnHub.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
let anna: string;
let bert: string;
let hub: ReturnType<typeof createOwnHub>;
let errors: Error[];
beforeAll(async () => {
  database = await createTestDatabase();
  anna = await database.addUser();
  bert = await database.addUser();
});
afterAll(() => database.drop());
beforeEach(async () => {
  errors = [];
  hub = createOwnHub(database.newClient, {
    onError: (error) => errors.push(error),
    retryMs: { first: 20, most: 200 },
  });
  expect(await hub.isListening(5000)).toBe(true);
});
afterEach(() => hub.close());

const change = (userId: string, n: number) =>
  withUser(database.db, userId, (tx) => notifyUser(tx, userId, 'credits', { n }));
function receivedBy(userId: string, sinceId?: string) {
  const received: string[] = [];
  const name = (event: { topic: string; data: object }) => `${event.topic} ${JSON.stringify(event.data)}`;
  const subscription = hub.subscribe({ userId, deliver: (event) => received.push(name(event)) }, sinceId);
  return { received, missed: subscription.missed?.map(name), subscription };
}
const cutListeners = () =>
  database.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'sextant events'`,
  );

describe('events', () => {
  it('reach only the pages of their user, in the order of the commits', async () => {
    const { received } = receivedBy(anna);
    const other = receivedBy(bert);
    for (let n = 1; n <= 20; n++) await change(n % 4 === 0 ? bert : anna, n);
    await expect.poll(() => received.length + other.received.length).toBe(20);
    expect(received).toEqual([1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19].map((n) => `credits {"n":${n}}`));
    expect(other.received).toEqual([4, 8, 12, 16, 20].map((n) => `credits {"n":${n}}`));
  });

  it('for all users reach every page', async () => {
    const [a, b] = [receivedBy(anna), receivedBy(bert)];
    await withSystem(database.db, (tx) => notifyEveryone(tx, 'credits'));
    await expect.poll(() => [a.received, b.received]).toEqual([['credits {}'], ['credits {}']]);
  });

  it('after a position are those published since, and there is no position while the database is not connected', async () => {
    const late = createOwnHub(database.newClient);
    expect(late.position()).toBeUndefined();
    expect(await late.isListening(5000)).toBe(true);
    expect(late.position()).toMatch(/^[0-9a-f]{12}-0$/);
    await late.close();
    expect(late.position()).toBeUndefined();

    const { received } = receivedBy(anna);
    await change(anna, 1);
    await expect.poll(() => received.length).toBe(1);
    const since = hub.position();
    await change(anna, 2);
    await expect.poll(() => received.length).toBe(2);
    expect(receivedBy(anna, since).missed).toEqual(['credits {"n":2}']);
  });

  it('of a transaction that rolls back reach no page', async () => {
    const { received } = receivedBy(anna);
    const failing = withUser(database.db, anna, async (tx) => {
      await notifyUser(tx, anna, 'credits', { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await change(anna, 2);
    await expect.poll(() => received).toEqual(['credits {"n":2}']);
  });

  it('are all delivered once to a page that was disconnected', async () => {
    const before = receivedBy(anna);
    await change(anna, 1);
    await expect.poll(() => before.received.length).toBe(1);
    const { lastId } = before.subscription;
    before.subscription.end();
    await change(anna, 2);
    await change(bert, 3);
    await expect.poll(() => receivedBy(anna, lastId).missed).toEqual(['credits {"n":1}', 'credits {"n":2}']);
  });

  it('that were missed because the database cut the connection end in a resync for all', async () => {
    const [a, b] = [receivedBy(anna), receivedBy(bert)];
    const away = a.subscription.lastId;
    await cutListeners();
    await expect.poll(() => [a.received, b.received]).toEqual([['resync {}'], ['resync {}']]);
    expect(errors).not.toEqual([]);
    await change(anna, 7);
    await expect.poll(() => a.received).toEqual(['resync {}', 'credits {"n":7}']);
    // Also for a page that was disconnected at that time.
    expect(receivedBy(bert, away).missed).toEqual(['resync {}']);
  });

  it('survive repeated cuts of the connection', async () => {
    const { received } = receivedBy(anna);
    for (let round = 1; round <= 3; round++) {
      await cutListeners();
      await expect.poll(() => received.filter((name) => name === 'resync {}').length).toBe(round);
    }
    await change(anna, 1);
    await expect.poll(() => received.at(-1)).toBe('credits {"n":1}');
  });

  it('are not listened for after the hub was closed', async () => {
    await hub.close();
    await pause(50);
    const listeners = await database.asOwner<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'sextant events'`,
    );
    expect(listeners).toEqual([]);
  });
});

describe('a database that is unreachable', () => {
  it('leaves the hub not listening, and is retried', async () => {
    let tries = 0;
    const newClient = () => {
      tries += 1;
      const client = database.newClient();
      client.port = 1;
      return client;
    };
    const deaf = createOwnHub(newClient, { retryMs: { first: 1, most: 5 } });
    expect(await deaf.isListening(100)).toBe(false);
    expect(deaf.position()).toBeUndefined();
    await expect.poll(() => tries).toBeGreaterThan(2);
    await deaf.close();
  });
});

describe('a notice', () => {
  it('that exceeds the payload limit is rejected before it ends the transaction', async () => {
    const long = withUser(database.db, anna, (tx) => notifyUser(tx, anna, 'credits', { text: 'x'.repeat(8000) }));
    await expect(long).rejects.toThrow('carries too much data');
  });

  it.each([
    ['not json', 'credits'],
    ['without an owner', '{"t":"credits"}'],
    ['of an unknown topic', '{"u":null,"t":"drop"}'],
    ['that is null', 'null'],
  ])('%s is ignored', (_what, text) => {
    expect(parseNotice(text)).toBeUndefined();
  });

  it('from another program on the channel does no harm', async () => {
    const { received } = receivedBy(anna);
    await database.asOwner('select pg_notify($1, $2)', [eventChannel, '}{']);
    await change(anna, 1);
    await expect.poll(() => received).toEqual(['credits {"n":1}']);
  });
});
