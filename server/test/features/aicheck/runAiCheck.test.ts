import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LlmFake, type LlmScenario, startLlm } from '../../../fakes/llm/server.ts';
import { createModelAnalyst } from '../../../src/adapters/llm/createModelAnalyst.ts';
import { type AiCheckDeps, runAiCheck } from '../../../src/features/aicheck/runAiCheck.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { features } from './support/features.ts';
import { hostileTexts } from './support/hostileTexts.ts';

let database: TestDatabase;
let llm: LlmFake;
let userId: string;
beforeAll(async () => {
  [database, llm] = await Promise.all([createTestDatabase(), startLlm()]);
});
afterAll(() => Promise.all([database.drop(), llm.close()]));
beforeEach(async () => {
  llm.play('verdict');
  llm.say({});
  llm.requests.length = 0;
  userId = randomUUID();
  await withSystem(database.db, (tx) =>
    sql`insert into users (id, name, email) values (${userId}, 'Anna', ${`${userId}@example.com`})`.execute(tx),
  );
});

const deps = (more: Partial<AiCheckDeps> = {}, timeoutMs = 20_000): AiCheckDeps => ({
  db: database.db,
  model: createModelAnalyst({ apiKey: 'k', model: 'm-1', baseUrl: llm.url, reservedMicrousd: 1000, timeoutMs }),
  dailyMicrousdMax: 1_000_000_000,
  ...more,
});
const storedCount = (): Promise<number> =>
  withUser(database.db, userId, async (tx) => (await tx.selectFrom('ai_verdicts').selectAll().execute()).length);

