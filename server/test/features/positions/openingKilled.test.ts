import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { grant } from '../../../src/features/credits/ledger.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import type { OpenerOrder } from './support/openerChild.ts';
import { storeScan } from './support/scans.ts';

/** 3 kills in the usual run, 100 with OPENING_KILLS=100. */
const kills = Number(process.env['OPENING_KILLS'] ?? 3);
const symbols = ['AUSDT', 'BUSDT', 'CUSDT', 'DUSDT', 'EUSDT', 'FUSDT'];
/** Two of the six are not approved, and the account takes three at a time: three positions and three skips. */
const approved = 4;
const roomMax = 3;

let database: TestDatabase;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

async function spawnNode(order: OpenerOrder): Promise<ChildProcess> {
  const path = join(import.meta.dirname, 'support/openerChild.ts');
  const child = fork(path, { env: { ...process.env, OPEN_DATABASE_URL: database.serverUrl }, stdio: 'inherit' });
  children.push(child);
  await once(child, 'message');
  child.send(order);
  return child;
}

async function paidScan(): Promise<OpenerOrder['scans'][0]> {
  const userId = await database.addUser();
  await withSystem(database.db, (tx) => grant(tx, { userId, credits: 10, reason: 'purchase', key: `start:${userId}` }));
  await database.asOwner('update preferences set max_concurrent_positions = $2 where user_id = $1', [userId, roomMax]);
  const given = symbols.map((symbol, i) => ({ symbol, price: 100, isApproved: i < approved }));
  return { userId, scanId: await storeScan(database, userId, given) };
}

/** Must hold at every moment, also right after a process was killed. */
const broken = `
  select 'a position without its event, or with two' as what, p.id from positions p
    left join position_events e on e.position_id = p.id group by p.id
    having count(*) filter (where e.kind = 'opened') <> 1 or count(*) filter (where e.kind = 'fee' and p.closed_at is null) <> 1
  union all select 'a position missing from its run', p.id from positions p
    left join auto_run_items i on i.position_id = p.id where i.run_id is null
  union all select 'a run that opened for another user', p.id from positions p
    join auto_run_items i on i.position_id = p.id where i.user_id <> p.user_id or i.symbol <> p.symbol
  union all select 'a position without its notification, or with two', p.id from positions p
    left join notifications n on n.payload ->> 'position_id' = p.id::text group by p.id having count(n.*) <> 1
  union all select 'more than there is room for', user_id from positions where closed_at is null
    group by user_id having count(*) > ${roomMax}`;

it(
  `${kills} kills while scans are being opened: none without its event, none twice, none missed, no credit touched`,
  async () => {
    const random = seededRandom(20260106);
    const scans = await Promise.all(Array.from({ length: 4 + kills * 2 }, paidScan));
    const [before] = await database.asOwner('select count(*)::int as entries from credit_ledger');
    const counts: number[] = [];
    const positions = async () => (await database.asOwner('select from positions')).length;
    for (let killed = 0; killed < kills; killed++) {
      const from = Math.floor(random() * (scans.length - 4));
      const child = await spawnNode({ symbols, price: 100, scans: scans.slice(from, from + 4) });
      const done = once(child, 'message').then(() => true);
      // From the first opened position on, at a random moment of the rest.
      const was = await positions();
      let isDone = false;
      while (!isDone && (await positions()) === was) isDone = await Promise.race([done, pause(2).then(() => false)]);
      await pause(random() * 60);
      child.kill('SIGKILL');
      await once(child, 'exit');
      counts.push((await positions()) - was);
      expect(await database.asOwner(broken)).toEqual([]);
    }
    const last = await spawnNode({ symbols, price: 100, scans });
    expect(await once(last, 'message')).toEqual(['done', undefined]);
    expect(await database.asOwner(broken)).toEqual([]);
    const runs = await database.asOwner(
      `select count(*) filter (where outcome = 'OPENED')::int as opened, count(*) filter (where outcome = 'NO_MATCH')::int as skipped,
         count(*)::int as all from auto_run_items group by run_id`,
    );
    expect(runs).toEqual(scans.map(() => ({ opened: roomMax, skipped: 3, all: symbols.length })));
    expect(await positions()).toBe(scans.length * roomMax);
    const skips = await database.asOwner(`select from position_events where kind = 'skipped'`);
    expect(skips).toHaveLength(scans.length * 3);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
    expect(await findViolations(database.db)).toEqual([]);
    expect(await database.asOwner('select count(*)::int as entries from credit_ledger')).toEqual([before]);
    const cut = counts.filter((count) => count % roomMax !== 0).length;
    process.stdout.write(
      `kills ${kills}, ${cut} within a scan, positions ${scans.length * roomMax}, double 0, missed 0\n`,
    );
  },
  180_000 + kills * 8000,
);
