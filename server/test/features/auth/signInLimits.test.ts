import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  // The proxy is configured, so the client address it forwards counts.
  test = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test.close());

const signIn = (email: string, password: string, ip = '203.0.113.1') =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/signin',
    payload: { email, password },
    headers: { 'x-forwarded-for': ip },
  });
const endAllWindows = () =>
  test.database.asOwner(`update rate_limits set window_ends_at = now() - interval '1 second'`);

describe('guessing a password', () => {
  it('stops after ten wrong ones from one network, and the right one is rejected then', async () => {
    const { email, password } = await test.signUp();
    const startedAt = performance.now();
    const guesses = [];
    for (let index = 0; index < 12; index += 1) guesses.push(await signIn(email, 'wrong'));
    expect(guesses.map((guess) => guess.statusCode)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const locked = await signIn(email, password);
    expect(locked.json()).toMatchObject({ status: 429, code: 'account_locked' });
    // A quarter of an hour from the first guess on.
    const secondsAgo = Math.ceil((performance.now() - startedAt) / 1000);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThanOrEqual(900 - secondsAgo - 1);
    await endAllWindows();
    expect((await signIn(email, password)).statusCode).toBe(200);
  });

  it('by strangers does not lock the owner out, neither at sign-in nor at a change of password', async () => {
    const { email, password, browser } = await test.signUp();
    for (let index = 0; index < 12; index += 1) await signIn(email, 'wrong', '203.0.113.77');
    expect((await signIn(email, 'wrong', '203.0.113.77')).statusCode).toBe(429);
    expect((await signIn(email, password, '203.0.113.78')).statusCode).toBe(200);
    const change = await test.app.inject({
      method: 'PATCH',
      url: '/api/auth/user',
      headers: { ...browser, 'x-forwarded-for': '203.0.113.77' },
      payload: { current_password: password, password: 'new secret' },
    });
    expect(change.statusCode).toBe(200);
  });

  it('from many networks stops after a hundred in an hour', async () => {
    const { email, password } = await test.signUp();
    const codes = [];
    for (let index = 0; index < 3; index += 1) {
      await test.database.asOwner(
        `update rate_limits set hit_count = 99 where key ~ '^guess:[^:]+$' and hit_count = 1 and $1::int = 1`,
        [index],
      );
      codes.push((await signIn(email, 'wrong', `198.51.100.${index}`)).statusCode);
    }
    expect(codes).toEqual([401, 401, 429]);
    expect((await signIn(email, password, '198.51.100.50')).json()).toMatchObject({ code: 'account_locked' });
  });

  it('from many networks does not lock the owner out where they signed in before, nor after a reset by email', async () => {
    const { id, email, password } = await test.signUp();
    expect((await signIn(email, password, '192.0.2.10')).statusCode).toBe(200);
    const lock = async () => {
      await signIn(email, 'wrong', '198.51.100.60');
      await test.database.asOwner(`update rate_limits set hit_count = 200 where key ~ '^guess:[^:]+$'`);
    };
    await lock();
    expect((await signIn(email, password, '192.0.2.99')).json()).toMatchObject({ code: 'account_locked' });
    // This network still has only ten guesses, whether it is the owner's or not.
    for (let index = 0; index < 10; index += 1)
      expect((await signIn(email, 'wrong', '192.0.2.10')).json()).toMatchObject({ code: 'invalid_credentials' });
    expect((await signIn(email, password, '192.0.2.10')).json()).toMatchObject({ code: 'account_locked' });
    const token = 'a'.repeat(43);
    await test.database.asOwner(
      `insert into auth_tokens (user_id, kind, token_hash, expires_at)
       values ($1, 'reset', $2, now() + interval '1 hour')`,
      [id, createHash('sha256').update(token).digest('base64url')],
    );
    const reset = await test.app.inject({
      method: 'POST',
      url: '/api/auth/reset',
      headers: { 'x-forwarded-for': '192.0.2.99' },
      payload: { token, password: 'brand new words' },
    });
    expect(reset.json()).toEqual({ done: true });
    // The strangers start again at once.
    await lock();
    expect((await signIn(email, 'brand new words', '192.0.2.99')).statusCode).toBe(200);
  });

  it('from a blocked network does not count against the account', async () => {
    await test.database.asOwner(
      `insert into rate_limits values ('signin:198.51.100.200', 100, now() + interval '5 minutes')`,
    );
    const before = await test.database.asOwner(`select key from rate_limits where key like 'guess:%'`);
    expect((await signIn('victim@example.com', 'wrong', '198.51.100.200')).statusCode).toBe(429);
    expect(await test.database.asOwner(`select key from rate_limits where key like 'guess:%'`)).toEqual(before);
  });

  it('concurrently does not allow one guess more', async () => {
    const { email } = await test.signUp();
    const guesses = await Promise.all(Array.from({ length: 25 }, () => signIn(email, 'wrong')));
    expect(guesses.filter((guess) => guess.statusCode === 401)).toHaveLength(10);
  });

  it('locks an address that has no account in the same way', async () => {
    const responses = [];
    for (let index = 0; index < 11; index += 1) responses.push(await signIn('no-such-account@example.com', 'wrong'));
    expect(responses.at(-1)?.json()).toMatchObject({ code: 'account_locked' });
  });

  it('resets the count after the right password', async () => {
    const { email, password } = await test.signUp();
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 9; index += 1) expect((await signIn(email, 'wrong')).statusCode).toBe(401);
      expect((await signIn(email, password)).statusCode).toBe(200);
    }
  });

  it('counts the current password of a password change too', async () => {
    const { browser } = await test.signUp();
    const change = () =>
      test.app.inject({
        method: 'PATCH',
        url: '/api/auth/user',
        headers: browser,
        payload: { current_password: 'wrong', password: 'new secret' },
      });
    const codes = [];
    for (let index = 0; index < 11; index += 1) codes.push((await change()).statusCode);
    expect(codes).toEqual([...Array<number>(10).fill(400), 429]);
  });
});

