import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { observe } from '../../../../src/platform/observe.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** A scrape in which the database responded in time: on a busy machine it may not. */
async function readMetrics(): Promise<string> {
  const last = { body: '' };
  const fromDatabase = ['sextant_database_size_bytes{', 'sextant_set_aside_jobs{', 'sextant_unpriced_positions{'];
  await expect
    .poll(
      async () => {
        const { body, type } = await test.deps.metrics.read();
        expect(type).toContain('text/plain');
        last.body = body;
        return fromDatabase.filter((name) => !body.includes(`\n${name}`));
      },
      { timeout: 50_000 },
    )
    .toEqual([]);
  return last.body;
}

/** The value of the line with this name and these labels. */
async function valueOf(line: string): Promise<number | undefined> {
  const match = (await readMetrics()).split('\n').find((each) => each.startsWith(`${line} `));
  return match === undefined ? undefined : Number(match.slice(line.length));
}

it('NODE-007 metrics count responses by method, route and status', async () => {
  const before =
    (await valueOf('sextant_http_request_duration_seconds_count{method="GET",route="/api/app",status="200"}')) ?? 0;
  await test.app.inject({ url: '/api/app' });
  await test.app.inject({ url: '/nothing/here' });
  const count = (route: string, status: number) =>
    valueOf(`sextant_http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`);
  expect(await count('/api/app', 200)).toBe(before + 1);
  // An unknown path is no label: a scanner would make thousands.
  expect(await count('none', 404)).toBe(1);
});

it('NODE-007 metrics have the queues, who leads and the budgets of the exchanges', async () => {
  await test.database.asOwner(
    `insert into leaderships (name, epoch, node, expires_at) values
       ('positions', 7, 'another node', now() + interval '1 hour'), ('spreads', 3, 'gone', now() - interval '1 s')`,
  );
  await test.database.asOwner(
    `insert into jobs.job (id, name, data, start_after) values (gen_random_uuid(), 'scan', '{}', now() - interval '90 s')`,
  );
  expect(await valueOf('sextant_leader_epoch{name="positions"}')).toBe(7);
  expect(await valueOf('sextant_leadership_held{name="positions"}')).toBe(1);
  expect(await valueOf('sextant_leader{name="positions"}')).toBe(0);
  expect(await valueOf('sextant_leadership_held{name="spreads"}')).toBe(0);
  expect(await valueOf('sextant_queue_jobs{queue="scan",state="waiting"}')).toBe(1);
  const ageS = await valueOf('sextant_queue_age_seconds{queue="scan"}');
  expect(ageS).toBeGreaterThanOrEqual(90);
  expect(ageS).toBeLessThan(90 + 300);
  expect(await valueOf('sextant_queue_jobs{queue="email",state="waiting"}')).toBe(0);
  expect(await valueOf('sextant_exchange_budget_used{exchange="binance",budget="weight"}')).toBe(0);
  expect(await valueOf('sextant_exchange_budget_capacity{exchange="binance",budget="weight"}')).toBe(1920);
  expect(await valueOf('sextant_database_pool_connections{state="waiting"}')).toBe(0);
});

it('NODE-070 metrics have the durations of jobs and of outside calls, by outcome', async () => {
  const stop = test.deps.metrics.start();
  const work = (isFailing: boolean) => () => (isFailing ? Promise.reject(new Error('x')) : Promise.resolve());
  await observe({ kind: 'job', name: 'test queue' }, work(false));
  await observe({ kind: 'job', name: 'test queue' }, work(true)).catch(() => undefined);
  await observe({ kind: 'outside', name: 'test service', isFailure: () => true }, work(false));
  stop();
  await observe({ kind: 'outside', name: 'test service' }, work(false));
  const jobs = (outcome: string) =>
    valueOf(`sextant_job_duration_seconds_count{queue="test queue",outcome="${outcome}"}`);
  const calls = (outcome: string) =>
    valueOf(`sextant_outside_call_duration_seconds_count{service="test service",outcome="${outcome}"}`);
  expect([await jobs('ok'), await jobs('failed')]).toEqual([1, 1]);
  expect([await calls('ok'), await calls('failed')]).toEqual([undefined, 1]);
});

