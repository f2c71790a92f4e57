import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** The value of the line with this name and these labels. */
async function valueOf(line: string): Promise<number | undefined> {
  const { body, type } = await test.deps.metrics.read();
  expect(type).toContain('text/plain');
  const match = body.split('\n').find((each) => each.startsWith(`${line} `));
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
