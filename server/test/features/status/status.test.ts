import { ok } from '@sextant/workers/src/result.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { StatusAnswer } from '../../../src/features/status/contract.ts';
import { probeStatus, type StatusProbeDeps } from '../../../src/features/status/probes.ts';
import { readStatus } from '../../../src/features/status/readStatus.ts';
import { refuse } from '../../../src/platform/errors.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const start = Date.UTC(2026, 5, 1);
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(() => test.database.asOwner('delete from status_probes'));

const read = async (nowMs: number) => StatusAnswer.parse(await readStatus(test.deps.db, 'simulated', nowMs));
const partOf = ({ parts }: z.infer<typeof StatusAnswer>, name: string) => parts.find(({ part }) => part === name);
/** Probes of all parts for the minutes from..to (the last one excluded), counted from `start`. */
const store = (
  from: number,
  to: number,
  code: string | null = null,
  parts = ['signals', 'database', 'binance', 'bybit', 'okx'],
) =>
  test.database.asOwner(
    `insert into status_probes (minute, part, is_ok, duration_ms, code)
     select to_timestamp($1::float8 / 1000) + n * interval '1 minute', p, $4::text is null, 7, $4
     from generate_series($2::int, $3::int - 1) n, unnest($5::text[]) p`,
    [start, from, to, code, parts],
  );

const top = { symbol: 'BTCUSDT', bid: 1, ask: 2, atMs: 0, receivedAtMs: 0, source: 'request' as const };
const tops = { ...top, fundingRate: null, nextFundingAtMs: null, fundingIntervalHours: null };
const good: Omit<StatusProbeDeps, 'db'> = {
  market: { tops: () => Promise.resolve(ok([tops])) },
  signals: { compute: () => Promise.resolve(ok({} as never)) },
};
const probe = (nowMs: number, deps: Partial<StatusProbeDeps> = {}) =>
  probeStatus({ ...good, db: test.deps.db, ...deps }, nowMs);

describe('the probes', () => {
  it('store what each part answered, by the minute', async () => {
    await probe(start + 30_000);
    const answer = await read(start + 40_000);
    expect(answer).toMatchObject({ state: 'operational', since: '2026-06-01T00:00:00.000Z', incidents: [] });
    expect(answer.parts.map(({ part, state }) => `${part} ${state}`)).toEqual([
      'signals up',
      'database up',
      'binance up',
      'bybit up',
      'okx up',
    ]);
  });

  it('name the failure of a part, and a thrown error is one', async () => {
    await probe(start, {
      market: {
        tops: ({ exchange }) =>
          Promise.resolve(
            exchange === 'okx' ? refuse('upstream_rate_limited', 'busy') : ok(exchange === 'bybit' ? [] : [tops]),
          ),
      },
      signals: { compute: () => Promise.reject(new Error('a bug')) },
    });
    const rows = await test.database.asOwner('select part, code from status_probes where not is_ok order by part');
    expect(rows).toEqual([
      { part: 'bybit', code: 'upstream_unavailable' },
      { part: 'okx', code: 'upstream_rate_limited' },
      { part: 'signals', code: 'internal_error' },
    ]);
    expect((await read(start + 1000)).state).toBe('disrupted');
  });

  it('of two nodes: a good answer takes the place of a failure, never the other way round', async () => {
    const failing = { signals: { compute: () => Promise.resolve(refuse('overloaded', 'busy')) } };
    await probe(start, failing);
    await probe(start + 1000);
    await probe(start + 2000, failing);
    expect(partOf(await read(start + 3000), 'signals')?.state).toBe('up');
  });

  it('are kept for 90 days', async () => {
    await store(0, 3);
    await probe(start + 90 * dayMs + minuteMs);
    const [row] = await test.database.asOwner<{ count: number }>(
      'select count(distinct minute)::int from status_probes',
    );
    // Minutes 1 and 2 of 90 days ago, and the new one.
    expect(row?.count).toBe(3);
  });
});

describe('the status', () => {
  it('says unknown without a current probe, and states no uptime before a whole day', async () => {
    expect(await read(start)).toMatchObject({ state: 'unknown', since: null, incidents: [] });
    await store(0, 1439);
    const answer = await read(start + 1439 * minuteMs);
    expect(partOf(answer, 'signals')).toMatchObject({ state: 'up', uptime: null, duration_ms: 7 });
    expect(partOf(await read(start + 1445 * minuteMs), 'signals')?.state).toBe('unknown');
  });

  it('NFR-009 counts failed and missing minutes as down, over the longest window it has', async () => {
    // Two days; on the second, 10 failed minutes of okx and 20 minutes without any probe.
    await store(0, 2000);
    await store(2000, 2010, 'upstream_unavailable', ['okx']);
    await store(2000, 2010, null, ['signals', 'database', 'binance', 'bybit']);
    await store(2030, 2880);
    const answer = await read(start + 2 * dayMs);
    expect(partOf(answer, 'signals')?.uptime).toEqual({
      days: 1,
      up_minutes: 1420,
      minutes: 1440,
      fraction: 1420 / 1440,
    });
    expect(partOf(answer, 'okx')?.uptime?.up_minutes).toBe(1410);
    expect(partOf(answer, 'okx')?.days).toEqual([
      { date: '2026-06-01', up_minutes: 1440, minutes: 1440 },
      { date: '2026-06-02', up_minutes: 1410, minutes: 1440 },
      { date: '2026-06-03', up_minutes: 0, minutes: 0 },
    ]);
    expect(answer.incidents).toEqual([
      { part: 'service', from: '2026-06-02T09:30:00.000Z', to: '2026-06-02T09:50:00.000Z', minutes: 20, code: null },
      {
        part: 'okx',
        from: '2026-06-02T09:20:00.000Z',
        to: '2026-06-02T09:30:00.000Z',
        minutes: 10,
        code: 'upstream_unavailable',
      },
    ]);
  });

  it('draws no incident from one failed probe, and leaves one that lasts open', async () => {
    await store(0, 10);
    await store(10, 11, 'overloaded', ['signals']);
    await store(10, 11, null, ['database', 'binance', 'bybit', 'okx']);
    await store(11, 20);
    await store(20, 23, 'deadline_exceeded', ['bybit']);
    await store(20, 23, null, ['signals', 'database', 'binance', 'okx']);
    const { incidents, state } = await read(start + 23 * minuteMs);
    expect(state).toBe('disrupted');
    expect(incidents).toEqual([
      { part: 'bybit', from: '2026-06-01T00:20:00.000Z', to: null, minutes: 3, code: 'deadline_exceeded' },
    ]);
  });

  it('is public', async () => {
    const answer = await test.app.inject({ url: '/api/status' });
    expect(answer.statusCode).toBe(200);
    expect(StatusAnswer.parse(answer.json()).parts).toHaveLength(5);
  });
});
