/** Long because its tests share one database of the earlier version, which takes 112 migrations. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { testSecret as secret } from '../../server/test/support/globalDatabase.ts';
import { baseline } from '../src/baseline.ts';
import { hashCatalogue, readCatalogue } from '../src/catalogue.ts';
import { listFacts, migrateDatabase } from '../src/migrate.ts';
import { listMigrations, migrationsFolder } from '../src/migrationFiles.ts';
import { serverRole, serverUrl } from '../src/roles.ts';
import { checkDatabase, readSchemaState } from '../src/schemaState.ts';
import { takeOver } from '../src/takeOver.ts';
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
    // Those of tables that later migrations add are not there yet.
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    const present = new Set(tables.map(({ name }) => name));
    const rowsOf = Object.entries(rowOf).flatMap(([table, row]) => (present.has(table) ? [row] : []));
    for (const id of users) {
      await client.query('insert into users (id, name, email) values ($1, $2, $3)', [id, 'Test', `${id}@example.com`]);
      for (const row of rowsOf) await client.query(row(id));
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

describe('the facts of a database', () => {
  const changed = {
    search_path: 'pg_catalog',
    DateStyle: 'SQL, DMY',
    IntervalStyle: 'iso_8601',
    TimeZone: 'Asia/Kolkata',
    bytea_output: 'escape',
    extra_float_digits: '-3',
    quote_all_identifiers: 'on',
    standard_conforming_strings: 'off',
  };

  it.each(Object.entries(changed))('do not depend on %s of the session, which stays %s', async (name, value) => {
    await within(fresh, async (client) => {
      const read = async () =>
        (await client.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]?.value;
      await client.query('select set_config($1, $2, false)', [name, value]);
      expect(hashCatalogue(await readCatalogue(client))).toEqual(baseline.objects);
      expect(await read()).toBe(value);
    });
  });

  it('NODE-025 do not depend on settings of the owner: its database is taken over', async () => {
    const name = await copy();
    for (const [setting, value] of Object.entries(changed))
      await admin.query(`alter role ${tenant} in database ${name} set ${setting} = ${pg.escapeLiteral(value)}`);
    expect(await migrate(name)).toMatchObject({ replacedCount: 112 });
    expect(await within(name, readCatalogue)).toEqual(await within(fresh, readCatalogue));
  });

  it('differ in one line for each change by hand, and reading them changes nothing', async () => {
    const [mine, untouched] = [await copy(), await listFacts(urlOf(earlier, tenant))];
    expect(await listFacts(urlOf(mine, tenant))).toEqual(untouched);
    await within(mine, (client) =>
      client.query('alter table positions add column mine int; drop index orders_resting'),
    );
    const facts = await listFacts(urlOf(mine, tenant));
    expect(facts.filter((fact) => !untouched.includes(fact))).toEqual(['positions: column mine integer storage p']);
    expect(untouched.filter((fact) => !facts.includes(fact))).toEqual([
      expect.stringMatching(/^orders: index CREATE INDEX orders_resting ON public\.orders /),
    ]);
    expect(await names(mine)).toEqual(baseline.replaced);
  });
});

describe('a database of the version before the baseline that is in use', () => {
  const connectedMessage =
    /^DATABASE_OWNER_URL: nodes of the earlier version are connected to this database; stop all nodes, and PgBouncer, for this one upgrade and run npm run migrate again \(docs\/operations\.md#database\)$/;

  /** A session as nodes have it; the check at a start has no name. */
  async function connectNode(name: string, applicationName?: string): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: serverUrl(urlOf(name), secret),
      application_name: applicationName,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
  const settle = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => String(error));
  /** Resolves when a session of `role` waits for a table of the database. */
  const waitForBlocked = (name: string, role: string) =>
    expect
      .poll(
        async () =>
          (
            await admin.query(
              `select from pg_stat_activity where datname = $1 and usename = $2 and wait_event_type = 'Lock'`,
              [name, role],
            )
          ).rowCount,
        { timeout: 60_000 },
      )
      .toBe(1);
  /** Holds the last statement of the step until `release` is called. */
  async function block(name: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: urlOf(name) });
    await client.connect();
    await client.query('begin; lock table position_fills in share update exclusive mode');
    return () => client.end();
  }
  const expectUntouched = async (name: string) => {
    expect(await names(name)).toEqual(baseline.replaced);
    expect(await hasVoteColumns(name)).toBe(true);
  };

  it.each(['sextant', 'sextant watch', 'sextant events', 'sextant jobs'])(
    'NODE-025 is rejected while a node is connected (%s), and taken over once it has stopped',
    async (applicationName) => {
      const name = await copy();
      const node = await connectNode(name, applicationName);
      try {
        await expect(migrate(name)).rejects.toThrow(connectedMessage);
        await expectUntouched(name);
      } finally {
        await node.end();
      }
      expect(await migrate(name)).toMatchObject({ replacedCount: 112 });
    },
  );

  it('waits for nodes that are just stopping', async () => {
    const name = await copy();
    const node = await connectNode(name, 'sextant');
    const owner = new pg.Client({ connectionString: urlOf(name, tenant) });
    await owner.connect();
    try {
      const taken = takeOver(owner, { sessionWaitMs: 120_000 });
      await expect
        .poll(
          async () =>
            (
              await admin.query(
                `select from pg_stat_activity where datname = $1 and usename = $2 and query like '%application_name not in%'`,
                [name, tenant],
              )
            ).rowCount,
          { timeout: 60_000 },
        )
        .toBe(1);
      await node.end();
      expect(await taken).toBe(112);
    } finally {
      await owner.end();
    }
  });

  it('does not mind nodes of other databases, nor the check of a node that starts', async () => {
    const name = await copy();
    const others = [await connectNode(fresh, 'sextant'), await connectNode(name)];
    try {
      expect(await migrate(name)).toMatchObject({ replacedCount: 112 });
    } finally {
      for (const client of others) await client.end();
    }
  });

  it('NODE-026 lets an older node that starts meanwhile wait, and then reject it', async () => {
    const name = await copy();
    const release = await block(name);
    const node = await connectNode(name);
    try {
      const taken = settle(migrate(name));
      await waitForBlocked(name, tenant);
      await node.query('set role app_system');
      const state = readSchemaState(node, folders.replaced);
      await waitForBlocked(name, serverRole);
      await release();
      expect(await taken).toMatchObject({ replacedCount: 112 });
      expect((await state).unknown).toEqual(baseline.names);
    } finally {
      await node.end();
    }
  });

  it('NODE-025 stays as it is when a node connects meanwhile', async () => {
    const name = await copy();
    const release = await block(name);
    const taken = settle(migrate(name));
    await waitForBlocked(name, tenant);
    const node = await connectNode(name, 'sextant');
    try {
      await release();
      expect(await taken).toMatch(/DatabaseSetupError: DATABASE_OWNER_URL: nodes of the earlier version are connected/);
      await expectUntouched(name);
    } finally {
      await node.end();
    }
  });

  it('NODE-025 stays as it is when another session uses a table for too long', async () => {
    const name = await copy();
    const release = await block(name);
    const owner = new pg.Client({ connectionString: urlOf(name, tenant) });
    await owner.connect();
    try {
      await expect(takeOver(owner, { lockWaitMs: 100 })).rejects.toThrow(
        /not taken over: another session has used one of its tables for 0\.1 s; end it \(a backup, an open query\) and run npm run migrate again$/,
      );
      await expectUntouched(name);
    } finally {
      await owner.end();
      await release();
    }
  });
});

