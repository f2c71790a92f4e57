import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { insertPosition } from '../../../src/features/positions/eventWriter.ts';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { type Cluster, startCluster } from '../../../launch/postgres/cluster.ts';
import { isAlive } from '../../../launch/postgres/postmaster.ts';
import { makeMemoryFolder } from '../../support/memoryFolder.ts';
import { type Bar, expectTruth, randomPosition, symbols, walk, type Wanted } from './support/replay.ts';
import { ScriptedMarket, simulated } from './support/scriptedMarket.ts';
import { noOrders, silentNews, until } from './support/positions.ts';

/** K3 of the watch: the database is killed at once and started again, 1 time in the usual run, 5 with WATCH_RESTARTS=5. */
const restarts = Number(process.env['WATCH_RESTARTS'] ?? 1);
const minutes = 40 + restarts * 15;

let folder: string;
let cluster: Cluster;
let database: Database;
const start = (port?: number) =>
  startCluster({ home: join(folder, 'postgres'), password: 'a password of this test', database: 'sextant', port });

beforeAll(async () => {
  folder = await makeMemoryFolder('watch');
  cluster = await start();
  const { serverUrl } = await migrateDatabase(cluster.ownerUrl, 'a secret of this test');
  database = openDatabase({ url: serverUrl, connectionsMax: 4, onError: () => undefined });
}, 120_000);
afterAll(async () => {
  await database.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function asOwner<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: cluster.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}

it(
  `${restarts} immediate restarts of the database: no close twice, none missed`,
  async () => {
    const { module } = await loadModule();
    const random = seededRandom(20260105);
    const bars: Record<string, Bar[]> = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random, minutes)]));
    const wanted: Wanted[] = [];
    for (const symbol of symbols) {
      for (let i = 0; i < 15; i++) {
        const [user] = await asOwner<{ id: string }>(
          `insert into users (name, email) values ('x', gen_random_uuid() || '@example.com') returning id`,
        );
        const position = randomPosition(random, user?.id ?? '', symbol, bars[symbol] ?? []);
        wanted.push({ position, id: await withSystem(database.db, (tx) => insertPosition(tx, position)) });
      }
    }
    const market = new ScriptedMarket();
    const watching = startWatching({
      db: database.db,
      market,
      config: simulated,
      closeListeners: [],
      orders: noOrders,
      newClient: database.newClient,
      newEngine: () => instantiate(module),
      newsVotes: silentNews,
      warn: () => undefined,
      onError: () => undefined,
    });
    for (let minute = 0; minute < minutes; minute++) {
      for (const symbol of symbols) market.candle(symbol, bars[symbol]?.[minute] as Bar);
      await pause(80);
      if (minute % 15 !== 14 || minute / 15 >= restarts) continue;
      // SIGQUIT: stops without a clean shutdown, and recovers from its log.
      process.kill(cluster.pid, 'SIGQUIT');
      const { pid } = cluster;
      await until('the database has ended', () => Promise.resolve(!isAlive(pid)));
      cluster = await start(cluster.port);
    }
    const closed = await expectTruth(module, asOwner, { bars, wanted, minutes });
    await watching.close();
    process.stdout.write(`restarts ${restarts}, positions ${wanted.length}, closed ${closed}, double 0, missed 0\n`);
    expect(closed).toBeGreaterThan(0);
  },
  120_000 + restarts * 20_000,
);
