import { isExplained } from '@sextant/workers/src/signals/rescoring.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Opinions, votesOf } from '../../../src/features/trackRecord/tuningValue.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stopWorkers: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp();
  stopWorkers = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

interface ScanWire {
  scan_id: string;
  status: string;
  failure: string | null;
  params: Record<string, unknown>;
  results: {
    best: Result | null;
    all: Result[];
    total: number;
    outcomes: Record<string, number>;
    missing: string[];
    timing: Record<string, number>;
  } | null;
}
type Result = Record<string, unknown> & {
  symbol: string;
  interval: string;
  confidence: number;
  signal_id: string;
  verdict: { state: string; reason: string | null; text: string };
};

const scan = (user: TestUser, payload: object, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'POST', url: '/api/scan', headers: { ...user.bearer, ...headers }, payload });
const read = async <T>(user: TestUser, url: string) => (await test.app.inject({ url, headers: user.bearer })).json<T>();
const finished = async (user: TestUser, id: string): Promise<ScanWire> => {
  const state = async () => (await read<{ scan: ScanWire }>(user, `/api/scan/${id}`)).scan;
  await expect.poll(async () => (await state()).status, { timeout: 20_000 }).toMatch(/done|failed|cancelled/);
  return state();
};
const credits = (user: TestUser) => read<{ balance: number; held: number }>(user, '/api/credits');
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];

