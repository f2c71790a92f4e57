import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.signUp();
});
afterAll(() => test.close());

const change = async (headers: Record<string, string>) => {
  const response = await test.app.inject({ method: 'PUT', url: '/api/preferences', headers, payload: { leverage: 3 } });
  return response.json<{ code?: string }>().code ?? response.statusCode;
};

describe('a change with a cookie', () => {
  it.each<[string, Record<string, string>, number | string]>([
    ['our own page', { origin: 'http://localhost' }, 200],
    ['our own page on its port', { origin: 'http://localhost:3000', host: 'localhost:3000' }, 200],
    ['a same-origin fetch without Origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a client that sends neither header', {}, 'origin_refused'],
    ['another site', { origin: 'https://evil.example' }, 'origin_refused'],
    [
      'another site that fakes nothing',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      'origin_refused',
    ],
    ['a sibling subdomain', { origin: 'http://localhost', 'sec-fetch-site': 'same-site' }, 'origin_refused'],
    ['another port of this machine', { origin: 'http://localhost:8080' }, 'origin_refused'],
    ['another scheme', { origin: 'https://localhost' }, 'origin_refused'],
    ['a sandboxed frame', { origin: 'null' }, 'origin_refused'],
    [
      'a name that was rebound to this machine',
      { origin: 'http://evil.example', host: 'evil.example' },
      'origin_refused',
    ],
    ['a name that starts like ours', { origin: 'http://localhost.evil.example' }, 'origin_refused'],
  ])('from %s', async (_name, headers, expected) => {
    expect(await change({ cookie: user.browser.cookie, ...headers })).toBe(expected);
  });
});

describe('without a cookie', () => {
  it('a token needs no origin', async () => {
    expect(await change(user.bearer)).toBe(200);
    expect(await change({ ...user.bearer, origin: 'https://evil.example' })).toBe(200);
  });

  it('another site cannot sign its visitors in here', async () => {
    for (const url of ['/api/auth/signin', '/api/auth/signup', '/api/auth/demo', '/api/auth/signout']) {
      const headers = { origin: 'https://evil.example' };
      const payload = { email: 'a@b.example', password: 'secret1' };
      const response = await test.app.inject({ method: 'POST', url, headers, payload });
      expect(response.json(), url).toMatchObject({ status: 403, code: 'origin_refused' });
    }
  });
});

describe('behind a domain', () => {
  it('only PUBLIC_URL is our origin, and the cookie is Secure', async () => {
    const shop = await createTestApp({ env: { PUBLIC_URL: 'https://sextant.example/', HOST: '0.0.0.0' } });
    try {
      const signUp = (origin: string, email: string) =>
        shop.app.inject({
          method: 'POST',
          url: '/api/auth/signup',
          headers: { origin },
          payload: { email, password: 'another one' },
        });
      const good = await signUp('https://sextant.example', 'a@b.example');
      expect(good.statusCode).toBe(200);
      expect(String(good.headers['set-cookie'])).toMatch(
        /^__Host-sextant\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(good.headers['strict-transport-security']).toBe('max-age=31536000');
      for (const origin of ['http://sextant.example', 'http://localhost', 'https://sextant.example.evil.example']) {
        expect((await signUp(origin, 'c@d.example')).statusCode, origin).toBe(403);
      }
    } finally {
      await shop.close();
    }
  });
});

it('an Authorization header that is not a Bearer token does not count as one', async () => {
  for (const authorization of ['Basic YTpi', 'x', 'Bearer', 'Digest username="a"']) {
    const headers = { cookie: user.browser.cookie, origin: 'https://evil.example', authorization };
    expect(await change(headers), authorization).toBe('origin_refused');
  }
});
