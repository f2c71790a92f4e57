import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredSessions } from '../../../src/features/auth/expiredSessions.ts';
import { cookieOf, createTestApp, ownOrigin, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ passwords: 'product' });
});
afterAll(() => test.close());

const sessionOf = async (headers: Record<string, string>) =>
  (await test.app.inject({ url: '/api/auth/session', headers })).json<{ user: { email: string } | null }>().user;
const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'POST', url: '/api/auth/signin', payload: { email, password }, headers });

describe('a page of another user than the cookie', () => {
  it('AUTH-018 changes nothing of the user who signed in later, and its own user changes it', async () => {
    const [first, second] = [await test.signUp(), await test.signUp()];
    const change = (pageUserId: string) =>
      test.app.inject({
        method: 'PUT',
        url: '/api/preferences',
        headers: { ...second.browser, 'x-user-id': pageUserId },
        payload: { leverage: 7 },
      });
    const rejected = await change(first.id);
    expect(rejected.statusCode).toBe(401);
    expect(rejected.json()).toMatchObject({
      code: 'not_authenticated',
      message: 'Another user has signed in. Reload the page.',
    });
    const leverageOf = () =>
      test.database.asOwner('select leverage from preferences where user_id = any($1)', [[first.id, second.id]]);
    expect(await leverageOf()).toEqual([{ leverage: 10 }, { leverage: 10 }]);
    expect((await change(second.id)).statusCode).toBe(200);
    expect(await leverageOf()).toContainEqual({ leverage: 7 });
  });
});