describe('one network', () => {
  it('may try a hundred sign-ins in ten minutes, whatever addresses of its /64 it uses', async () => {
    await test.database.asOwner(
      `insert into rate_limits values ('signin:2001:db8:0:7::/64', 99, now() + interval '5 minutes')`,
    );
    expect((await signIn('one@example.com', 'wrong', '2001:db8:0:7::1')).statusCode).toBe(401);
    const blocked = await signIn('two@example.com', 'wrong', '2001:db8:0:7:ffff::2');
    expect(blocked.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await signIn('three@example.com', 'wrong', '2001:db8:0:8::1')).statusCode).toBe(401);
  });

  it('may make thirty accounts in ten minutes', async () => {
    await test.database.asOwner(
      `insert into rate_limits values ('signup:198.51.100.9', 30, now() + interval '5 minutes')`,
    );
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/auth/signup',
      payload: { email: 'late@example.com', password: 'secret1' },
      headers: { 'x-forwarded-for': '198.51.100.9' },
    });
    expect(response.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  });

  it('cannot evade its limit by claiming another address when no proxy is configured', async () => {
    const direct = await createTestApp();
    try {
      await direct.database.asOwner(
        `insert into rate_limits values ('signin:127.0.0.1', 100, now() + interval '5 minutes')`,
      );
      const response = await direct.app.inject({
        method: 'POST',
        url: '/api/auth/signin',
        payload: { email: 'a@b.example', password: 'wrong' },
        headers: { 'x-forwarded-for': '203.0.113.99', forwarded: 'for=203.0.113.99', 'x-real-ip': '203.0.113.99' },
      });
      expect(response.statusCode).toBe(429);
    } finally {
      await direct.close();
    }
  });
});

describe('a flood of sign-ins', () => {
  it('is queued up to a limit and then rejected with a time to wait', async () => {
    const flood = await Promise.all(
      Array.from({ length: 60 }, (_, index) => signIn(`flood${index}@example.com`, 'wrong', `198.18.0.${index}`)),
    );
    const counts = flood.reduce<Record<string, number>>((seen, response) => {
      const code = response.json<{ code: string }>().code;
      if (code === 'overloaded') expect(response.headers['retry-after']).toBe('2');
      return { ...seen, [code]: (seen[code] ?? 0) + 1 };
    }, {});
    expect(Object.keys(counts).sort()).toEqual(['invalid_credentials', 'overloaded']);
    expect(counts['invalid_credentials']).toBeGreaterThanOrEqual(36);
  });

  it('from one network rejects no sign-in from another', async () => {
    const flood = Array.from({ length: 90 }, (_, index) => signIn(`many${index}@example.com`, 'wrong', '198.18.9.9'));
    const other = await signIn('somebody@example.com', 'wrong', '198.18.9.10');
    expect(other.json()).toMatchObject({ code: 'invalid_credentials' });
    const codes = (await Promise.all(flood)).map((response) => response.json<{ code: string }>().code);
    expect(codes).toContain('overloaded');
  });
});
