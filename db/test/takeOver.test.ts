import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { testSecret as secret } from '../../server/test/support/globalDatabase.ts';
import { baseline } from '../src/baseline.ts';
import { hashCatalogue, readCatalogue } from '../src/catalogue.ts';
import { migrateDatabase } from '../src/migrate.ts';
import { listMigrations, migrationsFolder } from '../src/migrationFiles.ts';
import { serverUrl } from '../src/roles.ts';
import { checkDatabase, readSchemaState } from '../src/schemaState.ts';
import { migrateAsBefore, readReplaced } from './support/replacedDatabase.ts';
import { rowOf } from './support/userRows.ts';

/** Owns its databases and is no superuser, as on a managed PostgreSQL: forced row-level security applies to it. */
const tenant = `tenant_${process.pid}`;
const earlier = `earlier_${process.pid}`;
const fresh = `fresh_${process.pid}`;
const made: string[] = [];
let folders: Record<'baseline' | 'replaced', string>;
let admin: pg.Client;

const urlOf = (database: string, user?: string): string => {
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${database}`;
  if (user !== undefined) [url.username, url.password] = [user, 'only for this test'];
  return url.href;
};
const migrate = (database: string) => migrateDatabase(urlOf(database, tenant), secret, { folder: folders.baseline });

/** Runs `work` with a superuser's connection. */
async function within<Result>(database: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function create(name: string, template = 'template0'): Promise<string> {
  await admin.query(`create database ${name} owner ${tenant} template ${template} strategy file_copy`);
  made.push(name);
  return name;
}
const copy = () => create(`taken_${process.pid}_${made.length}`, earlier);

const names = (database: string): Promise<string[]> =>
  within(database, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from migrations.kysely_migration order by name');
    return rows.map(({ name }) => name);
  });

/** The columns of votes are there: the last step was not taken. */
const hasVoteColumns = (database: string): Promise<boolean> =>
  within(database, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_attribute where attrelid = 'signal_tuning'::regclass and attname = 'adx' and not attisdropped`,
    );
    return rowCount === 1;
  });