describe('an AI check', () => {
  it('calls the model once per input, and returns the stored verdict for the same input', async () => {
    const first = await runAiCheck(deps(), userId, features());
    expect(first).toMatchObject({ state: 'online', by: 'model', model: 'm-1', verdict: { decision: 'approved' } });
    expect(await runAiCheck(deps(), userId, features())).toEqual(first);
    expect(llm.requests).toHaveLength(1);
    expect(llm.requests[0]).toMatchObject({ model: 'm-1', store: false, text: { format: { strict: true } } });
    expect(JSON.stringify(llm.requests[0])).not.toContain(userId);
  });

  it('calls the model once for concurrent requests', async () => {
    const before = llm.billedCount();
    const checks = await Promise.all(Array.from({ length: 10 }, () => runAiCheck(deps(), userId, features())));
    expect(llm.billedCount() - before).toBe(1);
    expect(checks.filter(({ state }) => state === 'online').length).toBeGreaterThanOrEqual(1);
  });

  it.each<[LlmScenario, string, number]>([
    ['refusal', 'refused', 1],
    ['incomplete', 'incomplete', 1],
    ['halfBody', 'unreadable', 1],
    ['halfJson', 'unreadable', 1],
    ['freeText', 'unreadable', 1],
    ['rateLimited', 'rateLimited', 0],
    ['serverError', 'unavailable', 0],
    ['badKey', 'unavailable', 0],
    ['hang', 'timedOut', 0],
    ['wrongNumbers', 'verdict_refused', 1],
    ['obeysInjection', 'verdict_refused', 1],
  ])('%s is no verdict (%s), and is paid for at most once', async (scenario, reason, billed) => {
    llm.play(scenario, { retryAfterS: 0 });
    const before = llm.billedCount();
    const timeoutMs = scenario === 'hang' ? 150 : 20_000;
    expect(await runAiCheck(deps({}, timeoutMs), userId, features())).toEqual({ state: 'offline', reason });
    expect(llm.billedCount() - before).toBe(billed);
    expect(await storedCount()).toBe(0);
    llm.play('verdict');
    expect(await runAiCheck(deps(), userId, features())).toEqual({ state: 'offline', reason: 'asked_before' });
    expect(llm.billedCount() - before).toBe(billed);
  });

  it.each<LlmScenario>(['rateLimited', 'serverError'])('is repeated once after %s', async (scenario) => {
    llm.play(scenario, { times: 1, retryAfterS: 0 });
    expect(await runAiCheck(deps(), userId, features())).toMatchObject({ state: 'online' });
    expect(llm.requests).toHaveLength(2);
  });

  it('reserves the price of a repeat after a failure that may have been billed, and makes none above the cap', async () => {
    const reserved = () =>
      withSystem(database.db, async (tx) => {
        const rows = await tx.selectFrom('ai_calls').select(['user_id', 'reserved_microusd']).execute();
        const sum = (of: typeof rows) => of.reduce((total, row) => total + row.reserved_microusd, 0);
        return { all: sum(rows), own: sum(rows.filter(({ user_id }) => user_id === userId)) };
      });
    // Rejected by the provider before processing: one price. Failed at the provider: one price per request.
    llm.play('rateLimited', { times: 1, retryAfterS: 0 });
    await runAiCheck(deps(), userId, features('R1USDT'));
    expect([llm.requests.length, (await reserved()).own]).toEqual([2, 1000]);
    llm.play('serverError', { times: 1 });
    expect(await runAiCheck(deps(), userId, features('R2USDT'))).toMatchObject({ state: 'online' });
    expect([llm.requests.length, (await reserved()).own]).toEqual([4, 3000]);
    // Room for one request, not for its repeat.
    llm.play('serverError');
    const last = deps({ dailyMicrousdMax: (await reserved()).all + 1500 });
    expect(await runAiCheck(last, userId, features('R3USDT'))).toEqual({ state: 'offline', reason: 'unavailable' });
    expect([llm.requests.length, (await reserved()).own]).toEqual([5, 4000]);
  });

  it('is not repeated when the caller aborted, when the provider wants a long pause, or after a timeout', async () => {
    llm.play('rateLimited', { retryAfterS: 60 });
    expect(await runAiCheck(deps(), userId, features('AUSDTUSDT'))).toMatchObject({ reason: 'rateLimited' });
    llm.play('hang');
    expect(await runAiCheck(deps({}, 1000), userId, features('BUSDTUSDT'))).toMatchObject({ reason: 'timedOut' });
    const left = new AbortController();
    const leaving = runAiCheck(deps(), userId, features('CUSDTUSDT'), left.signal);
    await expect.poll(() => llm.requests.length).toBe(3);
    left.abort();
    expect(await leaving).toMatchObject({ reason: 'timedOut' });
    expect(llm.requests).toHaveLength(3);
  });

  it('stops at the cap of the day, before anything is sent', async () => {
    const spent = await withSystem(database.db, async (tx) =>
      (await tx.selectFrom('ai_calls').select('reserved_microusd').execute()).reduce(
        (sum, row) => sum + row.reserved_microusd,
        0,
      ),
    );
    const capped = deps({ dailyMicrousdMax: spent + 2500 });
    const checks = await Promise.all(
      ['A1', 'A2', 'A3', 'A4'].map((name) => runAiCheck(capped, userId, features(`${name}USDT`))),
    );
    expect(checks.filter(({ state }) => state === 'online')).toHaveLength(2);
    expect(checks.filter((check) => check.state === 'offline' && check.reason === 'cap_reached')).toHaveLength(2);
    expect(llm.requests).toHaveLength(2);
  });

  it('leaves three quarters of the cap to others, however many requests one user makes at once', async () => {
    const spent = await withSystem(database.db, async (tx) =>
      (await tx.selectFrom('ai_calls').select('reserved_microusd').execute()).reduce(
        (sum, row) => sum + row.reserved_microusd,
        0,
      ),
    );
    // Far from the cap of all: a quarter of 48 questions and of what was spent before.
    const shared = deps({ dailyMicrousdMax: 48_000 + 4 * spent });
    const own = 12 + spent / 1000;
    const request = (from: number, count: number, who = userId) =>
      Promise.all(Array.from({ length: count }, (_, i) => runAiCheck(shared, who, features(`S${from + i}USDT`))));
    const checks = await request(0, own + 3);
    expect(checks.filter(({ state }) => state === 'online')).toHaveLength(own);
    expect(checks.filter((check) => check.state === 'offline' && check.reason === 'share_used')).toHaveLength(3);
    const bert = randomUUID();
    await withSystem(database.db, (tx) =>
      sql`insert into users (id, name, email) values (${bert}, 'Bert', ${`${bert}@example.com`})`.execute(tx),
    );
    expect(await request(100, 1, bert)).toMatchObject([{ state: 'online' }]);
  });

  it('passes on fifty hostile responses as plain words: decision, levels and risk stay within their bounds', async () => {
    for (const [index, text] of hostileTexts.entries()) {
      llm.say({ rationale: `x ${text}`, tags: [text, text], verdict: 'rejected' });
      const check = await runAiCheck(deps(), userId, features(`H${index}USDT`));
      if (check.state !== 'online') throw new Error(check.reason);
      expect(check.verdict).toMatchObject({ decision: 'rejected', riskMultiplier: 0.8, suggestedStopLossPct: 1 });
      expect(check.verdict.rationale).not.toMatch(/[<>`[\]{}]|:\/\//);
    }
  });

  it('is decided by the built-in rules without a model, stored, and costs no call', async () => {
    const check = await runAiCheck(deps({ model: undefined }), userId, features());
    expect(check).toMatchObject({ state: 'online', by: 'built_in', model: 'built-in-3' });
    expect(await storedCount()).toBe(1);
    expect(llm.requests).toHaveLength(0);
  });

  it('cannot be changed or deleted afterwards, not even by the service', async () => {
    await runAiCheck(deps({ model: undefined }), userId, features());
    const deleted = await withSystem(database.db, (tx) => tx.deleteFrom('ai_verdicts').execute());
    expect(deleted[0]?.numDeletedRows).toBe(0n);
    expect(await storedCount()).toBeGreaterThan(0);
    await expect(
      withSystem(database.db, (tx) => tx.updateTable('ai_verdicts').set({ model: 'x' }).execute()),
    ).rejects.toThrow(/permission denied/);
    await expect(
      withUser(database.db, userId, (tx) => tx.selectFrom('ai_calls').selectAll().execute()),
    ).rejects.toThrow(/permission denied/);
  });
});
