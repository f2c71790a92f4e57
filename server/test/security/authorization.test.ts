import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../support/createMarketApp.ts';
import { ownOrigin, type TestUser } from '../support/createTestApp.ts';
import { routeRows, type RouteRow } from './routeRows.ts';

/** Every API call, made by callers without access and by the one with access. */
let test: MarketApp;
let owner: TestUser;
let stranger: TestUser;
let revoked: TestUser;
let expired: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  [owner, stranger, revoked, expired] = await Promise.all([test.signUp(), test.signUp(), test.signUp(), test.signUp()]);
  await test.app.inject({ method: 'POST', url: '/api/auth/signout', headers: revoked.bearer });
  await test.database.asOwner(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
    expired.id,
  ]);
});
afterAll(() => test.close());

const rows = Object.entries(routeRows);
const methodOf = (route: string) => route.slice(0, route.indexOf(' ')) as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const patternOf = (route: string) => route.slice(route.indexOf(' ') + 1);

function call(route: string, row: RouteRow, headers: Record<string, string>, path?: string) {
  const request: InjectOptions = {
    method: methodOf(route),
    // A parameter in the format of every kind of id that belongs to no user.
    url: path ?? row.request?.path ?? patternOf(route).replace(/:[^/]+/g, '00000000-0000-4000-8000-000000000000'),
    headers: { ...row.request?.headers, ...headers },
  };
  if (row.request?.payload !== undefined) request.payload = row.request.payload;
  return test.app.inject(request);
}

const codeOf = (response: LightMyRequestResponse) =>
  `${response.statusCode} ${response.json<{ code?: string }>().code ?? ''}`.trim();
const isUnsafe = ([route]: [string, RouteRow]) => methodOf(route) !== 'GET';

describe('the table of routes', () => {
  it('has a row for every API call, and no row for one that no longer exists', () => {
    expect(Object.keys(routeRows).sort()).toEqual([...test.app.routeNames].sort());
  });

  it("states for every route that names one thing how another user's is rejected", () => {
    const silent = rows.filter(
      ([route, row]) => patternOf(route).includes(':') && row.foreign === undefined && row.publicName === undefined,
    );
    expect(silent.map(([route]) => route)).toEqual([]);
  });
});

describe('a route for signed-in users', () => {
  it.each(rows.filter(([, row]) => row.access === 'user'))(
    '%s rejects callers that are not signed in: DATA-026',
    async (route, row) => {
      const cookie = { origin: ownOrigin };
      const callers: [string, Record<string, string>][] = [
        ['nobody', cookie],
        ['an invented token', { authorization: 'Bearer not.a-token' }],
        ['a malformed header', { authorization: 'Bearer' }],
        ['a session that was signed out', revoked.bearer],
        ['a session that was signed out, as a cookie', revoked.browser],
        ['a session that is over', expired.bearer],
      ];
      for (const [name, headers] of callers) {
        expect(`${name}: ${codeOf(await call(route, row, headers))}`).toBe(`${name}: 401 not_authenticated`);
      }
    },
  );
});

describe('a route that names one thing', () => {
  it("hides that another user's exists", async () => {
    for (const [route, row] of rows) {
      if (row.foreign === undefined) continue;
      const foreign = await call(route, row, stranger.bearer, await row.foreign(test, owner));
      const missing = await call(route, row, stranger.bearer);
      expect(`${route}: ${codeOf(foreign)}`).toBe(`${route}: 404 not_found`);
      expect(`${route}: ${codeOf(missing)}`).toBe(`${route}: 404 not_found`);
    }
  });
});

describe('a route that changes something', () => {
  it.each(rows.filter(isUnsafe))('%s is rejected from another site', async (route, row) => {
    const foreign = await call(route, row, { cookie: owner.browser.cookie, origin: 'https://evil.example' });
    expect(codeOf(foreign)).toBe('403 origin_refused');
    const withoutOrigin = await call(route, row, { cookie: owner.browser.cookie });
    expect(codeOf(withoutOrigin)).toBe('403 origin_refused');
  });
});

describe('the response to an authorized caller', () => {
  const called = rows.filter(([, row]) => row.ownerIsNotCalled === undefined);
  it.each(called)('%s is no access error, and has the headers of every response', async (route, row) => {
    const path = row.foreign === undefined ? undefined : await row.foreign(test, owner);
    const response = await call(route, row, row.access === 'user' ? owner.bearer : { origin: ownOrigin }, path);
    expect(response.statusCode, response.body.slice(0, 200)).toBe(row.ownerStatus ?? 200);
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy': expect.stringContaining(`object-src 'none'`) as string,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'cache-control': expect.any(String) as string,
    });
    expect(response.headers['x-powered-by']).toBeUndefined();
  });
});
