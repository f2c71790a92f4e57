import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/features/apiKeys/keyFormat.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { createTestApp, type TestUser } from '../../support/createTestApp.ts';
import { createNode, giveCredits, makeKey, type Node } from './support.ts';

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (headers: Record<string, string>, url: string, method: Method = 'GET', payload?: object) =>
  test.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const whoAmI = (headers: Record<string, string>, app: Pick<Node, 'app'> = test) =>
  app.app.inject({ url: '/api/account/whoami', headers });
const url = '/api/account/api-keys';

describe('making keys', () => {
  it('KEY-013 KEY-014 KEY-021 DATA-021 API-026 API-027 shows a key once, and only its hash is stored', async () => {
    const made = await call(anna.bearer, url, 'POST', {});
    const { api_key: key, key: row } = made.json<{ api_key: string; key: { id: string; masked: string } }>();
    expect(row).toMatchObject({
      name: 'Server key',
      active: true,
      last_used_at: null,
      scopes: [],
      ip_allowlist: [],
      credit_cap: null,
      credits_this_month: 0,
      previous: null,
    });
    expect(row.masked).toBe(`${key.slice(0, 17)}…${key.slice(-4)}`);
    const list = await call(anna.bearer, url);
    expect(list.json<{ keys: unknown[] }>().keys).toContainEqual(row);
    expect(list.body).not.toContain(key);
    const secret = key.slice(17);
    const dump = await test.database.asOwner<{ text: string }>(
      `select coalesce(string_agg(t::text, ' '), '') as text from (
         select to_jsonb(k) from api_keys k union all select to_jsonb(s) from api_key_secrets s) t`,
    );
    expect(dump[0]?.text).not.toContain(secret);
    const exported = await call(anna.bearer, '/api/account/export');
    expect(exported.body).toContain('"api_keys"');
    expect(exported.body).not.toContain(secret);
    expect(exported.json<{ withheld: object[] }>().withheld).toContainEqual({
      table: 'api_key_secrets',
      columns: ['secret_hash'],
    });
  });

  it('KEY-015 names the field of a wrong scope or address', async () => {
    const scope = await call(anna.bearer, url, 'POST', { scopes: ['read:everything'] });
    expect(scope.json()).toMatchObject({ status: 400, code: 'validation_failed', field: 'scopes.0' });
    expect(scope.json<{ message: string }>().message).toContain('read:market');
    const address = await call(anna.bearer, url, 'POST', { ip_allowlist: ['10.0.0.0/8', 'home'] });
    expect(address.json()).toMatchObject({ status: 400, field: 'ip_allowlist.1' });
    expect(address.json<{ message: string }>().message).toContain('203.0.113.0/24');
  });

  it('requires recent authentication, and rejects the shared demo account', async () => {
    const stale = await test.signUp();
    await test.database.asOwner(`update sessions set proved_at = now() - interval '1 hour' where user_id = $1`, [
      stale.id,
    ]);
    expect((await call(stale.bearer, url, 'POST', {})).json()).toMatchObject({ code: 'step_up_required' });
  });

  it('stops at 20 active keys', async () => {
    const bert = await test.signUp();
    for (let at = 0; at < 20; at += 1) await makeKey(test, bert);
    const more = await call(bert.bearer, url, 'POST', {});
    expect(more.json()).toMatchObject({ status: 409, code: 'conflict' });
  });
});

