import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argon2id } from '../../../src/features/auth/passwordHash.ts';
import { cookieOf, createTestApp, type TestUser } from '../../support/createTestApp.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

let test: EmailApp;
beforeAll(async () => {
  test = await createEmailApp();
});
afterAll(() => test.close());

const signIn = ({ email, password }: TestUser) =>
  test.app.inject({ method: 'POST', url: '/api/auth/signin', payload: { email, password } });
const sessions = ({ id }: TestUser) => test.database.asOwner('select id from sessions where user_id = $1', [id]);
const waiters = () =>
  test.database.asOwner(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

describe('a sign-in with the old password while a reset replaces it', () => {
  it('leaves no session when the password changed between its comparison and the insert of the session', async () => {
    const user = await test.signUp();
    const holder = new pg.Client({ connectionString: test.database.ownerUrl });
    await holder.connect();
    await test.database.asOwner('delete from sessions where user_id = $1', [user.id]);
    await holder.query('begin');
    // The sign-in has compared the password when it inserts its session, and blocks here.
    await holder.query('lock table sessions in share row exclusive mode');
    const entering = signIn(user);
    await expect.poll(waiters).toHaveLength(1);
    await test.database.asOwner('update accounts set password = $2 where user_id = $1', [
      user.id,
      await argon2id.hash('brand new words'),
    ]);
    await holder.query('commit');
    await holder.end();
    const response = await entering;
    expect(response.json()).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(await sessions(user)).toEqual([]);
  });

  it('waits for a reset in progress, and leaves no session then either', async () => {
    const user = await test.signUp();
    const reset = new pg.Client({ connectionString: test.database.ownerUrl });
    await reset.connect();
    await reset.query('begin');
    await reset.query('update accounts set password = $2 where user_id = $1', [
      user.id,
      await argon2id.hash('brand new words'),
    ]);
    await reset.query('delete from sessions where user_id = $1', [user.id]);
    // The sign-in still reads the old password, and writes its session after the reset has searched for sessions.
    const entering = signIn(user);
    await expect.poll(waiters).toHaveLength(1);
    await reset.query('commit');
    await reset.end();
    expect((await entering).json()).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await sessions(user)).toEqual([]);
  });

  it('never leaves one, in either order', async () => {
    const user = await test.signUp();
    const entering = Array.from({ length: 6 }, () => signIn(user));
    const change = await test.app.inject({
      method: 'PATCH',
      url: '/api/auth/user',
      headers: user.browser,
      payload: { current_password: user.password, password: 'brand new words' },
    });
    expect(change.statusCode).toBe(200);
    await Promise.all(entering);
    const left = await sessions(user);
    expect(left).toHaveLength(1);
    const mine = await test.app.inject({ url: '/api/auth/session', headers: { cookie: cookieOf(change) } });
    expect(mine.json()).toMatchObject({ user: { email: user.email } });
  });
});

describe('two concurrent requests to change the email', () => {
  const pendingOf = ({ id }: TestUser) =>
    test.database.asOwner<{ email: string }>(
      `select email from auth_tokens where user_id = $1 and kind = 'email' order by expires_at`,
      [id],
    );
  const readPending = async ({ browser }: TestUser) => {
    const response = await test.app.inject({ url: '/api/account/security', headers: browser });
    return [response.statusCode, response.json<{ pending_email: string }>().pending_email];
  };

  it('leave one link', async () => {
    const user = await test.signUp();
    const request = (email: string) => test.post('/api/auth/email', { email }, user.browser);
    const responses = await Promise.all(['one@example.com', 'two@example.com', 'three@example.com'].map(request));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const pending = await pendingOf(user);
    expect(pending).toHaveLength(1);
    expect(await readPending(user)).toEqual([200, pending[0]?.email]);
  });

  it('left by an older version do not break reading the account: the newer one is shown', async () => {
    const user = await test.signUp();
    for (const minutes of [10, 20]) {
      await test.database.asOwner(
        `insert into auth_tokens (user_id, kind, token_hash, email, expires_at)
         values ($1, 'email', $2, $3, now() + make_interval(mins => $4))`,
        [
          user.id,
          createHash('sha256').update(`${user.id} ${minutes}`).digest('base64url'),
          `in${minutes}@example.com`,
          minutes,
        ],
      );
    }
    expect(await readPending(user)).toEqual([200, 'in20@example.com']);
  });
});

describe('a database that accepts no connections', () => {
  it('makes every session check return the documented error, never an internal one, and recovers on its own', async () => {
    const own = await createTestApp();
    try {
      const user = await own.signUp();
      const [{ name }] = (await own.database.asOwner<{ name: string }>('select current_database() as name')) as [
        { name: string },
      ];
      // The owner is exempt from the limit; the server is not.
      await own.database.asOwner(`alter database ${name} connection limit 0`);
      await own.database.asOwner(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'sextant_server'`,
        [name],
      );
      const calls = [
        ['GET', '/api/auth/session'],
        ['GET', '/api/preferences'],
        ['POST', '/api/auth/signout'],
      ] as const;
      for (const [method, url] of calls) {
        const response = await own.app.inject({ method, url, headers: user.browser });
        expect([url, response.statusCode, response.json<{ code: string }>().code]).toEqual([
          url,
          503,
          'database_unavailable',
        ]);
        expect(response.headers['retry-after']).toBe('2');
      }
      await own.database.asOwner(`alter database ${name} connection limit -1`);
      const back = await own.app.inject({ url: '/api/auth/session', headers: user.browser });
      expect(back.json()).toMatchObject({ user: { email: user.email } });
    } finally {
      await own.close();
    }
  });
});
