import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deleteOld } from '../../../src/features/retention/startRetention.ts';
import { retentionDefault } from '../../../src/retentionDays.ts';
import { Deposed } from '../../../src/platform/jobs/leadership.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stopWorkers: () => Promise<void>;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  stopWorkers = await startWorkers(test.deps, test.app.log);
  anna = await test.signUp();
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

interface Scan {
  status: string;
  results: { best: object | null; all: { signal_id: string }[]; total: number; is_complete: boolean; outcomes: object };
}
const read = async <T>(url: string) => (await test.app.inject({ url, headers: anna.bearer })).json<T>();
const scanOf = async (id: string) => (await read<{ scan: Scan }>(`/api/scan/${id}`)).scan;
const candidatesOf = async (id: string) =>
  (await read<{ candidates: object[] }>(`/api/scan/${id}/candidates`)).candidates;

async function runScan(): Promise<string> {
  const payload = { symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'], intervals: ['15m', '1h'] };
  const sent = await test.app.inject({ method: 'POST', url: '/api/scan', headers: anna.bearer, payload });
  const { scan_id: id } = sent.json<{ scan_id: string }>();
  await vi.waitUntil(async () => (await scanOf(id)).status === 'done', { timeout: 30_000 });
  return id;
}

const led = { signal: new AbortController().signal, assertLeader: () => Promise.resolve() };
const run = (guard = led) => deleteOld({ db: test.deps.db, config: { retention: retentionDefault } }, guard);

/** Moves a scan and its details into the past, as the owner. */
async function age(id: string, days: number): Promise<void> {
  const { asOwner } = test.database;
  await asOwner(`
    do $$ declare day date := (now() at time zone 'UTC')::date - ${days}; begin
      if to_regclass('scan_log.details_' || to_char(day, 'YYYYMMDD')) is null then
        execute format('create table scan_log.%I partition of scan_details for values from (%L) to (%L)',
          'details_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end $$`);
  // Noon, which is on that day whatever the hour of the test.
  const at = `((now() at time zone 'UTC')::date - ${days} + time '12:00') at time zone 'UTC'`;
  await asOwner(`update scans set created_at = ${at} where id = '${id}'`);
  await asOwner(`update scan_details set created_at = ${at} where scan_id = '${id}'`);
}

it('NODE-020 NODE-022 NODE-023 of an old scan the best result and the counts remain, and its signals stay the user’s', async () => {
  const [old, young] = [await runScan(), await runScan()];
  const before = await scanOf(old);
  expect(before.results.is_complete).toBe(true);
  expect(before.results.all.length).toBeGreaterThan(0);
  const candidates = await candidatesOf(old);
  expect(candidates.length).toBeGreaterThanOrEqual(8);
  const mine = await read<{ signals: object[] }>('/api/historic-signals?mine=true');
  expect(mine.signals.length).toBe(before.results.all.length);

  await age(old, 31);
  await age(young, 29);
  expect(await scanOf(old)).toMatchObject({
    results: { is_complete: true, all: before.results.all.map(({ signal_id }) => ({ signal_id })) },
  });
  await run();

  const after = await scanOf(old);
  const { total, outcomes } = before.results;
  expect(after.results).toMatchObject({ is_complete: false, total, outcomes });
  expect(after.results.all.length).toBeLessThanOrEqual(1);
  expect(await candidatesOf(old)).toEqual([]);
  expect((await scanOf(young)).results.is_complete).toBe(true);
  expect(await candidatesOf(young)).toHaveLength(candidates.length);
  expect(await read('/api/historic-signals?mine=true')).toEqual(mine);
  const { mine: record } = await read<{ mine: { signals: number } }>('/api/performance');
  expect(record.signals).toBe(mine.signals.length);
});

it('NODE-022 NODE-023 scans of before the packed form are reduced in batches, and what they found stays', async () => {
  const { asOwner } = test.database;
  const ben = await test.signUp();
  const [signal] = await asOwner<{ id: string }>('select id from signals limit 1');
  const result = { symbol: 'BTCUSDT', interval: '1h' };
  const results = { best: result, all: [result, result], total: 2, outcomes: { ELIGIBLE: 2 }, missing: ['X 1h'] };
  // More than two batches of scans, and one that is young.
  await asOwner(
    `with s as (
       insert into scans (user_id, params, credit_ref, status, failure, created_at, results)
       select $1, '{}', gen_random_uuid(), 'done', null, now() - make_interval(days => case n when 0 then 3 else 31 end), $2::jsonb
       from generate_series(0, 450) n returning id, created_at)
     insert into scan_candidates (scan_id, user_id, symbol, interval, outcome, signal_id, created_at)
     select id, $1, 'BTCUSDT', i, 'ELIGIBLE', $3, created_at from s, unnest(array['15m', '1h']) i`,
    [ben.id, JSON.stringify(results), signal?.id],
  );
  await asOwner(
    `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, signal_id, state, decided_by, model, verdict,
       soft_approval, allow_correction, created_at)
     select id, user_id, 'BTCUSDT', '1h', 1, $2, 'online', 'model', 'm',
       '{"decision": "approved", "rationale": "long text", "tags": ["a"], "riskMultiplier": 1}', false, false, created_at
     from scans where user_id = $1`,
    [ben.id, signal?.id],
  );
  const counts = await run();
  expect(counts).toMatchObject({ results: 450, candidates: 450, checks: 450 });
  const [left] = await asOwner(
    `select count(*) filter (where results is not null)::int as full, count(summary)::int as reduced,
       (select count(*)::int from scan_candidates where user_id = $1) as candidates,
       (select count(*)::int from found_signals where user_id = $1) as found,
       (select count(*)::int from scan_ai_checks where user_id = $1 and verdict ->> 'rationale' = 'long text') as rationales,
       (select count(*)::int from scan_ai_checks where user_id = $1 and verdict ->> 'decision' = 'approved') as decisions
     from scans where user_id = $1`,
    [ben.id],
  );
  expect(left).toEqual({ full: 1, reduced: 450, candidates: 2, found: 450, rationales: 1, decisions: 451 });
  const [summary] = await asOwner('select summary from scans where user_id = $1 and summary is not null limit 1', [
    ben.id,
  ]);
  expect(summary).toEqual({ summary: { best: result, total: 2, outcomes: { ELIGIBLE: 2 } } });
  expect(await run()).toMatchObject({ results: 0, candidates: 0, checks: 0 });
  // No credit was paid for these.
  await asOwner('delete from scans where user_id = $1', [ben.id]);
});

it('NODE-023 verdicts and their costs are deleted after their days; the ledger and the record stay', async () => {
  const { asOwner } = test.database;
  const hash = 'a'.repeat(64);
  for (const [table, more, value] of [
    ['ai_verdicts', 'verdict', `'{}'`],
    ['ai_calls', 'reserved_microusd', '5'],
  ] as const)
    for (const days of [1, 29, 31, 400])
      await asOwner(
        `insert into ${table} (user_id, input_hash, prompt_hash, model, ${more}, created_at)
         values ($1, $2, $2, $3, ${value}, now() - make_interval(days => ${days}))`,
        [anna.id, hash, `m${days} ${randomUUID()}`],
      );
  const stays = async () =>
    asOwner(`select (select count(*)::int from credit_ledger) as ledger, (select count(*)::int from signals) as signals,
      (select count(*)::int from users) as users`);
  const before = await stays();
  expect(await run()).toMatchObject({ verdicts: 4 });
  expect(await stays()).toEqual(before);
  expect(
    await asOwner(
      `select (select count(*)::int from ai_verdicts) as verdicts, (select count(*)::int from ai_calls) as calls`,
    ),
  ).toEqual([{ verdicts: 2, calls: 2 }]);
});

it('NODE-024 a node that no longer leads deletes nothing', async () => {
  const { asOwner } = test.database;
  const insert = `insert into ai_verdicts (user_id, input_hash, prompt_hash, model, verdict, created_at)
    values ($1, $2, $2, 'old', '{}', now() - interval '99 days')`;
  await asOwner(insert, [anna.id, 'b'.repeat(64)]);
  const deposed = { ...led, assertLeader: () => Promise.reject(new Deposed('epoch 1 is over')) };
  await expect(run(deposed)).rejects.toThrow(Deposed);
  const ended = new AbortController();
  ended.abort();
  await run({ ...led, signal: ended.signal });
  const left = () => asOwner(`select from ai_verdicts where model = 'old'`);
  expect(await left()).toHaveLength(1);
  await run();
  expect(await left()).toHaveLength(0);
});

it('NODE-024 the leading worker has the lease of this work', async () => {
  await vi.waitUntil(
    async () =>
      (
        await test.database.asOwner(
          `select from leaderships where name = 'retention' and expires_at > clock_timestamp()`,
        )
      ).length === 1,
    { timeout: 30_000 },
  );
});
