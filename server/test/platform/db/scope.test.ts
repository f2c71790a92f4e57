import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { RejectionError } from '../../../src/platform/http/rejectionError.ts';
import { ScopeError, type UserTx, withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
let anna: string;
let bert: string;
beforeAll(async () => {
  database = await createTestDatabase({ connectionsMax: 2 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.asOwner('delete from users');
  anna = await database.addUser();
  bert = await database.addUser();
});

const ownIds = (tx: UserTx) => tx.selectFrom('preferences').select('user_id').execute();
const session = async (tx: UserTx) =>
  (
    await sql<{ role: string; login: string; pid: number }>`
      select current_user as role, session_user as login, pg_backend_pid() as pid`.execute(tx)
  ).rows[0]!;

describe('a query without a scope', () => {
  it('throws and never reaches the database', async () => {
    await expect(database.db.selectFrom('preferences').selectAll().execute()).rejects.toThrow(ScopeError);
    await expect(database.db.transaction().execute((tx) => tx.selectFrom('users').execute())).rejects.toThrow(
      ScopeError,
    );
  });

  it('throws after its scope has ended', async () => {
    let late: Promise<unknown> | undefined;
    const isOver = Promise.withResolvers<undefined>();
    await withUser(database.db, anna, () => {
      late = isOver.promise.then(() => database.db.selectFrom('users').selectAll().execute());
      return Promise.resolve();
    });
    isOver.resolve(undefined);
    await expect(late).rejects.toThrow('a query needs a scope');
  });
});

describe('the handle inside an open scope', () => {
  it('throws instead of waiting for a second connection', async () => {
    const inside = withUser(database.db, anna, () => database.db.selectFrom('preferences').selectAll().execute());
    await expect(inside).rejects.toThrow('inside an open scope');
  });

  it('must not open another scope, not even for the service', async () => {
    await expect(withUser(database.db, anna, () => withSystem(database.db, () => Promise.resolve()))).rejects.toThrow(
      'a scope was opened inside an open scope',
    );
  });
});

describe('withUser', () => {
  it('sees only the rows of its user', async () => {
    expect(await withUser(database.db, anna, ownIds)).toEqual([{ user_id: anna }]);
    expect(await withUser(database.db, bert, ownIds)).toEqual([{ user_id: bert }]);
  });

  it('acts as app_user on a login that is neither owner nor superuser', async () => {
    expect(await withUser(database.db, anna, session)).toMatchObject({ role: 'app_user', login: 'sextant_server' });
  });

  it('rejects anything that is not a uuid, so no text can change whose rows are visible', async () => {
    for (const id of ['', "x' or '1'='1", `${anna}'; reset role; --`]) {
      await expect(withUser(database.db, id, ownIds)).rejects.toThrow(ScopeError);
    }
  });

  it('leaves no state on a connection that the next user gets', async () => {
    const users = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? anna : bert));
    const pids = new Set<number>();
    const seen = await Promise.all(
      users.map((id) =>
        withUser(database.db, id, async (tx) => {
          pids.add((await session(tx)).pid);
          return (await ownIds(tx)).map((row) => row.user_id);
        }),
      ),
    );
    expect(seen).toEqual(users.map((id) => [id]));
    expect(pids.size).toBeLessThanOrEqual(2);
  });

  it('rolls back and returns a clean connection when the work rejects', async () => {
    const failing = withUser(database.db, anna, async (tx) => {
      await tx.updateTable('preferences').set({ leverage: 77 }).execute();
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    const rows = await withUser(database.db, anna, (tx) => tx.selectFrom('preferences').select('leverage').execute());
    expect(rows).toEqual([{ leverage: 10 }]);
  });

  it('does not report success when a statement failed and its error was swallowed', async () => {
    const work = withUser(database.db, anna, async (tx) => {
      await tx.updateTable('preferences').set({ leverage: 20 }).execute();
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
  });

  it('cannot become another user by writing another user_id', async () => {
    const theft = withUser(database.db, anna, (tx) => tx.updateTable('preferences').set({ user_id: bert }).execute());
    await expect(theft).rejects.toThrow(/row-level security|duplicate key/);
  });
});

describe('when the database goes away', () => {
  it('a cut connection is a database_unavailable, is discarded, and the next request works', async () => {
    const cut = withUser(database.db, anna, async (tx) => {
      const { pid } = await session(tx);
      await database.asOwner('select pg_terminate_backend($1)', [pid]);
      return ownIds(tx);
    });
    const error: unknown = await cut.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RejectionError);
    expect((error as RejectionError).rejection.code).toBe('database_unavailable');
    expect(await withUser(database.db, anna, ownIds)).toEqual([{ user_id: anna }]);
  });

  it('idle connections that are cut do not end the process', async () => {
    await Promise.all([withUser(database.db, anna, ownIds), withUser(database.db, bert, ownIds)]);
    await database.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sextant_server' and datname = current_database()`,
    );
    await expect.poll(() => database.errors.length).toBeGreaterThan(0);
    // The second connection may notice only when it is used: that request fails, a later one works.
    const read = () => withUser(database.db, bert, ownIds).catch(() => undefined);
    await expect.poll(read).toEqual([{ user_id: bert }]);
  });
});

describe('a statement that takes too long', () => {
  it('returns an error with a wait, and the next one finds the database unchanged', async () => {
    const late = withUser(database.db, anna, async (tx) => {
      await tx.updateTable('preferences').set({ auto_scan_enabled: true }).where('user_id', '=', anna).execute();
      await sql`set local statement_timeout = 50`.execute(tx);
      await sql`select pg_sleep(30)`.execute(tx);
    });
    await expect(late).rejects.toMatchObject({ rejection: { code: 'overloaded', retryAfterS: 5 } });
    const rows = await withUser(database.db, anna, (tx) =>
      tx.selectFrom('preferences').select('auto_scan_enabled').execute(),
    );
    expect(rows).toEqual([{ auto_scan_enabled: false }]);
  });
});

describe('a transaction that starts but does not get its role', () => {
  // A separate login: roles belong to the cluster, which other test files use concurrently.
  const login = 'scope_test_login';
  let own: Database;
  beforeAll(async () => {
    await database.asOwner(`create role ${login} login noinherit password 'only for this test'`);
    await database.asOwner(`grant app_user, app_system to ${login}`);
    const url = new URL(database.ownerUrl);
    url.username = login;
    url.password = 'only for this test';
    own = openDatabase({ url: url.href, connectionsMax: 1, onError: () => undefined });
  });
  afterAll(async () => {
    await own.close();
    await database.asOwner(`drop role ${login}`);
  });

  it('fails, and its connection serves no other user', async () => {
    expect(await withUser(own.db, anna, ownIds)).toEqual([{ user_id: anna }]);
    await database.asOwner(`revoke app_system from ${login}`);
    await expect(own.ping()).rejects.toThrow('permission denied to set role');
    expect(await withUser(own.db, anna, ownIds)).toEqual([{ user_id: anna }]);
    // A single query of a library starts its own transaction.
    await expect(own.systemDb.selectFrom('users').select('id').execute()).rejects.toThrow('permission denied');
    expect(await withUser(own.db, anna, ownIds)).toEqual([{ user_id: anna }]);
    await database.asOwner(`grant app_system to ${login}`);
    await own.ping();
  });
});

describe('numbers', () => {
  it('a bigint is read as a number, and one that would lose digits is an error', async () => {
    const read = (text: string) =>
      withUser(database.db, anna, (tx) => sql<{ n: number }>`select ${sql.raw(text)}::int8 as n`.execute(tx));
    expect((await read('9007199254740991')).rows).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
    await expect(read('9007199254740993')).rejects.toThrow('does not fit');
  });
});