describe('signing up', () => {
  it('returns a session at once, as a cookie and as a token', async () => {
    const user = await test.signUp('ann@example.com');
    expect(await sessionOf(user.bearer)).toMatchObject({ email: 'ann@example.com' });
    expect(await sessionOf(user.browser)).toMatchObject({ email: 'ann@example.com' });
  });

  it('creates the preferences and the profile of the account with it', async () => {
    const user = await test.signUp('rows@example.com');
    const rows = await test.database.asOwner(
      'select display_name, leverage from profiles join preferences using (user_id) where user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ display_name: 'Trader', leverage: 10 }]);
  });

  it('treats spelling variants of one address as one account', async () => {
    await test.signUp('case@example.com');
    for (const email of [' Case@Example.COM ', 'ｃａｓｅ@example.com']) {
      const response = await test.app.inject({
        method: 'POST',
        url: '/api/auth/signup',
        payload: { email, password: 'another one' },
      });
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([409, 'email_taken']);
      expect((await signIn(email, 'correct horse')).statusCode).toBe(200);
    }
  });

  it('accepts a local part longer than a name may be, and names no account after its address', async () => {
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/auth/signup',
      payload: { email: `${'a'.repeat(120)}@example.com`, password: 'correct horse' },
    });
    expect(response.statusCode).toBe(200);
    const rows = await test.database.asOwner(`select name from users where email like 'aaaa%'`);
    expect(rows).toEqual([{ name: 'Trader' }]);
  });

  it('two concurrent sign-ups with one address make one account', async () => {
    const attempt = () =>
      test.app.inject({
        method: 'POST',
        url: '/api/auth/signup',
        payload: { email: 'twice@example.com', password: 'correct horse' },
      });
    const codes = (await Promise.all([attempt(), attempt(), attempt()])).map((response) => response.statusCode);
    expect(codes.sort()).toEqual([200, 409, 409]);
    const rows = await test.database.asOwner(
      `select count(*)::int as n from accounts join users on users.id = user_id where email = 'twice@example.com'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it.each([
    [{ email: '', password: 'secret1' }, 'email', 'Email cannot be empty'],
    [{ email: 'nobody', password: 'secret1' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@b.example', password: '' }, 'password', 'Password cannot be empty'],
    [{ email: 'a@b.example', password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ email: 'a@b.example' }, 'password', 'Password cannot be empty'],
    [{ email: 'a@b.example', password: 'secret1', role: 'admin' }, 'role', 'role: is not known here; remove it'],
    [{ email: { $ne: null }, password: 'secret1' }, 'email', 'Email cannot be empty'],
  ])('rejects %j and names %s', async (payload, field, message) => {
    const response = await test.app.inject({ method: 'POST', url: '/api/auth/signup', payload });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed', field, message });
  });
});

describe('signing in', () => {
  it('sets one cookie that scripts cannot read and other sites do not send', async () => {
    const { email, password } = await test.signUp();
    const cookies = (await signIn(email, password)).headers['set-cookie'];
    expect(cookies).toHaveLength(1);
    expect(String(cookies)).toMatch(/^sextant\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('never takes over a session of the browser', async () => {
    const visitor = await test.signUp();
    const { email, password } = await test.signUp();
    const response = await signIn(email, password, visitor.browser);
    expect(cookieOf(response)).not.toBe(visitor.browser.cookie);
    expect(await sessionOf({ cookie: cookieOf(response) })).toMatchObject({ email });
    expect(await sessionOf(visitor.browser)).toMatchObject({ email: visitor.email });
  });

  it('returns the same for a wrong password and an unknown address', async () => {
    const { email } = await test.signUp();
    const responses = await Promise.all([signIn(email, 'wrong'), signIn('unknown@example.com', 'wrong')]);
    const bodies = responses.map((response) => {
      const { request_id: requestId, ...rest } = response.json<Record<string, unknown>>();
      expect(requestId).toBe(response.headers['x-request-id']);
      return [response.statusCode, rest];
    });
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject([401, { code: 'invalid_credentials', message: 'Invalid email or password.' }]);
  });
});

describe('a token', () => {
  it('is invalid when any part of it is changed', async () => {
    const { bearer } = await test.signUp();
    const token = bearer.authorization.slice('Bearer '.length);
    const [value = '', signature = ''] = token.split('.');
    const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    const tampered = [
      `${flip(value)}.${signature}`,
      `${value}.${flip(signature)}`,
      value,
      `${value}.`,
      `.${signature}`,
      `${token}.${signature}`,
      '%E0%A4%A.%',
      '',
      'x'.repeat(5000),
    ];
    expect(await sessionOf(bearer)).not.toBeNull();
    for (const each of tampered) expect(await sessionOf({ authorization: `Bearer ${each}` }), each).toBeNull();
    for (const header of [token, `Basic ${token}`, 'Bearer', 'bearer  ']) {
      expect(await sessionOf({ authorization: header }), header).toBeNull();
    }
  });

  it('takes precedence: a wrong one is not rescued by a valid cookie', async () => {
    const { browser } = await test.signUp();
    expect(await sessionOf({ ...browser, authorization: 'Bearer wrong.token' })).toBeNull();
  });

  it('expires on time, whatever the cookie says', async () => {
    const { id, bearer } = await test.signUp();
    await test.database.asOwner(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
      id,
    ]);
    expect(await sessionOf(bearer)).toBeNull();
  });
});

describe('signing out', () => {
  it('ends the session at once, also when it is cached, and clears the cookie', async () => {
    const { browser, bearer } = await test.signUp();
    expect(await sessionOf(browser)).not.toBeNull();
    expect(await sessionOf(bearer)).not.toBeNull();
    const response = await test.app.inject({ method: 'POST', url: '/api/auth/signout', headers: browser });
    expect(response.json()).toEqual({ signed_out: true });
    expect(String(response.headers['set-cookie'])).toMatch(/session_token=; Max-Age=0/);
    expect(await sessionOf(browser)).toBeNull();
    expect(await sessionOf(bearer)).toBeNull();
  });

  it('succeeds without a session', async () => {
    const response = await test.app.inject({ method: 'POST', url: '/api/auth/signout' });
    expect(response.statusCode).toBe(200);
  });
});

describe('changing the password', () => {
  const change = (headers: Record<string, string>, payload: Record<string, string>) =>
    test.app.inject({ method: 'PATCH', url: '/api/auth/user', headers, payload });

  it('ends every session, gives the caller a new one, and invalidates the old password', async () => {
    const { email, password, browser, bearer } = await test.signUp();
    const elsewhere = { cookie: cookieOf(await signIn(email, password)) };
    expect(await sessionOf(elsewhere)).not.toBeNull();
    const response = await change(browser, { current_password: password, password: 'new secret' });
    expect(response.statusCode).toBe(200);
    for (const old of [browser, bearer, elsewhere]) expect(await sessionOf(old)).toBeNull();
    expect(await sessionOf({ cookie: cookieOf(response) })).toMatchObject({ email });
    expect((await signIn(email, password)).statusCode).toBe(401);
    expect((await signIn(email, 'new secret')).statusCode).toBe(200);
  });

  it('requires the current password and a session', async () => {
    const { browser } = await test.signUp();
    const wrong = await change(browser, { current_password: 'wrong', password: 'new secret' });
    expect(wrong.json()).toMatchObject({ status: 400, field: 'current_password' });
    const short = await change(browser, { current_password: 'correct horse', password: '12345' });
    expect(short.json()).toMatchObject({ status: 400, message: 'Password must be at least 6 characters' });
    const anonymous = await change({ origin: ownOrigin }, { current_password: 'x', password: 'new secret' });
    expect(anonymous.json()).toMatchObject({ status: 401, code: 'not_authenticated' });
  });
});

describe('the demo account', () => {
  it('is signed into without a password, also by concurrent visitors', async () => {
    const press = () => test.app.inject({ method: 'POST', url: '/api/auth/demo', headers: { origin: ownOrigin } });
    const responses = await Promise.all([press(), press(), press()]);
    for (const response of responses) {
      expect(response.statusCode).toBe(200);
      expect(await sessionOf({ cookie: cookieOf(response) })).toMatchObject({
        email: expect.stringMatching(/^demo\+[0-9a-f-]{36}@sextant\.local$/) as string,
      });
    }
  });

  it('cannot be taken by signing up or in with its address, before or after the first press', async () => {
    const fresh = await createTestApp();
    const send = (url: string, email: string) =>
      fresh.app.inject({ method: 'POST', url, payload: { email, password: 'correct horse' } });
    const taken = [409, 'email_taken'];
    const codeOf = async (url: string, email = 'demo@sextant.local') => {
      const response = await send(url, email);
      return [response.statusCode, response.json<{ code: string }>().code];
    };
    try {
      expect(await codeOf('/api/auth/signup')).toEqual(taken);
      expect(await codeOf('/api/auth/signup', ' DEMO@sextant.local')).toEqual(taken);
      expect(await codeOf('/api/auth/signup', 'demo+1@sextant.local')).toEqual(taken);
      expect((await fresh.app.inject({ method: 'POST', url: '/api/auth/demo' })).statusCode).toBe(200);
      expect(await codeOf('/api/auth/signup')).toEqual(taken);
      expect(await codeOf('/api/auth/signin')).toEqual([401, 'invalid_credentials']);
    } finally {
      await fresh.close();
    }
  });

  it('has no password that could be changed', async () => {
    const entered = await test.app.inject({ method: 'POST', url: '/api/auth/demo', headers: { origin: ownOrigin } });
    const response = await test.app.inject({
      method: 'PATCH',
      url: '/api/auth/user',
      headers: { cookie: cookieOf(entered), origin: ownOrigin },
      payload: { current_password: 'anything', password: 'my own now' },
    });
    expect(response.json()).toMatchObject({ status: 400, field: 'current_password' });
  });

  it('is entered without hashing, so that a flood of entries does not slow sign-ups', async () => {
    const press = (index: number) =>
      test.deps.auth.enterDemo({ ip: `198.18.1.${index}`, userAgent: undefined }).then((outcome) => outcome.ok);
    const flood = Promise.all(Array.from({ length: 250 }, (_, index) => press(index % 250)));
    const signUp = await test.app.inject({
      method: 'POST',
      url: '/api/auth/signup',
      payload: { email: 'besides@example.com', password: 'correct horse' },
    });
    expect(signUp.statusCode).toBe(200);
    expect(new Set(await flood)).toEqual(new Set([true]));
  });

  it('may be entered twenty times an hour from one network', async () => {
    await test.database.asOwner(
      `insert into rate_limits values ('demo:127.0.0.1', 19, now() + interval '5 minutes')
       on conflict (key) do update set hit_count = 19`,
    );
    const press = () => test.app.inject({ method: 'POST', url: '/api/auth/demo', headers: { origin: ownOrigin } });
    expect((await press()).statusCode).toBe(200);
    const blocked = await press();
    expect(blocked.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('does not exist on the live market', async () => {
    const live = await createTestApp({ env: { MARKET: 'live' } });
    try {
      const response = await live.app.inject({ method: 'POST', url: '/api/auth/demo' });
      expect(response.statusCode).toBe(404);
      const info = await live.app.inject({ url: '/api/app' });
      expect(info.json()).toEqual({
        mode: 'live',
        market: 'live',
        demoAccount: false,
        mail: false,
        outbox: false,
        signUpConfirmation: false,
        contact: { email: null, phone: null },
        version: '0.0.0-test',
      });
    } finally {
      await live.close();
    }
  });
});

describe('secrets', () => {
  it('a password is stored as an argon2id hash and nowhere else', async () => {
    const { id } = await test.signUp();
    const [row] = await test.database.asOwner<{ password: string }>(
      'select password from accounts where user_id = $1',
      [id],
    );
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('expired sessions', () => {
  it('are deleted, the others stay', async () => {
    const { id, bearer } = await test.signUp();
    const old = await test.signUp();
    await test.database.asOwner(`update sessions set expires_at = now() - interval '1 day' where user_id = $1`, [
      old.id,
    ]);
    await deleteExpiredSessions(test.database.db);
    const rows = await test.database.asOwner('select user_id from sessions where user_id in ($1, $2)', [id, old.id]);
    expect(rows).toEqual([{ user_id: id }]);
    expect(await sessionOf(bearer)).not.toBeNull();
  });
});
