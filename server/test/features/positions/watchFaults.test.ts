import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { openOne } from './support/positions.ts';
import { type Bar, expectTruth, randomPosition, symbols, walk, type Wanted } from './support/replay.ts';
import type { ChildMessage } from './support/watcherChild.ts';

/** K1 of the watch: 3 kills in the usual run, 100 with WATCH_KILLS=100. A fifth of them cut every connection of the database too. */
const kills = Number(process.env['WATCH_KILLS'] ?? 3);
const perSymbol = Math.max(12, Math.ceil(kills / 2));

let database: TestDatabase;
let module: WebAssembly.Module;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

async function spawnNode(bars: Record<string, Bar[]>): Promise<ChildProcess> {
  const path = join(import.meta.dirname, 'support/watcherChild.ts');
  const child = fork(path, { env: { ...process.env, WATCH_DATABASE_URL: database.serverUrl }, stdio: 'inherit' });
  children.push(child);
  child.on('error', () => undefined);
  await once(child, 'message');
  child.send({ kind: 'history', bars } satisfies ChildMessage);
  return child;
}

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = 'sextant_server'`;

it(
  `${kills} kills of the leader at random instants: no close twice, none missed, each as if nothing had happened`,
  async () => {
    const random = seededRandom(20260103);
    const minutes = 40 + kills * 4;
    const bars = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random, minutes)]));
    const known: Record<string, Bar[]> = Object.fromEntries(symbols.map((symbol) => [symbol, []]));
    const wanted: Wanted[] = [];
    for (const symbol of symbols) {
      for (let i = 0; i < perSymbol; i++) {
        const position = randomPosition(random, await database.addUser(), symbol, bars[symbol] ?? []);
        wanted.push({ position, id: await openOne(database, position) });
      }
    }
    const nodes = [await spawnNode(known), await spawnNode(known)];
    let killed = 0;
    for (let minute = 0; minute < minutes; minute++) {
      for (const symbol of symbols) {
        const bar = bars[symbol]?.[minute] as Bar;
        known[symbol]?.push(bar);
        for (const child of nodes) if (child.connected) child.send({ kind: 'bar', symbol, bar } satisfies ChildMessage);
      }
      await pause(40 + random() * 120);
      if (killed >= kills || random() > (1.3 * kills + 2) / (minutes - 20)) continue;
      killed += 1;
      // Now and then all connections to the database are cut, too.
      if (killed % 5 === 0) await database.asOwner(cutAll);
      const [leader] = await database.asOwner<{ pid: string }>(
        `select split_part(node, ' ', 2) as pid from leaderships`,
      );
      const index = nodes.findIndex(({ pid }) => String(pid) === leader?.pid);
      nodes[Math.max(0, index)]?.kill('SIGKILL');
      nodes[Math.max(0, index)] = await spawnNode(known);
    }
    expect(killed).toBeGreaterThanOrEqual(Math.min(kills, 3));
    const closed = await expectTruth(module, database.asOwner, { bars, wanted, minutes });
    process.stdout.write(`kills ${killed}, positions ${wanted.length}, closed ${closed}, double 0, missed 0\n`);
  },
  180_000 + kills * 8000,
);
