import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCallLog, type LoggedCall } from '../../../src/features/apiKeys/callLog.ts';
import { readCalledRoutes, toCsv } from '../../../src/features/apiKeys/usage.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { makeKey } from './support.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const get = (url: string, headers: Record<string, string> = anna.bearer) => test.app.inject({ url, headers });
interface Item {
  created_at: string;
  path: string;
  route: string;
  status: number;
  success: boolean;
  key_name: string;
  request_id: string;
  ip: string;
  method: string;
}
const items = async (query = '', user = anna) =>
  (await get(`/api/account/api-logs${query}`, user.bearer)).json<{ items: Item[] }>().items;

const logged = (userId: string, keyId: string, more: Partial<LoggedCall> = {}): LoggedCall => ({
  atMs: Date.now(),
  requestId: crypto.randomUUID(),
  userId,
  keyId,
  method: 'GET',
  route: '/api/klines',
  path: '/api/klines',
  status: 200,
  durationMs: 10,
  ip: '203.0.113.7',
  credits: 0,
  ...more,
});

/** A call of an earlier day stands in the partition created that day; the database has those from yesterday on. */
async function makeDay(atMs: number): Promise<void> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  await test.database.asOwner(
    `create table if not exists api_log.calls_${day(atMs).replaceAll('-', '')} partition of api_calls
     for values from ('${day(atMs)} 00:00+00') to ('${day(atMs + 86_400_000)} 00:00+00')`,
  );
}

