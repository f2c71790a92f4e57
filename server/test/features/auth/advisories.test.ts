import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config.ts';
import { createTestApp, ownOrigin, type TestApp } from '../../support/createTestApp.ts';

/** Attacks from the 2026 advisories of sign-in libraries, run against this server. */
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const evil = 'https://evil.example/steal';

describe('redirects', () => {
  it.each([
    '/api/auth/sign-in/email',
    '/api/auth/sign-in/social',
    '/api/auth/callback/google',
    '/api/auth/verify-email',
    '/api/auth/reset-password/token',
    '/api/auth/sextant/session',
    '/api/auth/get-session',
    '/api/auth/ok',
    '/api/auth/error',
  ])('%s of the library is not a route, with or without a redirect target', async (path) => {
    for (const method of ['GET', 'POST'] as const) {
      for (const query of ['', `?callbackURL=${encodeURIComponent(evil)}&token=x`]) {
        const response = await test.app.inject({ method, url: path + query, headers: { origin: ownOrigin } });
        expect([response.statusCode, response.headers.location], `${method} ${path}${query}`).toEqual([404, undefined]);
      }
    }
  });

  it.each(['callbackURL', 'redirectTo', 'errorCallbackURL'])('a body with %s is rejected', async (field) => {
    const { email, password } = await test.signUp();
    for (const url of ['/api/auth/signin', '/api/auth/signup', '/api/auth/reset-request']) {
      const payload = { email, ...(url.endsWith('request') ? {} : { password }), [field]: evil };
      const response = await test.app.inject({ method: 'POST', url, payload });
      expect(response.json(), url).toMatchObject({ status: 400, field });
    }
  });

  it('links in emails and cookies use the configured address, whatever host a request claims', async () => {
    const { email, password } = await test.signUp();
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/auth/signin',
      payload: { email, password },
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(String(response.headers['set-cookie'])).not.toMatch(/domain=|evil/i);
  });
});

describe('sessions', () => {
  it('of a deleted account are gone from the table, from memory and from other sign-ins', async () => {
    const { id, email, password, bearer, browser } = await test.signUp();
    const second = await test.app.inject({ method: 'POST', url: '/api/auth/signin', payload: { email, password } });
    const { token } = second.json<{ token: string }>();
    const all = [bearer, browser, { authorization: `Bearer ${token}` }];
    const isIn = async (headers: Record<string, string>) =>
      (await test.app.inject({ url: '/api/preferences', headers })).statusCode;
    for (const headers of all) expect(await isIn(headers)).toBe(200);
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/account/deletion',
      headers: browser,
      payload: { email },
    });
    expect(response.statusCode).toBe(200);
    for (const headers of all) expect(await isIn(headers)).toBe(401);
    expect(await test.database.asOwner('select id from sessions where user_id = $1', [id])).toEqual([]);
  });

  it('are ended by their owner alone', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const listed = await test.app.inject({ url: '/api/auth/sessions', headers: anna.bearer });
    const [session] = listed.json<{ sessions: { id: string }[] }>().sessions;
    const url = `/api/auth/sessions/${session?.id ?? ''}`;
    const foreign = await test.app.inject({ method: 'DELETE', url, headers: bert.bearer });
    expect(foreign.statusCode).toBe(404);
    expect((await test.app.inject({ url: '/api/preferences', headers: anna.bearer })).statusCode).toBe(200);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer  x',
    'Bearer %',
    'Bearer \u00ff\u00fe',
    'Basic Og==',
    'Digest',
    ', ,',
    'Bearer a.b.c.d',
    `Bearer ${'%00'.repeat(50)}`,
  ])('a header %j is no session and returns 401', async (authorization) => {
    const response = await test.app.inject({ url: '/api/preferences', headers: { authorization } });
    expect(response.statusCode).toBe(401);
  });

  it.each([
    'sextant.session_token=',
    'sextant.session_token=%',
    'sextant.session_token=a.b; sextant.session_token=c.d',
  ])('a cookie %j is no session and returns 401', async (cookie) => {
    const response = await test.app.inject({ url: '/api/preferences', headers: { cookie } });
    expect(response.statusCode).toBe(401);
  });
});

describe('addresses', () => {
  it.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\u0000',
    'a@example.com,b@example.com',
    '<a@example.com>',
    'a@@example.com',
    'a@example',
    'a b@example.com',
    '"><script>"@example.com',
  ])('%j is rejected before anything is looked up', async (email) => {
    for (const url of ['/api/auth/signup', '/api/auth/reset-request']) {
      const payload = url.endsWith('signup') ? { email, password: 'purple anchors' } : { email };
      const response = await test.app.inject({ method: 'POST', url, payload });
      expect(response.json(), url).toMatchObject({ status: 400 });
    }
  });

  it('are normalised before validation: what is valid afterwards is the address of one account', async () => {
    await test.signUp('unicode@example.com');
    for (const email of ['ｕnicode@example.com', 'UNICODE@EXAMPLE.COM', 'unicode\uFF20example.com']) {
      const payload = { email, password: 'purple anchors' };
      const response = await test.app.inject({ method: 'POST', url: '/api/auth/signup', payload });
      expect(response.json(), email).toMatchObject({ status: 409, code: 'email_taken' });
    }
  });
});

describe('a setting that is wrong', () => {
  it.each([
    { PUBLIC_URL: 'not a url' },
    { SIGN_UP_CONFIRMATION: 'yes please' },
    { SIGN_UP_CONFIRMATION: 'on' },
    { TRUST_PROXY: 'everybody!' },
  ])('%j stops the server at startup: it never runs with less protection than configured', async (env) => {
    await expect(createTestApp({ env })).rejects.toThrow(ConfigError);
  });
});

describe('AUTH-020 AUTH-021 another provider behind the same interface', () => {
  it('serves sign-in, session and sign-out without the built-in provider', async () => {
    const account = { id: '7f1c1f0e-3f55-4c59-9c55-0f7a3c0b1d11', email: 'hosted@example.com', createdAt: new Date(0) };
    const session = { id: '0b8f3f9e-7c06-4d2c-8a4e-0a5f5a6b7c8d', account, expiresAt: new Date(4e12), cookies: [] };
    let isIn = false;
    const own = await createTestApp();
    const hosted = await createTestApp({
      deps: {
        auth: {
          ...own.deps.auth,
          signIn: () => {
            isIn = true;
            return Promise.resolve({ ok: true, value: { ...session, token: 'hosted token' } });
          },
          getSession: () => Promise.resolve(isIn ? session : null),
          signOut: () => {
            isIn = false;
            return Promise.resolve([]);
          },
        },
      },
    });
    try {
      const send = (url: string, payload?: object) =>
        hosted.app.inject({ method: 'POST', url, headers: { origin: ownOrigin }, ...(payload ? { payload } : {}) });
      const who = async () => (await hosted.app.inject({ url: '/api/auth/session' })).json<{ user: unknown }>().user;
      expect(await who()).toBeNull();
      const entered = await send('/api/auth/signin', { email: account.email, password: 'known elsewhere' });
      expect(entered.json()).toMatchObject({ token: 'hosted token', user: { email: account.email } });
      expect(await who()).toMatchObject({ email: account.email });
      await send('/api/auth/signout');
      expect(await who()).toBeNull();
    } finally {
      await hosted.close();
      await own.close();
    }
  });
});
