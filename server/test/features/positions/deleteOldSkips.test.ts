import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteOldSkips } from '../../../src/features/positions/deleteOldSkips.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne } from './support/positions.ts';

let database: TestDatabase;
let anna: string;
beforeAll(async () => {
  database = await createTestDatabase();
  anna = await database.addUser();
});
afterAll(() => database.drop());

const count = async (from: string): Promise<number> =>
  (await database.asOwner<{ count: number }>(`select count(*)::int as count from ${from}`))[0]?.count ?? -1;

/** A run over a scan of `daysAgo` days ago: one result left, one skip, and one opened when `opened` is given. */
async function run(daysAgo: number, opened?: string): Promise<void> {
  const [scan, id] = [randomUUID(), randomUUID()];
  const at = `now() - interval '${daysAgo} days'`;
  await database.asOwner(`
    insert into scans (id, user_id, params, credit_ref, created_at) values ('${scan}', '${anna}', '{}', '${randomUUID()}', ${at});
    insert into away_scans (user_id, slot_at, scan_id, created_at) values ('${anna}', ${at}, '${scan}', ${at});
    insert into auto_runs (id, user_id, scan_id, created_at) values ('${id}', '${anna}', '${scan}', ${at});
    insert into auto_run_items (run_id, user_id, symbol, interval, outcome, message, created_at)
      values ('${id}', '${anna}', 'ETHUSDT', '1h', 'LOW_CONF', 'x', ${at});
    insert into position_events (user_id, run_id, kind, at, data, created_at)
      values ('${anna}', '${id}', 'skipped', ${at}, '{}', ${at})`);
  if (opened === undefined) return;
  await database.asOwner(`
    insert into auto_run_items (run_id, user_id, symbol, interval, outcome, message, position_id, created_at)
      values ('${id}', '${anna}', 'BTCUSDT', '1h', 'OPENED', 'x', '${opened}', ${at})`);
}

const deleteOld = () => withSystem(database.db, (tx) => deleteOldSkips(tx, 30));

it('deletes what was not opened after 30 days, and nothing of what was', async () => {
  const position = await openOne(database, newPosition(anna));
  for (const daysAgo of [1, 29, 31, 60]) await run(daysAgo);
  await run(45, position);
  // Events of the opening itself are of today; an old event that is no skip stays as well.
  await database.asOwner(
    `insert into position_events (user_id, position_id, kind, at, data, created_at)
      values ($1, $2, 'funding', now(), '{}', now() - interval '90 days')`,
    [anna, position],
  );
  const events = await count(`position_events where kind <> 'skipped'`);
  expect(await deleteOld()).toBe(3 + 3 + 2 + 3);
  expect(await count(`position_events where kind = 'skipped'`)).toBe(2);
  expect(await count(`position_events where kind <> 'skipped'`)).toBe(events);
  expect(await count(`auto_run_items where outcome = 'OPENED'`)).toBe(1);
  expect([await count('auto_run_items'), await count('auto_runs'), await count('away_scans')]).toEqual([3, 3, 2]);
  expect(await deleteOld()).toBe(0);
});

it('rejects deleting younger skips or any event of a position, even by the service', async () => {
  for (const kind of ['skipped', 'opened'] as const) {
    const deleting = withSystem(database.db, (tx) =>
      tx.deleteFrom('position_events').where('kind', '=', kind).execute(),
    );
    await expect(deleting, kind).rejects.toThrow(/append-only/);
  }
});

it('retains the newest slot of a user however old it is', async () => {
  await database.asOwner(`update away_scans set created_at = created_at - interval '90 days'`);
  await deleteOld();
  expect(await count('away_scans')).toBe(1);
});