describe('the days of a database of the version before the baseline', () => {
  it('are taken over with their rows, and later ones are made and dropped as before', async () => {
    const name = await copy();
    // Far from today, so that the hour of the test does not matter.
    const days = ['2024-02-28', '2024-02-29', '2024-03-01'];
    const logs = [
      ['api_calls', 'api_log', 'calls_'],
      ['scan_details', 'scan_log', 'details_'],
    ] as const;
    const partitionsOf = async (client: pg.Client, schema: string): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r' order by 1`,
        [schema],
      );
      return rows.map((row) => row.name);
    };
    await within(name, async (client) => {
      await client.query(`set role ${tenant}`);
      for (const [table, schema, prefix] of logs)
        for (const day of days)
          await client.query(`create table ${schema}.${prefix}${day.replaceAll('-', '')} partition of ${table}
            for values from ('${day} 00:00+00') to ('${day} 24:00+00')`);
      await client.query('reset role');
      for (const day of days)
        for (const id of users) {
          await client.query(`insert into api_calls (created_at, request_id, user_id, key_id, method, route, path, status, duration_ms, ip)
            values ('${day} 00:00+00', gen_random_uuid(), '${id}', gen_random_uuid(), 'GET', '/api/x', '/api/x', 200, 1, '127.0.0.1')`);
          await client.query(`insert into scan_details (created_at, scan_id, user_id, packed)
            values ('${day} 23:59:59.999+00', gen_random_uuid(), '${id}', '\\x0102')`);
        }
    });
    const before = await within(name, async (client) => ({
      rows: await readRows(client),
      partitions: await Promise.all(logs.map(([, schema]) => partitionsOf(client, schema))),
    }));
    expect(before.partitions.map((list) => list.slice(0, 3))).toEqual(
      logs.map(([, , prefix]) => days.map((day) => prefix + day.replaceAll('-', ''))),
    );
    expect(await migrate(name)).toMatchObject({ replacedCount: 112 });
    await within(name, async (client) => {
      expect(await readRows(client)).toEqual(before.rows);
      expect(await Promise.all(logs.map(([, schema]) => partitionsOf(client, schema)))).toEqual(before.partitions);
      // A user reads rows of each day, the own ones only; a node drops the old days.
      await client.query(`set role app_user; select set_config('app.user_id', '${users[0]}', false)`);
      for (const [table] of logs) {
        const { rows } = await client.query(
          `select user_id, count(*)::int as n from ${table} where created_at < '2024-03-02' group by 1`,
        );
        expect(rows, table).toEqual([{ user_id: users[0], n: 3 }]);
      }
      await client.query('set role app_system; select api_log.keep_days(30), scan_log.keep_days(30)');
      await client.query('reset role');
      for (const [, schema] of logs) {
        const left = await partitionsOf(client, schema);
        expect(left.filter((partition) => /_2024/.test(partition))).toEqual([]);
        expect(left.length).toBeGreaterThanOrEqual(4);
      }
    });
  });
});
