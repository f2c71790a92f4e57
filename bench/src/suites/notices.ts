import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { serverUrl } from '@sextant/db/src/roles.ts';
import { freePort } from '@sextant/server/launch/freePort.ts';
import { startThrowawayCluster } from '@sextant/server/launch/postgres/throwaway.ts';
import { createNatsBus } from '@sextant/server/src/platform/bus/natsBus.ts';
import type { Bus } from '@sextant/server/src/platform/bus/port.ts';
import { createPostgresBus } from '@sextant/server/src/platform/bus/postgresBus.ts';
import { sendNoticesOver } from '@sextant/server/src/platform/bus/publishIn.ts';
import { type Database, openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { withSystem } from '@sextant/server/src/platform/db/scope.ts';
import { eventNotices, eventPattern, notifyUser } from '@sextant/server/src/platform/events/notify.ts';
import { sql } from 'kysely';
import { type ResultLine, rounded } from '../results.ts';

const WRITERS = 24;
const ROUND_MS = 3000;
const ROUNDS = 5;
const READY_MS = 20_000;
const program = process.env['NATS_SERVER'] ?? 'nats-server';

/** A way to write: each commit changes the row of its writer, with or without a notice. */
interface Side {
  name: string;
  isNotified: boolean;
  /** Carries the notices instead of NOTIFY. */
  bus?: Bus;
}

const openWriters = (url: string): Database =>
  openDatabase({ url, connectionsMax: WRITERS, waitMsMax: READY_MS, onError: () => undefined });

/** Commits of all writers in a round, each second. Each round has its own connections: all sides together exceed the cluster's. */
async function writeFor({ isNotified, bus }: Side, url: string, users: readonly string[]): Promise<number> {
  const database = openWriters(url);
  if (bus !== undefined) sendNoticesOver(database.db, bus);
  const writeOnce = (userId: string): Promise<void> =>
    withSystem(database.db, async (tx) => {
      await sql`update balances set credits = credits + 1 where user_id = ${userId}`.execute(tx);
      if (isNotified) await notifyUser(tx, userId, 'credits');
    });
  try {
    // Opens the connections.
    await Promise.all(users.map(writeOnce));
    let commits = 0;
    const startMs = performance.now();
    const endMs = startMs + ROUND_MS;
    await Promise.all(
      users.map(async (userId) => {
        for (; performance.now() < endMs; commits += 1) await writeOnce(userId);
      }),
    );
    return (commits / (performance.now() - startMs)) * 1000;
  } finally {
    await database.close();
  }
}

async function startNats(): Promise<{ url: string; child: ChildProcess } | undefined> {
  if (spawnSync(program, ['-v']).status !== 0) return undefined;
  const port = await freePort();
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  return { url: `nats://127.0.0.1:${port}`, child };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A node that listens to all events, as each web node does; counts them. */
async function listenTo(bus: Bus): Promise<() => number> {
  let count = 0;
  bus.subscribe(eventPattern, { onMessage: () => (count += 1) });
  if (!(await bus.isReady(READY_MS))) throw new Error('the bus is not up');
  return () => count;
}

type Closers = (() => Promise<unknown>)[];

/** The side with its notices over NATS; undefined where its server is not installed. */
async function openOnNats(closers: Closers): Promise<Side | undefined> {
  const nats = await startNats();
  if (nats === undefined) return undefined;
  const bus = createNatsBus({ url: nats.url });
  closers.unshift(async () => {
    await bus.close();
    nats.child.kill();
  });
  await listenTo(bus);
  return { name: 'NATS', isNotified: true, bus };
}

/** Commits a second by side, in rounds. */
async function measureRounds(
  sides: readonly Side[],
  url: string,
  users: readonly string[],
): Promise<Map<string, number[]>> {
  const rates = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (const side of sides) await writeFor(side, url, users);
  for (let round = 0; round < ROUNDS; round++)
    // Another order each round, so that no side always follows the same one.
    for (let i = 0; i < sides.length; i++) {
      const side = sides[(i + round) % sides.length];
      if (side !== undefined) rates.get(side.name)?.push(await writeFor(side, url, users));
    }
  return rates;
}

const addUsers = ({ db }: Database): Promise<string[]> =>
  withSystem(db, async (tx) => {
    const values = Array.from({ length: WRITERS }, (_, i) => ({ name: 'Writer', email: `writer${i}@example.com` }));
    return (await tx.insertInto('users').values(values).returning('id').execute()).map(({ id }) => id);
  });

/** Commits of 24 writers without notices, with NOTIFY and with NATS, in turn in one run, on a cluster with the product's settings. */
export async function measureNotices(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const secret = 'only for this measurement';
  const cluster = await startThrowawayCluster('notices', undefined, false);
  const closers: Closers = [];
  const lines: ResultLine[] = [];
  const notes: string[] = [];
  const add = (name: string, figure: number, unit: string): void => {
    const line = { suite: 'notices', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  try {
    await migrateDatabase(cluster.ownerUrl, secret);
    const url = serverUrl(cluster.ownerUrl, secret);
    const plain = openDatabase({ url, connectionsMax: 1, waitMsMax: READY_MS, onError: () => undefined });
    closers.unshift(() => plain.close());
    const postgres = createPostgresBus({ newClient: plain.newClient, notices: eventNotices });
    closers.unshift(() => postgres.close());
    const receivedCount = await listenTo(postgres);
    const sides: Side[] = [
      { name: 'no notices', isNotified: false },
      { name: 'NOTIFY', isNotified: true },
    ];
    const onNats = await openOnNats(closers);
    if (onNats === undefined) notes.push('nats-server is not installed: not measured.');
    else sides.push(onNats);
    const rates = await measureRounds(sides, url, await addUsers(plain));
    const alone = rates.get('no notices') ?? [];
    for (const [name, values] of rates) {
      add(`${name}, commits`, median(values), '/s');
      if (values !== alone)
        add(`${name}, of those without`, median(values.map((rate, i) => rate / (alone[i] ?? Infinity))), 'ratio');
    }
    const seconds = ROUND_MS / 1000;
    notes.push(
      `${WRITERS} writers, ${ROUNDS} rounds of ${seconds} s a side in turn; ${receivedCount()} notices by NOTIFY.`,
    );
  } finally {
    for (const close of closers) await close();
    await cluster.stop();
  }
  return { lines, notes };
}