describe('API-029 the log of calls', () => {
  it('DATA-022 has a row for each call with a key, including rejected ones, and none for a session', async () => {
    const bert = await test.signUp();
    const { id, header } = await makeKey(test, bert, { name: 'Bot', scopes: ['read:account'] });
    const response = await get('/api/credits?x=1', header);
    await get('/api/klines?symbol=BTCUSDT&interval=1h', header);
    await get('/api/backtest/searches/00000000-0000-4000-8000-000000000000', header);
    await get('/api/credits', bert.bearer);
    const matches = await items('', bert);
    const times = matches.map(({ created_at: at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    // Sorted by path: calls within one millisecond have no defined order.
    expect(matches.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
      {
        path: '/api/backtest/searches/00000000-0000-4000-8000-000000000000',
        route: '/api/backtest/searches/:id',
        status: 403,
      },
      {
        method: 'GET',
        path: '/api/credits',
        route: '/api/credits',
        status: response.statusCode,
        success: response.statusCode < 400,
        ip: '127.0.0.1',
        request_id: response.headers['x-request-id'],
        key_id: id,
        key_name: 'Bot',
      },
      { path: '/api/klines', status: 403, success: false },
    ]);
    // Only its owner reads it.
    expect((await items()).filter(({ key_name: name }) => name === 'Bot')).toEqual([]);
    const keys = (await get('/api/account/api-keys', bert.bearer)).json<{ keys: object[] }>().keys;
    expect(keys[0]).toMatchObject({ last_used_ip: '127.0.0.1', last_used_at: expect.any(String) as string });
  });

  it('CONST-011 shows 20 by default, filtered by key, route and status', async () => {
    const bert = await test.signUp();
    const [first, second] = [await makeKey(test, bert), await makeKey(test, bert)];
    const { calls } = test.deps.api;
    for (let at = 0; at < 15; at += 1) {
      calls.add(logged(bert.id, first.id, { status: at < 5 ? 429 : 200 }));
      calls.add(logged(bert.id, second.id, { route: '/api/price/batch', path: '/api/price/batch', status: 404 }));
    }
    expect(await items('', bert)).toHaveLength(20);
    expect(await items('?limit=200', bert)).toHaveLength(30);
    expect(await items(`?limit=200&key_id=${first.id}`, bert)).toHaveLength(15);
    expect(await items('?limit=200&route=/api/price/batch', bert)).toHaveLength(15);
    expect(await items('?limit=200&status=429', bert)).toHaveLength(5);
    expect(await items('?limit=200&status=4xx', bert)).toHaveLength(20);
    expect(await items(`?limit=200&status=2xx&key_id=${second.id}`, bert)).toEqual([]);
    expect((await get('/api/account/api-logs?status=9', bert.bearer)).json()).toMatchObject({ field: 'status' });
  });

  it('names the routes of all stored calls, including those of weeks ago', async () => {
    const bea = await test.signUp();
    const { id } = await makeKey(test, bea);
    const weeksAgoMs = Date.now() - 20 * 86_400_000;
    await makeDay(weeksAgoMs);
    test.deps.api.calls.add(logged(bea.id, id, { route: '/api/price', atMs: weeksAgoMs }));
    test.deps.api.calls.add(logged(bea.id, id, { route: '/api/klines' }));
    expect((await get('/api/account/api-logs/routes', bea.bearer)).json()).toEqual({
      routes: ['/api/klines', '/api/price'],
    });
    const usage = (await get('/api/account/api-usage', bea.bearer)).json<{ routes: { route: string }[] }>();
    expect(usage.routes.map(({ route }) => route)).toEqual(['/api/klines']);
    expect((await get('/api/account/api-logs/routes', (await test.signUp()).bearer)).json()).toEqual({ routes: [] });
  });

  it('names them without reading every call', async () => {
    const user = await test.signUp();
    const { id } = await makeKey(test, user);
    await test.database.asOwner(
      `insert into api_calls (created_at, request_id, user_id, key_id, method, route, path, status, duration_ms, ip)
       select now(), gen_random_uuid(), $1, $2, 'GET', '/api/r' || n % 3, '/api/r', 200, 1, '10.0.0.1' from generate_series(1, 20000) n`,
      [user.id, id],
    );
    await test.database.asOwner('analyze api_calls');
    const read = await withUser(test.deps.db, user.id, async (tx) => {
      const routes = await readCalledRoutes(tx, user.id);
      const { rows } = await sql<{ count: number }>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_all_tables where schemaname = 'api_log'`.execute(tx);
      return { routes, rowsRead: rows[0]?.count };
    });
    expect(read.routes).toEqual(['/api/r0', '/api/r1', '/api/r2']);
    // Three index probes per day instead of 20,000 rows.
    expect(read.rowsRead).toBeLessThan(1000);
  });

  it('buffers rows while the database rejects them, and writes each once', async () => {
    const { id } = await makeKey(test, anna);
    let isDown = true;
    const errors: unknown[] = [];
    const log = createCallLog({
      db: test.deps.db,
      onNewNetwork: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()),
      onError: (error) => errors.push(error),
    });
    const calls = Array.from({ length: 3 }, () => logged(anna.id, id));
    for (const call of calls) log.add(call);
    await expect(log.flush()).rejects.toThrow('down');
    isDown = false;
    await log.flush();
    await log.flush();
    await log.close();
    const rows = await test.database.asOwner('select request_id from api_calls where key_id = $1', [id]);
    expect(rows).toHaveLength(3);
  });

  it('deletes days after 30 days, as whole partitions', async () => {
    const partitions = async () =>
      (
        await test.database.asOwner<{ name: string }>(
          `select relname as name from pg_class where relnamespace = 'api_log'::regnamespace and relkind = 'r' order by 1`,
        )
      ).map(({ name }) => name);
    await test.database.asOwner(
      `create table api_log.calls_20200101 partition of api_calls for values from ('2020-01-01 00:00+00') to ('2020-01-02 00:00+00')`,
    );
    await test.database.asOwner('select api_log.keep_days(30)');
    const left = await partitions();
    expect(left).not.toContain('calls_20200101');
    expect(left.length).toBeGreaterThanOrEqual(4);
    // The server's roles reach rows only through the parent.
    const [row] = await test.database.asOwner<{ may: boolean }>(
      `select bool_or(has_table_privilege(r, 'api_log.' || $1, 'select')) as may from unnest(array['app_user', 'app_system']) r`,
      [left[0]],
    );
    expect(row?.may).toBe(false);
  });
});

describe('API-030 use of the last 24 hours', () => {
  it('DOC-014 DOC-015 DOC-036 counts calls and computes their times', async () => {
    const bert = await test.signUp();
    const { id } = await makeKey(test, bert);
    const none = (await get('/api/account/api-usage', bert.bearer)).json<Record<string, unknown>>();
    expect(none).toMatchObject({ total: 0, success: 0, success_rate: null, avg_ms: null, p50_ms: null, p99_ms: null });
    // 1 to 100 ms: p50 is 50.5, p95 is 95.05, p99 is 99.01, by linear interpolation between closest ranks.
    for (let ms = 1; ms <= 100; ms += 1)
      test.deps.api.calls.add(
        logged(bert.id, id, { durationMs: ms, status: ms <= 10 ? 500 : 200, credits: ms === 50 ? 1 : 0 }),
      );
    // Older than a day: not counted. In the first minutes of a day it is of the day before yesterday.
    const olderMs = Date.now() - 24.1 * 3_600_000;
    await makeDay(olderMs);
    test.deps.api.calls.add(logged(bert.id, id, { atMs: olderMs, durationMs: 9999 }));
    const usage = (await get('/api/account/api-usage', bert.bearer)).json<{
      p50_ms: number;
      p95_ms: number;
      p99_ms: number;
      avg_ms: number;
      items: { at: string; total: number; ok: number }[];
    }>();
    expect(usage).toMatchObject({ total: 100, success: 90, success_rate: 0.9, credits: 1 });
    expect(usage.avg_ms).toBeCloseTo(50.5, 9);
    expect(usage.p50_ms).toBeCloseTo(50.5, 9);
    expect(usage.p95_ms).toBeCloseTo(95.05, 9);
    expect(usage.p99_ms).toBeCloseTo(99.01, 9);
    expect(usage.items).toHaveLength(25);
    expect(usage.items.reduce((sum, { total }) => sum + total, 0)).toBe(100);
    expect(usage.items.reduce((sum, { ok }) => sum + ok, 0)).toBe(90);
    const gaps = usage.items.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(usage.items[index]?.at ?? ''));
    expect(new Set(gaps)).toEqual(new Set([3_600_000]));
  });
});

describe('calls as CSV', () => {
  it('quotes cells and disarms formulas', () => {
    const call = {
      created_at: '2026-11-23T09:00:00.000Z',
      request_id: 'r',
      method: 'GET',
      path: '/a"b,c',
      route: '/a',
      status: 200,
      success: true,
      duration_ms: 1.5,
      ip: '::1',
      credits: 0,
      key_id: 'k',
      key_name: '=HYPERLINK("http://evil.example")',
      mode: 'live' as const,
    };
    expect(toCsv([call, { ...call, key_name: '@x', path: '/a' }, { ...call, key_name: null, path: '-1' }])).toBe(
      [
        'created_at,method,path,route,status,duration_ms,ip,key_name,mode,key_id,request_id,credits',
        `2026-11-23T09:00:00.000Z,GET,"/a""b,c",/a,200,1.5,::1,"'=HYPERLINK(""http://evil.example"")",live,k,r,0`,
        `2026-11-23T09:00:00.000Z,GET,/a,/a,200,1.5,::1,'@x,live,k,r,0`,
        `2026-11-23T09:00:00.000Z,GET,'-1,/a,200,1.5,::1,,live,k,r,0`,
        '',
      ].join('\r\n'),
    );
  });

  it('is a file with the filters of the list', async () => {
    const file = await get('/api/account/api-logs/csv?status=5xx');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.headers['content-disposition']).toContain('sextant-api-calls.csv');
    expect(file.body.split('\r\n')).toHaveLength(2);
  });
});

describe('a new network of a key', () => {
  it('is reported to its owner once per network, and not for the network the key was made from', async () => {
    const { id } = await makeKey(test, anna, { name: 'Watched' });
    const reported: string[] = [];
    const log = createCallLog({
      db: test.deps.db,
      onNewNetwork: (_tx, { ip }) => Promise.resolve(void reported.push(ip)),
      onError: () => undefined,
    });
    // Made from 127.0.0.1. A /64 of IPv6 is one network. A rejected call does not count as use.
    const uses: [string, number][] = [
      ['127.0.0.1', 200],
      ['203.0.113.9', 403],
      ['203.0.113.7', 200],
      ['203.0.113.7', 200],
      ['2001:db8::1', 200],
      ['2001:db8::2', 429],
    ];
    for (const [ip, status] of uses) {
      log.add(logged(anna.id, id, { ip, status }));
      await log.flush();
    }
    await log.close();
    expect(reported).toEqual(['203.0.113.7', '2001:db8::1']);
  });
});