describe('a scan', () => {
  it('costs one credit, ranks what it found and records the outcome of every candidate', async () => {
    const anna = await test.signUp();
    const started = await scan(anna, { symbols });
    expect(started.statusCode).toBe(202);
    const { scan_id: id, ...rest } = started.json<{ scan_id: string }>();
    expect(rest).toEqual({ status: 'queued', credits: 9 });
    const done = await finished(anna, id);
    expect(done).toMatchObject({ status: 'done', failure: null });
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
    const { all, best, outcomes } = done.results!;
    expect(best).toEqual(all.find(({ verdict }) => !['refused', 'waiting'].includes(verdict.state)) ?? null);
    const byOutcome = (outcome: string) => all.filter((each) => each['outcome'] === outcome);
    // Before any check, eligible results wait for one and the others have their first reason.
    for (const { verdict } of byOutcome('ELIGIBLE'))
      expect(verdict).toEqual({ state: 'check_due', reason: null, text: 'May open after its check passes' });
    for (const { verdict } of byOutcome('LOW_CONF'))
      expect(verdict).toEqual({
        state: 'refused',
        reason: 'min_confidence',
        text: expect.stringMatching(/^Confidence [\d.]+ % is below your minimum of 60 %\.$/) as string,
      });
    const confidences = all.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
    const { candidates } = await read<{ candidates: Result[] }>(anna, `/api/scan/${id}/candidates`);
    const scored = candidates.filter(({ interval }) => interval !== '*');
    expect(scored.map(({ symbol, interval }) => `${symbol} ${interval}`).sort()).toEqual(
      symbols.flatMap((symbol) => ['15m', '1h', '4h'].map((interval) => `${symbol} ${interval}`)).sort(),
    );
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(candidates.length);
    expect(await read(anna, '/api/scan/last')).toEqual({ scan: done, active: null });
  });

  it('stores the votes of each signal, and its score follows from them', async () => {
    type Stored = { score: number; opinions: Opinions; tuning: Record<string, number> };
    const stored = await test.database.asOwner<Stored>(
      `select score, opinions, params -> 'tuning' as tuning from signals`,
    );
    expect(stored.length).toBeGreaterThan(0);
    for (const { score, opinions, tuning } of stored) {
      expect(isExplained({ ...votesOf(opinions), score }, tuning), JSON.stringify(opinions)).toBe(true);
    }
  });

  it('gives each row the signal that is computed for the symbol alone', async () => {
    const anna = await test.signUp();
    const { results } = await finished(anna, (await scan(anna, { symbols: ['BTCUSDT'] })).json<ScanWire>().scan_id);
    const longer: Record<string, string[]> = { '15m': ['1h', '4h'], '1h': ['4h'], '4h': [] };
    for (const row of results!.all) {
      const payload = { symbol: 'BTCUSDT', interval: row.interval, intervals: longer[row.interval] };
      const alone = await test.app.inject({
        method: 'POST',
        url: '/api/futures-signal',
        headers: anna.bearer,
        payload,
      });
      const { market, data_age_ms, computed_at, ...signal } = alone.json<Record<string, unknown>>();
      expect([market, typeof data_age_ms, typeof computed_at]).toEqual(['simulated', 'number', 'string']);
      expect(row).toMatchObject(signal);
    }
  });

  it('without credits is rejected and leaves nothing behind', async () => {
    const anna = await test.signUp();
    await test.database.asOwner(`update balances set credits = 0 where user_id = $1`, [anna.id]);
    const rejected = await scan(anna, { symbols });
    expect(rejected.json()).toMatchObject({
      status: 402,
      code: 'insufficient_credits',
      message: 'Insufficient credits',
    });
    expect(await read(anna, '/api/scan/last')).toEqual({ scan: null, active: null });
    await test.database.asOwner(`update balances set credits = 10 where user_id = $1`, [anna.id]);
  });

  it('repeated with its Idempotency-Key is the same scan for the same credit; with another body a conflict', async () => {
    const anna = await test.signUp();
    const key = { 'idempotency-key': '"one scan"'.replace(' ', '-') };
    const responses = await Promise.all(Array.from({ length: 5 }, () => scan(anna, { symbols: ['BTCUSDT'] }, key)));
    expect(new Set(responses.map((response) => response.body)).size).toBe(1);
    expect(responses.filter((response) => response.headers['idempotent-replayed'] === 'true')).toHaveLength(4);
    expect((await scan(anna, { symbols: ['ETHUSDT'] }, key)).json()).toMatchObject({ status: 409, code: 'conflict' });
    await finished(anna, responses[0]!.json<ScanWire>().scan_id);
    expect(await credits(anna)).toMatchObject({ balance: 9 });
  });

  it('of untraded symbols fails, says why and gives the credit back', async () => {
    const anna = await test.signUp();
    const failed = await finished(anna, (await scan(anna, { symbols: ['NOSUCHUSDT'] })).json<ScanWire>().scan_id);
    expect(failed).toMatchObject({ status: 'failed', results: null });
    expect(failed.failure).toMatch(/returned/);
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('covers the whole universe within the filters of the settings', async () => {
    const anna = await test.signUp();
    const payload = { max_symbols: 4, blacklist: 'BTCUSDT', interval_opts: { '15m': false, '1h': true, '4h': false } };
    await test.app.inject({ method: 'PUT', url: '/api/preferences', headers: anna.bearer, payload });
    const done = await finished(anna, (await scan(anna, {})).json<ScanWire>().scan_id);
    expect(done.params).toMatchObject({ intervals: ['1h'], maxSymbols: 4, blacklist: ['BTCUSDT'] });
    const { candidates } = await read<{ candidates: { interval: string; symbol: string; filtered_by: string }[] }>(
      anna,
      `/api/scan/${done.scan_id}/candidates`,
    );
    expect(candidates.filter(({ interval }) => interval === '1h')).toHaveLength(4);
    const left = new Map(
      candidates.filter(({ interval }) => interval === '*').map((each) => [each.symbol, each.filtered_by]),
    );
    expect(left.get('BTCUSDT')).toBe('blacklist');
    expect([...left.values()]).toContain('universe_limit');
  });

  it('of another user is not found, and cannot be cancelled', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const { scan_id: id } = (await scan(anna, { symbols: ['BTCUSDT'] })).json<ScanWire>();
    for (const [method, url] of [
      ['GET', `/api/scan/${id}`],
      ['GET', `/api/scan/${id}/candidates`],
      ['POST', `/api/scan/${id}/cancel`],
    ] as const) {
      expect((await test.app.inject({ method, url, headers: bert.bearer })).json()).toMatchObject({ status: 404 });
    }
    expect(await finished(anna, id)).toMatchObject({ status: 'done' });
    expect(await read(bert, '/api/scan/last')).toEqual({ scan: null, active: null });
  });
});

describe('a cancelled scan', () => {
  it('gives its credit back and never delivers', async () => {
    const anna = await test.signUp();
    const cancel = (id: string) =>
      test.app.inject({ method: 'POST', url: `/api/scan/${id}/cancel`, headers: anna.bearer });
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await scan(anna, { symbols })).json<ScanWire>().scan_id),
    );
    const responses = await Promise.all(ids.map(cancel));
    const scans = await Promise.all(ids.map((id) => finished(anna, id)));
    scans.forEach(({ status }, i) => expect(responses[i]!.statusCode).toBe(status === 'cancelled' ? 200 : 409));
    const doneCount = scans.filter(({ status }) => status === 'done').length;
    expect(await credits(anna)).toMatchObject({ balance: 10 - doneCount, held: 0 });
    expect((await cancel(ids[0]!)).statusCode).toBe(responses[0]!.statusCode);
  });
});