describe('API-043 calling with a key', () => {
  it('acts as its user, and returns the properties of the key', async () => {
    const { id, header } = await makeKey(test, anna, { name: 'Bot', scopes: ['read:market'] });
    const response = await whoAmI(header);
    expect(response.json()).toEqual({
      user_id: anna.id,
      username: null,
      mode: 'live',
      key: { id, name: 'Bot', scopes: ['read:market'], credit_cap: null },
      ip: '127.0.0.1',
      plan: 'FREE',
      hourly_limit: 60,
    });
    expect((await whoAmI(anna.bearer)).json()).toMatchObject({ user_id: anna.id, key: null });
  });

  it('ERR-001 returns it for an invalid, unknown or misplaced key', async () => {
    const { key } = await makeKey(test, anna);
    const stranger = await makeKey(test, await test.signUp());
    await test.database.asOwner('delete from api_key_secrets where key_id = $1', [stranger.id]);
    for (const wrong of ['', 'x', `${key}x`, key.slice(0, -1), stranger.key]) {
      const response = await whoAmI({ 'x-api-key': wrong });
      expect(response.json(), wrong).toMatchObject({ status: 401, message: 'Invalid or missing API key.' });
    }
    // A key takes precedence over a valid session.
    expect((await whoAmI({ ...anna.bearer, 'x-api-key': 'x' })).statusCode).toBe(401);
    expect((await whoAmI({ authorization: `Bearer ${key}` })).statusCode).toBe(401);
  });

  it('stops querying the database for a network that sends invalid keys, but still serves keys in use there', async () => {
    // A fixed time, so that all calls fall into one minute.
    const nowMs = Date.now();
    const node = await createNode(test, () => nowMs);
    try {
      const good = await makeKey(test, await test.signUp());
      expect((await whoAmI(good.header, node)).statusCode).toBe(200);
      const invented = () => whoAmI({ 'x-api-key': createKey('live').key }, node);
      const responses = await Promise.all(Array.from({ length: 121 }, invented));
      expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
      const rejected = await invented();
      expect(rejected.json()).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect((await whoAmI(good.header, node)).statusCode).toBe(200);
    } finally {
      await node.close();
    }
  });

  it('KEY-016 KEY-023 ERR-002 allows a key what its scopes say; an empty list means the read scopes', async () => {
    const reader = await makeKey(test, anna);
    const market = await makeKey(test, anna, { scopes: ['read:market'] });
    expect((await call(reader.header, '/api/credits')).statusCode).toBe(200);
    expect((await call(reader.header, '/api/klines?symbol=BTCUSDT&interval=1h&limit=2')).statusCode).toBe(200);
    expect((await call(market.header, '/api/klines?symbol=BTCUSDT&interval=1h&limit=2')).statusCode).toBe(200);
    const rejected = await call(market.header, '/api/credits');
    expect(rejected.json()).toMatchObject({ status: 403, code: 'forbidden' });
    expect(rejected.json<{ message: string }>().message).toContain('API key lacks required permissions.');
    expect(rejected.json<{ message: string }>().message).toContain('read:account');
    const scan = await call(reader.header, '/api/scan', 'POST', { symbols: ['BTCUSDT'] });
    expect(scan.json()).toMatchObject({ status: 403 });
  });

  it('returns the same body for a disallowed address and a missing scope', async () => {
    const away = await makeKey(test, anna, { scopes: ['read:account'], ip_allowlist: ['203.0.113.0/24'] });
    const narrow = await makeKey(test, anna, { scopes: ['read:market'] });
    const bodies = await Promise.all(
      [away, narrow].map(async ({ header }) => {
        const body = (await call(header, '/api/credits')).json<Record<string, unknown>>();
        return { ...body, request_id: '' };
      }),
    );
    expect(bodies[0]).toMatchObject({ status: 403, code: 'forbidden' });
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it('trusts an address of X-Forwarded-For only behind a configured proxy', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    const away = await makeKey(test, anna, { ip_allowlist: ['203.0.113.0/24'] });
    expect((await whoAmI({ ...away.header, ...forwarded })).statusCode).toBe(403);
    const behind = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    try {
      const user = await behind.signUp();
      const { header } = await makeKey(behind, user, { ip_allowlist: ['203.0.113.0/24'] });
      const response = await whoAmI({ ...header, ...forwarded }, behind);
      expect(response.json()).toMatchObject({ ip: '203.0.113.7' });
      expect((await whoAmI({ ...header, 'x-forwarded-for': '198.51.100.1' }, behind)).statusCode).toBe(403);
      expect((await whoAmI(header, behind)).statusCode).toBe(403);
    } finally {
      await behind.close();
    }
  });

  it('cannot make or change keys, change the account or buy plans', async () => {
    const all = await makeKey(test, anna, {
      scopes: ['read:market', 'read:signals', 'run:signals', 'run:backtest', 'read:account', 'manage:webhooks'],
    });
    const acts: [Method, string, object?][] = [
      ['GET', url],
      ['POST', url, {}],
      ['PATCH', `${url}/${all.id}`, { scopes: [] }],
      ['POST', `${url}/${all.id}/rotate`, {}],
      ['DELETE', `${url}/${all.id}`],
      ['POST', '/api/account/api-subscription', { plan: 'STARTER' }],
      ['PATCH', '/api/auth/user', { current_password: anna.password, password: 'another long one' }],
      ['POST', '/api/auth/email', { email: 'other@example.com' }],
      ['POST', '/api/billing/now/create-payment', { amount: 20, currency: 'usdt' }],
      ['GET', '/api/account/export'],
    ];
    for (const [method, path, payload] of acts)
      expect((await call(all.header, path, method, payload)).json(), path).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
  });
});

describe('changing and ending keys', () => {
  // A user per test, with a plan whose hourly limit allows every request of a poll.
  let carl: TestUser;
  beforeEach(async () => {
    carl = await test.signUp();
    await giveCredits(test, carl.id, 1000);
    const bought = await call(carl.bearer, '/api/account/api-subscription', 'POST', { plan: 'BUSINESS' });
    expect(bought.statusCode).toBe(200);
  });

  it('KEY-019 API-028 revokes a key on every node, and lists it as inactive', async () => {
    const node = await createNode(test, Date.now);
    try {
      const { id, header } = await makeKey(test, carl);
      for (const each of [test, node]) expect((await whoAmI(header, each)).statusCode).toBe(200);
      expect((await call(carl.bearer, `${url}/${id}`, 'DELETE')).json()).toEqual({ done: true });
      // ends.test.ts checks the time limit for this, on its own clock.
      for (const each of [test, node])
        await expect.poll(async () => (await whoAmI(header, each)).statusCode, { interval: 200 }).toBe(401);
      expect((await call(carl.bearer, `${url}/${id}`, 'DELETE')).statusCode).toBe(404);
      const keys = (await call(carl.bearer, url)).json<{ keys: { id: string; active: boolean }[] }>().keys;
      expect(keys.find((key) => key.id === id)?.active).toBe(false);
    } finally {
      await node.close();
    }
  });

  it('rotates with both keys valid for an hour or a day, or not at all', async () => {
    const made = await makeKey(test, carl, { name: 'Rotated' });
    const rotate = async (old_key_works: string) =>
      (await call(carl.bearer, `${url}/${made.id}/rotate`, 'POST', { old_key_works })).json<{
        api_key: string;
        key: { previous: { expires_at: string } | null };
      }>();
    const works = async (key: string) => (await whoAmI({ 'x-api-key': key })).statusCode === 200;
    const second = await rotate('hour');
    const hourMs = Date.parse(second.key.previous?.expires_at ?? '') - Date.now();
    expect(hourMs).toBeGreaterThan(3_500_000);
    expect(hourMs).toBeLessThan(3_700_000);
    await expect.poll(() => works(second.api_key)).toBe(true);
    expect(await works(made.key)).toBe(true);
    // A second rotation within the overlap leaves two keys, not three.
    const third = await rotate('day');
    await expect.poll(() => works(made.key)).toBe(false);
    expect(await works(second.api_key)).toBe(true);
    expect(await works(third.api_key)).toBe(true);
    await test.database.asOwner(
      `update api_key_secrets set expires_at = now() - interval '1 second' where key_id = $1 and expires_at is not null`,
      [made.id],
    );
    await call(carl.bearer, `${url}/${made.id}`, 'PATCH', { name: 'Rotated twice' });
    await expect.poll(() => works(second.api_key)).toBe(false);
    const last = await rotate('no_longer');
    expect(last.key.previous).toBeNull();
    await expect.poll(() => works(third.api_key)).toBe(false);
    expect(await works(last.api_key)).toBe(true);
  });

  it('applies changed scopes and addresses at once', async () => {
    const { id, header } = await makeKey(test, carl, { scopes: ['read:account'] });
    expect((await call(header, '/api/credits')).statusCode).toBe(200);
    const changed = await call(carl.bearer, `${url}/${id}`, 'PATCH', { scopes: ['read:market'], name: 'Narrow' });
    expect(changed.json()).toMatchObject({ key: { name: 'Narrow', scopes: ['read:market'] } });
    await expect.poll(async () => (await call(header, '/api/credits')).statusCode).toBe(403);
  });
});

describe('what a key spends', () => {
  const scan = (header: Record<string, string>, more: Record<string, string> = {}) =>
    call({ ...header, ...more }, '/api/scan', 'POST', { symbols: ['BTCUSDT'] });
  const balance = async (userId: string) =>
    (await test.database.asOwner<{ credits: number }>('select credits from balances where user_id = $1', [userId]))[0]
      ?.credits;

  it('X39 charges a paid call exactly once, as with a session', async () => {
    const bert = await test.signUp();
    const { id, header } = await makeKey(test, bert, { scopes: ['run:signals'] });
    const before = await balance(bert.id);
    const responses = await Promise.all([1, 2, 3].map(() => scan(header, { 'idempotency-key': 'the-same' })));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    expect(await balance(bert.id)).toBe((before ?? 0) - 1);
    await test.deps.api.calls.flush();
    const logged = await test.database.asOwner<{ credits: number }>('select credits from api_calls where key_id = $1', [
      id,
    ]);
    expect(logged.map(({ credits }) => credits).sort()).toEqual([0, 0, 1]);
    const [entry] = await test.database.asOwner<{ api_key_id: string }>(
      `select api_key_id from credit_ledger where user_id = $1 and kind = 'hold'`,
      [bert.id],
    );
    expect(entry?.api_key_id).toBe(id);
  });

  it('stops at its monthly cap, also for concurrent calls', async () => {
    const bert = await test.signUp();
    await giveCredits(test, bert.id, 20);
    const { header } = await makeKey(test, bert, { scopes: ['run:signals'], credit_cap: 3 });
    const before = await balance(bert.id);
    const responses = await Promise.all(Array.from({ length: 8 }, () => scan(header)));
    const codes = responses.map(({ statusCode }) => statusCode).sort();
    expect(codes).toEqual([202, 202, 202, 402, 402, 402, 402, 402]);
    expect(responses.find(({ statusCode }) => statusCode === 402)?.json()).toMatchObject({ code: 'key_cap_reached' });
    expect(await balance(bert.id)).toBe((before ?? 0) - 3);
    // The cap of a key does not apply to the user's session.
    expect((await scan(bert.bearer)).statusCode).toBe(202);
    const keys = (await call(bert.bearer, url)).json<{ keys: { credits_this_month: number }[] }>().keys;
    expect(keys[0]?.credits_this_month).toBe(3);
  });
});
