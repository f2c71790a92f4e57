import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf } from '../../../../db/test/support/userRows.ts';
import { findUserTables } from '../../../src/features/account/exportRepository.ts';
import { createTestApp, ownOrigin, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { png } from '../profile/pictures.ts';

let test: TestApp;
let anna: TestUser;
let bert: TestUser;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sextant-export-'));
  test = await createTestApp({ env: { DATA_DIR: dataDir, DEMO_ACCOUNT: 'on' } });
  [anna, bert] = [await test.signUp(), await test.signUp()];
  for (const make of Object.values(rowOf)) for (const { id } of [anna, bert]) await test.database.asOwner(make(id));
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Export {
  format: string;
  user_id: string;
  tables: Record<string, Record<string, unknown>[]>;
  withheld: { table: string; columns: string[] }[];
  files: { path: string; url: string }[];
}
const exported = (user: TestUser) => test.app.inject({ url: '/api/account/export', headers: user.bearer });

/** Reads the tables from information_schema, independently of the code under test. */
const tablesOfUsers = async () => {
  const rows = await test.database.asOwner<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id' order by 1`,
  );
  return [...rows.map(({ name }) => name), 'users'].sort();
};

describe('an export', () => {
  it('has every table that holds rows of users, with every row of the user and none of another', async () => {
    const response = await exported(anna);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="sextant-export-\d{4}-\d\d-\d\d\.json"$/,
      ) as string,
      'cache-control': 'no-store',
    });
    const document = response.json<Export>();
    expect(document).toMatchObject({ format: 'sextant-export-1', user_id: anna.id });
    expect(Object.keys(document.tables).sort()).toEqual(await tablesOfUsers());
    for (const [name, rows] of Object.entries(document.tables)) {
      const owner = name === 'users' ? 'id' : 'user_id';
      const [stored] = await test.database.asOwner<{ count: number }>(
        `select count(*)::int as count from ${name} where ${owner} = $1`,
        [anna.id],
      );
      expect(rows, name).toHaveLength(stored!.count);
      expect(new Set(rows.map((row) => row[owner])), name).toEqual(stored!.count > 0 ? new Set([anna.id]) : new Set());
    }
    for (const name of Object.keys(rowOf)) expect(document.tables[name]!.length, name).toBeGreaterThan(0);
    expect(response.body).not.toContain(bert.id);
    expect(response.body).not.toContain(bert.email);
  });

  it('withholds secrets, says which, and has every other column', async () => {
    const response = await exported(anna);
    const document = response.json<Export>();
    const withheld = Object.fromEntries(document.withheld.map(({ table, columns }) => [table, columns]));
    expect(withheld).toMatchObject({
      accounts: expect.arrayContaining(['password', 'access_token', 'refresh_token', 'id_token']) as string[],
      sessions: ['token'],
    });
    // The credits of a payment are called tokens and are no secret.
    expect(document.tables['payments']).toMatchObject([{ tokens: 20, amount_cents: 2000 }]);
    const [account] = await test.database.asOwner<{ password: string }>(
      'select password from accounts where user_id = $1',
      [anna.id],
    );
    expect(response.body).not.toContain(account!.password);
    for (const table of await findUserTables(test.database.db)) {
      // A table without a reader could not be exported: it needs a grant, or must not hold rows of users.
      expect(table.reader, table.name).not.toBeNull();
      expect(table.keyColumns.length, `${table.name} needs a primary key`).toBeGreaterThan(0);
      const all = await test.database.asOwner<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
        [table.name],
      );
      expect([...table.columns, ...table.withheld].sort(), table.name).toEqual(all.map(({ name }) => name).sort());
    }
  });

  it('is complete beyond one page of rows, and keeps the digits of numbers', async () => {
    const carl = await test.signUp();
    const hash = 'a'.repeat(64);
    await test.database.asOwner(
      `insert into backtests (user_id, symbol, interval, params, result, engine_hash, data_hash, params_hash, result_hash)
       select $1, 'S' || n, '1h', '{"n": 12345678901234567890}', '{}', $2, $2, $2, $2 from generate_series(1, 23) n`,
      [carl.id, hash],
    );
    const response = await exported(carl);
    const symbols = response.json<Export>().tables['backtests']!.map(({ symbol }) => symbol);
    expect(new Set(symbols).size).toBe(23);
    expect(symbols).toHaveLength(23);
    expect(response.body).toContain('12345678901234567890');
  });

  it('reads rows of up to tens of megabytes one at a time', async () => {
    const tables = await findUserTables(test.database.db);
    const most = Object.fromEntries(tables.map(({ name, rowsPerPage }) => [name, rowsPerPage]));
    expect(most).toMatchObject({ backtest_searches: 1, backtests: 5, balances: 500 });
  });

  it('lists the files, and each can be fetched by its owner alone', async () => {
    const payload = await png();
    const headers = { ...anna.bearer, 'content-type': 'image/png' };
    await test.app.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload });
    const { files } = (await exported(anna)).json<Export>();
    expect(files).toEqual([
      {
        path: expect.stringMatching(new RegExp(`^${anna.id}/\\d{13}\\.webp$`)) as string,
        url: expect.stringMatching(/^\/api\/account\/export\/files\/\d{13}\.webp$/) as string,
      },
    ]);
    const fetched = await test.app.inject({ url: files[0]!.url, headers: anna.bearer });
    expect(fetched.headers['content-type']).toBe('image/webp');
    expect(fetched.rawPayload.toString('latin1', 8, 12)).toBe('WEBP');
    expect((await test.app.inject({ url: files[0]!.url, headers: bert.bearer })).statusCode).toBe(404);
    expect((await test.app.inject({ url: files[0]!.url })).statusCode).toBe(401);
  });

  it('is limited to ten an hour, and requires a session', async () => {
    const dora = await test.signUp();
    for (let i = 0; i < 10; i++) expect((await exported(dora)).statusCode).toBe(200);
    expect((await exported(dora)).json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await test.app.inject({ url: '/api/account/export' })).statusCode).toBe(401);
  });

  it('of the demo account says nothing about the others who entered it', async () => {
    const enter = async (remoteAddress: string, agent: string) => {
      const headers = { origin: ownOrigin, 'user-agent': agent };
      const entered = await test.app.inject({ method: 'POST', url: '/api/auth/demo', headers, remoteAddress });
      return entered.json<{ user: { id: string }; token: string }>();
    };
    await enter('203.0.113.7', 'Stranger/1.0');
    const { token, user } = await enter('198.51.100.9', 'Visitor/1.0');
    const response = await test.app.inject({
      url: '/api/account/export',
      headers: { authorization: `Bearer ${token}` },
    });
    const document = response.json<Export>();
    expect(document.user_id).toBe(user.id);
    expect(document.tables['users']).toHaveLength(1);
    expect(document.tables['sessions']).toEqual([]);
    expect(response.body).not.toMatch(/203\.0\.113\.7|Stranger/);
  });
});