it('NODE-070 metrics have the figures of the watch thread, and drop them when it is silent', async () => {
  const { metrics } = test.deps;
  expect(await valueOf('sextant_watch_report_age_seconds')).toBeUndefined();
  metrics.takeWatchFigures({
    dataAtMs: { bybit: { prices: Date.now() - 120_000, candles: null } },
    silentTopics: { bybit: 3 },
    budgets: [{ exchange: 'bybit', name: 'requests', used: 5, capacity: 400 }],
    lagSeconds: 0.25,
    calls: [['bybit', 'failed', 2]],
  });
  expect(await valueOf('sextant_watch_report_age_seconds')).toBeLessThan(60);
  const ageS = await valueOf('sextant_data_age_seconds{exchange="bybit",topic="prices",thread="watch"}');
  expect(ageS).toBeGreaterThanOrEqual(120);
  expect(await valueOf('sextant_data_age_seconds{exchange="bybit",topic="candles",thread="watch"}')).toBeUndefined();
  expect(await valueOf('sextant_silent_topics{exchange="bybit",thread="watch"}')).toBe(3);
  expect(await valueOf('sextant_exchange_budget_used{exchange="bybit",budget="requests",thread="watch"}')).toBe(5);
  expect(await valueOf('sextant_event_loop_lag_seconds{thread="watch"}')).toBe(0.25);
  const call = 'sextant_outside_call_duration_seconds_sum{service="bybit",outcome="failed",thread="watch"}';
  expect(await valueOf(call)).toBe(2);
});

it('NODE-070 metrics have ledger differences, comparisons and the size of the database', async () => {
  expect(await valueOf('sextant_ledger_differences{check="invariants"}')).toBeUndefined();
  await test.deps.ledger.check();
  expect(await valueOf('sextant_ledger_differences{check="invariants"}')).toBe(0);
  const user = await test.signUp();
  const balance = (credits: number) =>
    test.database.asOwner('update balances set credits = credits + $2 where user_id = $1', [user.id, credits]);
  await balance(3);
  await test.deps.ledger.check();
  expect(await valueOf('sextant_ledger_differences{check="invariants"}')).toBe(1);
  await balance(-3);
  await test.deps.ledger.check();
  expect(await valueOf('sextant_ledger_differences{check="invariants"}')).toBe(0);
  for (const comparison of ['payments', 'reconciliation'])
    expect(await valueOf(`sextant_differences{comparison="${comparison}"}`)).toBe(0);
  expect(await valueOf('sextant_set_aside_jobs{scope="all"}')).toBe(0);
  expect(await valueOf('sextant_unpriced_positions{market="served"}')).toBe(0);
  const [row] = await test.database.asOwner<{ size: string }>('select pg_database_size(current_database()) as size');
  const size = (await valueOf('sextant_database_size_bytes{database="sextant"}')) ?? 0;
  expect(size / Number(row?.size)).toBeCloseTo(1, 1);
  expect(await valueOf('sextant_database_wal_bytes{database="sextant"}')).toBeGreaterThan(0);
  expect(await valueOf('sextant_database_connections{application="sextant"}')).toBeGreaterThan(0);
  expect(await valueOf('sextant_notice_queue_used_ratio{database="sextant"}')).toBeLessThan(0.5);
});

it('NODE-070 metrics have the lag of notices once the node listens', async () => {
  expect(await valueOf('sextant_event_lag_seconds')).toBeUndefined();
  expect(await test.deps.events.isListening(60_000)).toBe(true);
  await expect.poll(() => valueOf('sextant_event_lag_seconds')).toBeGreaterThan(0);
});

it('NODE-070 metrics count connections and streams, and measure no stream as a response', async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const stop = test.deps.metrics.start(promisify(test.app.server.getConnections.bind(test.app.server)));
  const { port } = test.app.server.address() as AddressInfo;
  const idle = connect(port, '127.0.0.1');
  const user = await test.signUp();
  const leaving = new AbortController();
  const streaming = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: user.bearer,
    signal: leaving.signal,
  });
  expect(streaming.status).toBe(200);
  expect(await valueOf('sextant_open_streams{kind="page"}')).toBe(1);
  expect(await valueOf('sextant_open_streams{kind="api"}')).toBe(0);
  await expect.poll(() => valueOf('sextant_http_connections')).toBeGreaterThanOrEqual(2);
  leaving.abort();
  idle.destroy();
  await expect.poll(() => valueOf('sextant_open_streams{kind="page"}')).toBe(0);
  const measured = 'sextant_http_request_duration_seconds_count{method="GET",route="/api/events",status="200"}';
  expect(await valueOf(measured)).toBeUndefined();
  stop();
});