/** Every row of every table as JSON, without the one table that changes. */
const readRows = (client: pg.Client): Promise<Record<string, unknown>> =>
  client
    .query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and relname <> 'signal_tuning' order by 1`,
    )
    .then(async ({ rows }) => {
      const all: Record<string, unknown> = {};
      for (const { name } of rows)
        all[name] = (await client.query(`select to_jsonb(t) as row from ${name} t order by to_jsonb(t)::text`)).rows;
      return all;
    });

const users = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'] as const;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`create role ${tenant} login createrole password 'only for this test'`);
  const [baselineFolder, replacedFolder] = await Promise.all(
    ['baseline', 'replaced'].map((name) => mkdtemp(join(tmpdir(), `sextant-${name}-`))),
  );
  folders = { baseline: baselineFolder!, replaced: replacedFolder! };
  for (const name of baseline.names)
    await copyFile(join(migrationsFolder, `${name}.sql`), join(folders.baseline, `${name}.sql`));
  for (const [name, text] of Object.entries(await readReplaced()))
    await writeFile(join(folders.replaced, `${name}.sql`), text);
  await create(fresh);
  await migrate(fresh);
  await create(earlier);
  await migrateAsBefore(urlOf(earlier, tenant));
  await within(earlier, async (client) => {
    for (const id of users) {
      await client.query('insert into users (id, name, email) values ($1, $2, $3)', [id, 'Test', `${id}@example.com`]);
      for (const row of Object.values(rowOf)) await client.query(row(id));
    }
    await client.query('update signal_tuning set adx = 0.5, vwap = 1.3, news = 1.5 where user_id = $1', [users[0]]);
  });
  // A database with a session cannot be copied, and a session ends a moment after its client.
  await vi.waitFor(
    async () => {
      const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [earlier]);
      expect(rowCount).toBe(0);
    },
    { timeout: 60_000 },
  );
}, 180_000);
afterAll(async () => {
  for (const name of made) await admin.query(`drop database ${name} with (force)`);
  await admin.query(`drop role ${tenant}`);
  await admin.end();
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true });
});

describe('the baseline', () => {
  it('lists the files that it replaces and those that replace them', async () => {
    expect(Object.keys(await readReplaced()).sort()).toEqual(baseline.replaced);
    expect(await listMigrations()).toEqual(expect.arrayContaining(baseline.names));
    expect(baseline.names.filter((name) => baseline.replaced.includes(name))).toEqual([]);
  });

  it('describes what its files make', async () => {
    expect(await within(fresh, async (client) => hashCatalogue(await readCatalogue(client)))).toEqual(baseline.objects);
  });

  it.each([
    ['positions', 'alter table positions add column mine int'],
    ['positions', 'alter table positions alter leverage drop not null'],
    ['positions', 'alter table positions alter funding set default 1'],
    ['positions', 'alter table positions drop constraint positions_entered'],
    ['positions', 'drop index positions_open'],
    ['positions', 'create index mine on positions (symbol)'],
    ['positions', 'alter table positions disable trigger positions_rows'],
    ['positions', 'alter table positions no force row level security'],
    ['positions', `create policy mine on positions to app_user using (current_user = 'app_user')`],
    ['positions', `alter policy own_rows on positions using (user_id is not null)`],
    ['positions', 'grant update (qty) on positions to app_user'],
    ['positions', 'grant delete on positions to public'],
    ['balances', 'alter table balances drop constraint balances_user_id_fkey'],
    ['scan_details', 'alter table scan_details alter packed set storage extended'],
    ['preferences', `comment on column preferences.theme is 'mine'`],
    ['mine', 'create table mine (id int)'],
    ['mine', 'create view mine as select 1 as one'],
    [
      'welcome_credits()',
      `create or replace function welcome_credits() returns integer language sql immutable as 'select 11'`,
    ],
    ['refuse_change()', 'grant execute on function refuse_change() to app_user'],
    ['api_log.keep_days(integer)', 'drop function api_log.keep_days'],
    ['exchange_id', `alter domain exchange_id drop constraint exchange_id_known`],
    ['schema public', 'grant create on schema public to app_user'],
    ['schema scan_log', 'revoke usage on schema scan_log from app_system'],
    ['default privileges', 'alter default privileges in schema public grant select on tables to app_user'],
  ])('notices a change of %s: %s', async (object, change) => {
    const changed = await within(fresh, async (client) => {
      await client.query('begin');
      await client.query(change);
      const hashes = hashCatalogue(await readCatalogue(client));
      await client.query('rollback');
      return hashes;
    });
    const all = new Set([...Object.keys(changed), ...Object.keys(baseline.objects)]);
    expect([...all].filter((name) => changed[name] !== baseline.objects[name])).toEqual([object]);
  });

  it.each([
    'create role analyst_of_test; grant select on positions to analyst_of_test',
    'select api_log.keep_days(30), scan_log.keep_days(30)',
    `alter function refuse_change() owner to current_user`,
  ])('does not mind %s', async (change) => {
    const changed = await within(fresh, async (client) => {
      await client.query('begin');
      await client.query(change);
      const same = hashCatalogue(await readCatalogue(client));
      await client.query('rollback');
      return same;
    });
    expect(changed).toEqual(baseline.objects);
  });
});

describe('a database of the version before the baseline', () => {
  it('NODE-025 is taken over with its rows, by an owner without the rights of a superuser', async () => {
    const name = await copy();
    const before = await within(name, readRows);
    const login = { setting: 'DATABASE_URL', url: serverUrl(urlOf(name), secret) };
    await expect(checkDatabase(login, login)).rejects.toThrow(
      /^DATABASE_URL: migration 0001_users has not run; run npm run migrate$/,
    );
    expect(await migrate(name)).toMatchObject({ applied: [], replacedCount: 112 });
    expect(await names(name)).toEqual(baseline.names);
    await within(name, async (client) => {
      expect(await readRows(client)).toEqual(before);
      const { rows } = await client.query<{ weights: unknown }>('select weights from signal_tuning order by user_id');
      const neutral = { adx: 1, supertrend: 1, ema_cross: 1, sma_cross: 1, pivot: 1, vwap: 1, mfi: 1, donchian: 1 };
      const all = { ...neutral, ich_align: 1, ich_cloud: 1, news: 1 };
      expect(rows.map(({ weights }) => weights)).toEqual([{ ...all, adx: 0.5, vwap: 1.3, news: 1.5 }, all]);
      expect(await readCatalogue(client)).toEqual(await within(fresh, readCatalogue));
      const { payment_transitions: transitions, telegram_cursor: cursor } = await within(fresh, readRows);
      expect(before).toMatchObject({ payment_transitions: transitions, telegram_cursor: cursor });
      // No name of an earlier version is left among those that older nodes work beside.
      expect((await client.query('select name from migrations.compatible_migrations')).rows).toEqual([]);
    });
    await migrateDatabase(urlOf(name, tenant), secret);
    await checkDatabase(login, login);
    expect(await migrate(name)).toMatchObject({ applied: [], replacedCount: 0 });
  });

  it('NODE-026 is rejected by nodes of that version once it is taken over', async () => {
    const name = await copy();
    const stateOfOldNode = () => within(name, (client) => readSchemaState(client, folders.replaced));
    expect(await stateOfOldNode()).toMatchObject({ missing: [], unknown: [] });
    await migrate(name);
    // Their message names the first one and says: start the newer version.
    expect((await stateOfOldNode()).unknown).toEqual(baseline.names);
  });

  it('is taken over once when several nodes start at the same moment', async () => {
    const name = await copy();
    const runs = await Promise.all([1, 2, 3].map(() => migrate(name)));
    expect(runs.map(({ replacedCount }) => replacedCount).sort((a, b) => a - b)).toEqual([0, 0, 112]);
    expect(await names(name)).toEqual(baseline.names);
  });

  it('is as it was when the process is killed in the middle, and is taken over by the next one', async () => {
    const name = await copy();
    const blocker = new pg.Client({ connectionString: urlOf(name) });
    await blocker.connect();
    try {
      // The last statement of the step waits for this.
      await blocker.query('begin; lock table position_fills in share update exclusive mode');
      const killed = migrate(name).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      const waiting = async () =>
        (
          await admin.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and usename = $2`,
            [name, tenant],
          )
        ).rows[0]?.pid;
      await expect.poll(waiting, { timeout: 60_000 }).toBeTypeOf('number');
      await admin.query('select pg_terminate_backend($1)', [await waiting()]);
      expect(await killed).toMatch(/the database of the earlier version was not taken over: /);
    } finally {
      await blocker.end();
    }
    expect(await names(name)).toEqual(baseline.replaced);
    expect(await hasVoteColumns(name)).toBe(true);
    expect(await migrate(name)).toMatchObject({ replacedCount: 112 });
  });

  it.each([
    [
      'that lacks some of its migrations',
      `delete from migrations.kysely_migration where name in ('0542_orders_of_signals', '0607_sandbox_clocks')`,
      /^DATABASE_OWNER_URL: this database is of an earlier version and lacks migration 0542_orders_of_signals; run npm run migrate of the last version that has db\/migrations\/0607_sandbox_clocks\.sql first, then of this one \(docs\/operations\.md#database\)$/,
    ],
    [
      'with a migration of another version',
      `insert into migrations.kysely_migration values ('0608_of_a_fork', '')`,
      /^DATABASE_OWNER_URL: this database has a migration of another version, 0608_of_a_fork; restore a backup /,
    ],
    [
      'that was changed by hand',
      'alter table positions add column mine int; drop index orders_resting',
      /^DATABASE_OWNER_URL: orders, positions of this database differ from the version it is of; undo the changes, which docs\/operations\.md#database says how to list, and run npm run migrate again$/,
    ],
  ])('NODE-025 %s is rejected with how to move, and stays as it is', async (_case, change, message) => {
    const name = await copy();
    await within(name, (client) => client.query(change));
    const [before, rows] = [await names(name), await within(name, readRows)];
    await expect(migrate(name)).rejects.toThrow(message);
    expect(await names(name)).toEqual(before);
    expect(await hasVoteColumns(name)).toBe(true);
    expect(await within(name, readRows)).toEqual(rows);
  });
});
