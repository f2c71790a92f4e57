import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFailures } from '../../../../src/platform/failures/failures.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

let test: TestApp;
const state: { external: 'ok' | 'degraded' | 'down'; isDatabaseUp: boolean } = { external: 'ok', isDatabaseUp: true };
const lease = (end: string) =>
  test.database.asOwner(
    `insert into leaderships (name, epoch, node, expires_at) values ('positions', 1, 'one', now() ${end})
     on conflict (name) do update set expires_at = excluded.expires_at`,
  );
beforeAll(async () => {
  test = await createTestApp({ deps: { externalStatus: { status: () => state.external } } });
  await lease(`+ interval '1 hour'`);
  const ping = test.deps.pingDatabase;
  // As the driver reports it.
  const reject = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  test.deps.pingDatabase = () => (state.isDatabaseUp ? ping() : Promise.reject(reject()));
});
afterAll(() => test.close());

const health = () => test.app.inject({ url: '/api/health' });

describe('GET /api/health', () => {
  it('API-019 DATA-023 measures the database round trip and the age of the process', async () => {
    const before = Date.now();
    const uptimeBefore = process.uptime();
    const response = await health();
    const uptimeAfter = process.uptime();
    const body = response.json<{ timestamp: string; responseTime: number; uptime: number }>();
    expect(body).toMatchObject({ status: 'ok', message: 'All systems operational.', external_api_status: 'ok' });
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before);
    expect(body.responseTime).toBeGreaterThan(0);
    // It may be given in whole seconds.
    expect(body.uptime).toBeGreaterThan(uptimeBefore - 1);
    expect(body.uptime).toBeLessThan(uptimeAfter + 1);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('is degraded when the exchanges are', async () => {
    state.external = 'down';
    expect((await health()).json()).toMatchObject({ status: 'degraded', external_api_status: 'down' });
  });

  it('is degraded while no node holds the lease on watching positions', async () => {
    state.external = 'ok';
    await lease(`- interval '1 second'`);
    await expect
      .poll(async () => (await health()).json<{ status: string; message: string }>(), { timeout: 30_000 })
      .toMatchObject({
        status: 'degraded',
        message: expect.stringContaining('Open positions are not watched') as string,
      });
    await lease(`+ interval '1 hour'`);
    await expect
      .poll(async () => (await health()).json<{ status: string }>(), { timeout: 30_000 })
      .toMatchObject({ status: 'ok' });
  });

  it('is an error when the database does not respond', async () => {
    state.isDatabaseUp = false;
    const response = await health();
    expect(response.json()).toMatchObject({ status: 503, code: 'database_unavailable' });
    expect(response.headers['retry-after']).toBe('2');
  });
});

describe('what the service caught', () => {
  it('is counted in health, which is degraded while it is recent', async () => {
    const failures = createFailures({ log: () => undefined });
    const caught = await createTestApp({ deps: { failures, arePositionsWatched: () => Promise.resolve(true) } });
    const read = async () => (await caught.app.inject({ url: '/api/health' })).json<object>();
    expect(await read()).toMatchObject({ status: 'ok', unexpected_errors: 0, jobs_set_aside: 0 });
    failures.record(new Error('in a timer'), 'uncaughtException');
    expect(await read()).toMatchObject({
      status: 'degraded',
      message: 'An unexpected error occurred in the last ten minutes. The service continues.',
      unexpected_errors: 1,
    });
    await caught.close();
  });

  it('names streams that fell silent, and open positions without a price for a minute', async () => {
    const feed = { connectionCount: 1, openCount: 1, connectCount: 1, unreadableCount: 0, rejectedBarCount: 0 };
    const silent = { ...feed, messageAtMs: 1, silentTopics: ['xrpusdt@kline_1m'] };
    const caught = await createTestApp({
      deps: { arePositionsWatched: () => Promise.resolve(true), countUnpriced: () => Promise.resolve(2) },
    });
    const { market } = caught.deps;
    const warmth = vi.spyOn(market, 'warmth').mockReturnValue({ ...market.warmth(), feeds: { binance: silent } });
    const read = (await caught.app.inject({ url: '/api/health' })).json<object>();
    expect(read).toMatchObject({
      status: 'degraded',
      message: 'Some open positions have no price; their stops and targets wait.',
      silent_streams: 1,
      unpriced_positions: 2,
    });
    warmth.mockRestore();
    await caught.close();
  });

  it('names jobs that were set aside', async () => {
    const caught = await createTestApp();
    await caught.database.asOwner(
      `insert into job_runs (job_id, queue, death_count, set_aside_at) values (gen_random_uuid(), 'scan', 2, now())`,
    );
    const read = (await caught.app.inject({ url: '/api/health' })).json<object>();
    expect(read).toMatchObject({ status: 'degraded', jobs_set_aside: 1, unexpected_errors: 0 });
    await caught.close();
  });
});
