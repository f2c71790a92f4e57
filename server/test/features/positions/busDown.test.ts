import { setTimeout as pause } from 'node:timers/promises';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { createNatsBus } from '../../../src/platform/bus/natsBus.ts';
import type { Bus } from '../../../src/platform/bus/port.ts';
import { createPostgresBus } from '../../../src/platform/bus/postgresBus.ts';
import { sendNoticesOver } from '../../../src/platform/bus/publishIn.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createEventHub, type EventHub } from '../../../src/platform/events/eventHub.ts';
import { eventNotices, notifyUser } from '../../../src/platform/events/notify.ts';
import { createNatsServer, noNats } from '../../platform/bus/natsServer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, noOrders, openOne, silentNews, stored, until } from './support/positions.ts';
import { ScriptedMarket, simulated } from './support/scriptedMarket.ts';

const start = 1_767_225_600_000;
/** Limit for a product that hangs. */
const timeout = 300_000;
/** Time that the bus stays down besides what the steps take. */
const downMs = process.env['STATISTICS'] === 'full' ? 60_000 : 0;

interface BusUnderTest {
  database: TestDatabase;
  bus: Bus;
  /** Ends every connection of the bus and prevents new ones until `restore`. */
  cut: () => Promise<void>;
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/** The connection that renews the lease of the watch is another one: a node without the database has no stops to execute. */
async function createOnPostgres(): Promise<BusUnderTest> {
  const database = await createTestDatabase();
  let isCut = false;
  const pids = new Set<number>();
  const newClient = () => {
    const client = database.newClient();
    if (isCut) client.port = 1;
    client.on('connect', () => pids.add((client as unknown as { processID: number }).processID));
    return client;
  };
  const bus = createPostgresBus({ newClient, notices: eventNotices, retryMs: { first: 20, most: 200 } });
  return {
    database,
    bus,
    async cut() {
      isCut = true;
      await database.asOwner('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [[...pids]]);
      await until('the bus is down', () => Promise.resolve(!bus.isUp()));
    },
    restore: () => Promise.resolve(void (isCut = false)),
    async close() {
      await bus.close();
      await database.drop();
    },
  };
}

async function createOnNats(): Promise<BusUnderTest> {
  const database = await createTestDatabase();
  const server = await createNatsServer();
  await server.start();
  const bus = createNatsBus({ url: server.url, retryMs: 50 });
  sendNoticesOver(database.db, bus);
  return {
    database,
    bus,
    async cut() {
      await server.kill();
      await until('the bus is down', () => Promise.resolve(!bus.isUp()));
    },
    restore: server.start,
    async close() {
      await bus.close();
      await server.kill();
      await database.drop();
    },
  };
}

const kinds = [
  { name: 'PostgreSQL', create: createOnPostgres, isSkipped: false },
  { name: 'NATS', create: createOnNats, isSkipped: noNats },
];

describe.each(kinds)('while the bus over $name is down', ({ create, isSkipped }) => {
  let under: BusUnderTest;
  let hub: EventHub;
  let stopWatch: () => Promise<void>;
  const market = new ScriptedMarket();
  beforeAll(async () => {
    if (isSkipped) return;
    under = await create();
    hub = createEventHub({ buses: [under.bus] });
    const { module } = await loadModule();
    ({ close: stopWatch } = startWatching({
      db: under.database.db,
      market,
      config: simulated,
      closeListeners: [],
      orders: noOrders,
      newClient: under.database.newClient,
      newEngine: () => instantiate(module),
      newsVotes: silentNews,
      warn: () => undefined,
      onError: () => undefined,
    }));
  });
  afterAll(async () => {
    if (isSkipped) return;
    await stopWatch();
    hub.close();
    await under.close();
  });

  it.skipIf(isSkipped)(
    'NODE-096 stops are executed, of positions opened meanwhile too; pages resync and nothing is lost',
    { timeout },
    async () => {
      const { database, bus } = under;
      const anna = await database.addUser();
      const page: string[] = [];
      const reading = hub.subscribe({ userId: anna, deliver: ({ topic }) => page.push(topic) }, undefined);
      expect(await hub.isListening(timeout)).toBe(true);
      const change = () => withSystem(database.db, (tx) => notifyUser(tx, anna, 'watchlist', {}));
      await change();
      await expect.poll(() => page, { timeout }).toContain('watchlist');
      const isWatched = (symbol: string) =>
        until(`${symbol} is watched`, () => Promise.resolve(market.watched.has(`${symbol} 1m`)), timeout);
      const isClosed = (id: string) =>
        until('it is closed', async () => (await stored(database, id)).closed_at !== null, timeout);
      const before = await openOne(database, newPosition(anna));
      await isWatched('BTCUSDT');

      await under.cut();
      // Stop 98, target 104: see newPosition.
      market.tick('BTCUSDT', 97.5, start + 61_000);
      await isClosed(before);
      const meanwhile = await openOne(database, newPosition(anna, { symbol: 'ETHUSDT' }));
      await isWatched('ETHUSDT');
      market.tick('ETHUSDT', 97, start + 62_000);
      await isClosed(meanwhile);
      await pause(downMs);
      expect(bus.isUp()).toBe(false);
      expect(page).not.toContain('resync');
      // 97.5 x 0.9998 and 97 x 0.9998, rounded down to the tick.
      expect(await stored(database, before)).toMatchObject({ close_reason: 'SL', close_price: '97.48' });
      expect(await stored(database, meanwhile)).toMatchObject({ close_reason: 'SL', close_price: '96.98' });

      await under.restore();
      await expect.poll(() => page, { timeout }).toContain('resync');
      const count = page.length;
      await change();
      await expect.poll(() => page.slice(count), { timeout }).toContain('watchlist');
      const [sums] = await database.asOwner<{ closed: number; closes: number }>(
        `select (select count(*)::int from positions where closed_at is not null) as closed,
          (select count(*)::int from position_events where kind = 'closed') as closes`,
      );
      expect(sums).toEqual({ closed: 2, closes: 2 });
      reading.end();
    },
  );
});
