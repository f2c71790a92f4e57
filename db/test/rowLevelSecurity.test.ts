import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../server/test/support/createTestDatabase.ts';
import { publicTables, rights, rowOf, story, touch } from './support/userRows.ts';

const userTables = Object.keys(rowOf);

let database: TestDatabase;
let anna: string;
let bert: string;
/** Two sessions of the server's login: after a user was set once, the setting is empty in its session, and no longer absent. */
let sessions: Record<'withUser' | 'withoutUser', pg.Client>;
beforeAll(async () => {
  database = await createTestDatabase();
  const [withUser, withoutUser] = [1, 2].map(() => new pg.Client({ connectionString: database.serverUrl })) as [
    pg.Client,
    pg.Client,
  ];
  sessions = { withUser, withoutUser };
  await Promise.all([withUser.connect(), withoutUser.connect()]);
  anna = await database.addUser();
  bert = await database.addUser();
  for (const table of userTables) for (const id of [anna, bert]) await database.asOwner(rowOf[table]!(id));
});
afterAll(async () => {
  await Promise.all(Object.values(sessions).map((session) => session.end()));
  await database.drop();
});

type Rows = Record<string, unknown>[];

/** Raw SQL on the server's login as `role`, with or without a user, always rolled back; one call after the other. */
async function as(role: string | null, userId: string | null, statements: string[]): Promise<Rows> {
  const client = sessions[userId === null ? 'withoutUser' : 'withUser'];
  await client.query('begin');
  try {
    if (role !== null) await client.query(`set local role ${role}`);
    if (userId !== null) await client.query(`select set_config('app.user_id', $1, true)`, [userId]);
    let rows: Rows = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.query('rollback');
  }
}

/** Returns the SQLSTATE of an error, or the result. */
const attempt = (role: string | null, userId: string | null, statements: string[]): Promise<Rows | string> =>
  as(role, userId, statements).catch((error: unknown) => (error as { code: string }).code);
const permissionDenied = '42501';

describe('the table of rights', () => {
  it('names every table there is', async () => {
    const tables = await database.asOwner<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(rights).sort());
  });

  it.each(Object.entries(rights))('%s lets app_user do exactly %j', async (table, allowed) => {
    const granted = await database.asOwner<{ privilege: string }>(
      `select privilege from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
       where has_any_column_privilege('app_user', $1, case when privilege in ('delete', 'truncate', 'trigger') then 'select' else privilege end)
         and (privilege not in ('delete', 'truncate', 'trigger') or has_table_privilege('app_user', $1, privilege))`,
      [table],
    );
    expect(granted.map(({ privilege }) => privilege).sort()).toEqual([...allowed].sort());
  });
});

describe.each(Object.keys(rights))('%s', (table) => {
  const isOwn = userTables.includes(table);
  const seen = (rows: Rows | string) =>
    typeof rows === 'string' ? rows : [...new Set(rows.flatMap((row) => ('user_id' in row ? [row['user_id']] : [])))];

  it('shows nothing when no user is set', async () => {
    const expected = isOwn || publicTables.includes(table) ? [] : permissionDenied;
    expect(seen(await attempt('app_user', null, [`select * from ${table}`]))).toEqual(expected);
    expect(seen(await attempt('app_user', '', [`select * from ${table}`]))).toEqual(expected);
  });

  it('DATA-029 X21 shows a user the own row and never another', async () => {
    const others = publicTables.includes(table) ? [] : permissionDenied;
    const expected = (id: string) => (isOwn ? [id] : others);
    expect(seen(await attempt('app_user', anna, [`select * from ${table}`]))).toEqual(expected(anna));
    expect(seen(await attempt('app_user', bert, [`select * from ${table}`]))).toEqual(expected(bert));
  });

  it('shows the login of the server nothing by itself', async () => {
    expect(await attempt(null, anna, [`select * from ${table}`])).toBe(permissionDenied);
  });

  it('cannot be emptied by anybody but the owner', async () => {
    for (const role of ['app_user', 'app_system', null]) {
      expect(await attempt(role, anna, [`truncate ${table} cascade`])).toBe(permissionDenied);
    }
  });
});

describe.each(userTables)('writing %s', (table) => {
  const mayUpdate = rights[table]!.includes('update');
  const mayDelete = rights[table]!.includes('delete');

  it('does not reach the row of another user', async () => {
    const updated = await attempt('app_user', anna, [
      `update ${table} set ${touch[table]!} where user_id = '${bert}' returning user_id`,
    ]);
    expect(updated).toEqual(mayUpdate ? [] : permissionDenied);
    const deleted = await attempt('app_user', anna, [
      `delete from ${table} where user_id = '${bert}' returning user_id`,
    ]);
    expect(deleted).toEqual(mayDelete ? [] : permissionDenied);
  });

  it('reaches the own row', async () => {
    const updated = await attempt('app_user', anna, [`update ${table} set ${touch[table]!} returning user_id`]);
    expect(updated).toEqual(mayUpdate ? [{ user_id: anna }] : permissionDenied);
    const deleted = await attempt('app_user', anna, [`delete from ${table} returning user_id`]);
    expect(deleted).toEqual(mayDelete ? [{ user_id: anna }] : permissionDenied);
  });

  it('cannot make a row for another user, nor hand one over', async () => {
    const foreign = rowOf[table]!(bert).replace(' on conflict do nothing', '');
    expect(await attempt('app_user', anna, [foreign])).toBe(permissionDenied);
    expect(await attempt('app_user', null, [foreign])).toBe(permissionDenied);
    expect(await attempt('app_user', anna, [`update ${table} set user_id = '${bert}'`])).toBe(permissionDenied);
  });
});

describe('read marks', () => {
  it('are made by their user only', async () => {
    const mark = (id: string) => [`insert into news_reads (user_id, news_id) values ('${id}', '${story}')`];
    expect(await attempt('app_user', anna, mark(bert))).toBe(permissionDenied);
    expect(await attempt('app_user', null, mark(bert))).toBe(permissionDenied);
  });
});

describe('the service', () => {
  it('sees the accounts of all users, whichever user is set', async () => {
    const all = await database.asOwner('select id from users');
    expect(all.map(({ id }) => id as string)).toEqual(expect.arrayContaining([anna, bert]));
    expect(await as('app_system', anna, ['select id from users'])).toHaveLength(all.length);
  });

  it('has no business in backtests but to count how many made money', async () => {
    for (const columns of ['*', 'params', 'result', 'name', 'setup', 'created_at']) {
      expect(await attempt('app_system', null, [`select ${columns} from backtests`]), columns).toBe(permissionDenied);
    }
    const counted = await as('app_system', null, ['select user_id, symbol, interval, is_profitable from backtests']);
    expect(counted).toHaveLength(2);
  });

  it('cannot be imitated by a user: being app_user does not open the policy of app_system', async () => {
    const own = await as('app_user', anna, [
      `select set_config('app.role', 'app_system', true)`,
      'select user_id from preferences',
    ]);
    expect(own).toEqual([{ user_id: anna }]);
  });
});

describe('what belongs to an account', () => {
  it('goes when the account goes', async () => {
    const carl = await database.addUser();
    for (const table of userTables) await database.asOwner(rowOf[table]!(carl));
    await database.asOwner('delete from users where id = $1', [carl]);
    for (const table of userTables) {
      expect(await database.asOwner(`select from ${table} where user_id = $1`, [carl]), table).toEqual([]);
    }
  });
});
