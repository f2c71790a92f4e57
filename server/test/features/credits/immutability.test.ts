import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
let anna: string;
beforeAll(async () => {
  database = await createTestDatabase();
  anna = await database.addUser();
});
afterAll(() => database.drop());

/** SQLSTATE of the error, or the outcome; always rolled back. */
async function attempt(url: string, role: string | null, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    if (role !== null) await client.query(`set local role ${role}`);
    await client.query(`select set_config('app.user_id', $1, true)`, [anna]);
    const { rowCount } = await client.query(statement);
    return `changed ${rowCount ?? 0}`;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

const permissionDenied = '42501';
const restrictViolation = '23001';
const changes = [
  `update credit_ledger set delta_credits = 1000000`,
  `update credit_ledger set note = 'harmless'`,
  `delete from credit_ledger`,
  `truncate credit_ledger cascade`,
];

describe('an entry of the ledger', () => {
  it.each(changes)('cannot be changed by any role: %s', async (statement) => {
    const { serverUrl, ownerUrl } = database;
    for (const role of [null, 'app_user', 'app_system']) {
      expect(await attempt(serverUrl, role, statement), String(role)).toBe(permissionDenied);
    }
    // The owner of the tables, and a superuser.
    expect(await attempt(ownerUrl, null, statement)).toBe(restrictViolation);
  });

  it('cannot be made by a signed-in user, who cannot touch the balance either', async () => {
    const statements = [
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key) values ('${anna}', 'grant', 'gift', 5, 'x')`,
      `update balances set credits = 1000`,
      `delete from balances`,
      `insert into balances (user_id, credits) values ('${anna}', 5)`,
      `insert into idempotency_keys (user_id, route, key, body_hash, status, answer, expires_at)
       values ('${anna}', 'r', 'k', repeat('a', 64), 200, '{}', now())`,
    ];
    for (const statement of statements) {
      expect(await attempt(database.serverUrl, 'app_user', statement), statement).toBe(permissionDenied);
    }
  });

  it('must have the shape of its kind', async () => {
    const entry = (kind: string, delta: number, more = 'null, null') =>
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id, expires_at)
       values ('${anna}', '${kind}', 'scan', ${delta}, 'x', ${more})`;
    const wrong = [
      ...[entry('grant', -1), entry('grant', 0), entry('hold', -1), entry('hold', 1, 'null, now()')],
      ...[entry('capture', 0), entry('release', 1), entry('gift', 1)],
    ];
    for (const statement of wrong) {
      expect(await attempt(database.serverUrl, 'app_system', statement), statement).toBe('23514');
    }
  });

  it('is deleted with its account and not before', async () => {
    const carl = await database.addUser();
    await expect(database.asOwner('delete from credit_ledger where user_id = $1', [carl])).rejects.toMatchObject({
      code: restrictViolation,
    });
    await database.asOwner('delete from users where id = $1', [carl]);
    expect(await database.asOwner('select from credit_ledger where user_id = $1', [carl])).toEqual([]);
  });
});

describe('a balance', () => {
  it('below zero is rejected by the table', async () => {
    expect(await attempt(database.serverUrl, 'app_system', 'update balances set credits = -1')).toBe('23514');
    expect(await attempt(database.ownerUrl, null, 'update balances set credits = -1')).toBe('23514');
  });
});
