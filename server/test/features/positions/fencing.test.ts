import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeSteps } from '../../../src/features/positions/eventWriter.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { assertLeader, createLeadership, untilAborted } from '../../../src/platform/jobs/leadership.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, stored, until, noOrders, silentNews } from './support/positions.ts';
import { ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let wire: HalfOpenWire;
const start = 1_767_225_600_000;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
  wire = await halfOpenWire(Number(new URL(database.serverUrl).port));
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  await wire.close();
  await database.drop();
});

interface HalfOpenWire {
  port: number;
  /** From now on nothing arrives from the database. */
  swallow: () => unknown;
  close: () => Promise<void>;
}

/** A network that can swallow packets: the database side of a connection dies and the other side is not notified. */
async function halfOpenWire(databasePort: number): Promise<HalfOpenWire> {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  // Half open: otherwise Node would end its side when the near side ends.
  const server: Server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(databasePort, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => isSwallowing || near.write(data));
    near.on('end', () => far.end());
    near.on('close', () => far.destroy());
    far.on('close', () => isSwallowing || near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => (isSwallowing = true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function watch(market: ScriptedMarket, newClient: () => pg.Client, errors: unknown[] = []): void {
  stops.push(
    startWatching({
      db: database.db,
      market,
      config: simulated,
      closeListeners: [],
      orders: noOrders,
      newClient,
      newEngine: () => instantiate(module),
      newsVotes: silentNews,
      warn: () => undefined,
      onError: (error) => void errors.push(error),
    }).close,
  );
}

/**
 * On a slow machine a takeover may take longer than the lease that a swallowed connection cannot renew: then the old leader would notice by
 * its own clock instead of by its write. Within `work` that timer takes ten minutes.
 */
async function withLongLeases(work: () => Promise<void>): Promise<void> {
  const { setTimeout: real } = globalThis;
  const later = (...[call, ms, ...rest]: Parameters<typeof real>) => real(call, ms === 6000 ? 600_000 : ms, ...rest);
  globalThis.setTimeout = Object.assign(later, real);
  try {
    await work();
  } finally {
    globalThis.setTimeout = real;
  }
}

const leaders = () => database.asOwner<{ epoch: string }>('select epoch from leaderships');

it('of two nodes that both believe they lead, only the one that took over last writes', () =>
  withLongLeases(async () => {
    const id = await openOne(database, newPosition(await database.addUser()));
    const [old, young] = [new ScriptedMarket(), new ScriptedMarket()];
    const through = new URL(database.serverUrl);
    through.port = String(wire.port);
    const errors: unknown[] = [];
    watch(old, () => new pg.Client({ connectionString: through.href, connectionTimeoutMillis: 3000 }), errors);
    await until('the first watches', () => Promise.resolve(old.watched.has('BTCUSDT 1m')));
    // Before the second one starts: a busy machine may renew the lease too late, and the old leader must not receive that.
    wire.swallow();
    watch(young, database.newClient);
    // The lock is released with the database side of the connection; the holder is not notified.
    await database.asOwner(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and a.datname = current_database()`,
    );
    await until('the second watches', () => Promise.resolve(young.watched.has('BTCUSDT 1m')));
    expect(old.watched.has('BTCUSDT 1m')).toBe(true);
    const [before] = await leaders();
    // The old leader sees a stop that the new one has not seen: its close must not be stored.
    old.tick('BTCUSDT', 97, start + 61_000);
    await until('the old one knows', () => Promise.resolve(errors.length > 0));
    expect(errors.map(String)).toEqual([expect.stringContaining('Deposed: epoch')]);
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee']);
    young.tick('BTCUSDT', 104.5, start + 62_000);
    await until('it is closed', async () => (await stored(database, id)).closed_at !== null);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'TP', close_price: '104.5' });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
    expect(await leaders()).toEqual([before]);
  }));

it('writes of one leader run one after the other: the same rows in another order never deadlock', async () => {
  const user = await database.addUser();
  const ids = [
    await openOne(database, newPosition(user, { symbol: 'AUSDT' })),
    await openOne(database, newPosition(user, { symbol: 'BUSDT' })),
  ];
  await database.asOwner(
    `insert into leaderships (name, epoch, node, expires_at) values ('two_writes', 1, 'this', now() + interval '1 minute')`,
  );
  const write = (order: readonly string[]) =>
    withSystem(database.db, async (tx) => {
      await assertLeader(tx, 'two_writes', 1);
      for (const id of order) {
        await writeSteps(tx, [{ kind: 'peak', id, atMs: start, peak: 101 }]);
        await pause(150);
      }
    });
  const done = await Promise.allSettled([write(ids), write(ids.toReversed())]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

it('a leader that hangs in the middle of a write holds the lease no longer than its term', async () => {
  const woken = Promise.withResolvers<undefined>();
  const hang = async (): Promise<{ ended: Promise<string> } | undefined> => {
    const [held] = await database.asOwner<{ epoch: string }>(
      `insert into leaderships (name, epoch, node, expires_at)
       values ('positions', 1, 'the hanging one', clock_timestamp() + interval '6 seconds')
       on conflict (name) do update set epoch = leaderships.epoch + 1, node = excluded.node, expires_at = excluded.expires_at
       returning epoch`,
    );
    const started = Promise.withResolvers<boolean>();
    const write = withSystem(database.db, async (tx) => {
      await assertLeader(tx, 'positions', Number(held?.epoch));
      started.resolve(true);
      await woken.promise;
      await sql`update leaderships set node = 'the old one' where name = 'positions'`.execute(tx);
    });
    const ended = write.then(
      () => 'written',
      (error: unknown) => String(error),
    );
    return (await Promise.race([started.promise, ended.then(() => false)])) ? { ended } : undefined;
  };
  // A busy machine may start the write after the lease: that is another case, so it is repeated.
  let hanging = await hang();
  while (hanging === undefined) hanging = await hang();
  const market = new ScriptedMarket();
  await openOne(database, newPosition(await database.addUser()));
  watch(market, database.newClient);
  await until('another one watches', () => Promise.resolve(market.watched.has('BTCUSDT 1m')), 60_000);
  woken.resolve(undefined);
  expect(await hanging.ended).toContain('The database is unavailable');
  expect(await database.asOwner(`select from leaderships where node = 'the old one'`)).toEqual([]);
});

it('leads again when the database has ended a term without reporting it', async () => {
  const deaf = await halfOpenWire(Number(new URL(database.serverUrl).port));
  const through = new URL(database.serverUrl);
  through.port = String(deaf.port);
  const wires = [through.href, database.serverUrl];
  let terms = 0;
  const leadership = createLeadership({
    name: 'silent_end',
    node: 'n1',
    newClient: () => new pg.Client({ connectionString: wires.shift() ?? database.serverUrl }),
    lead: async ({ signal }) => {
      terms += 1;
      if (terms === 2) return untilAborted(signal);
      deaf.swallow();
      throw new Error('the first term has failed');
    },
    onError: () => undefined,
  });
  await expect.poll(() => terms, { timeout: 30_000 }).toBe(2);
  await leadership.close();
  await deaf.close();
});
