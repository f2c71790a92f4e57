import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAwayScans } from '../../../src/features/scan/away/runAwayScans.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stop: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  stop = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stop();
  await test.close();
});

interface Response {
  status: number;
  code: string;
  field?: string;
  detail: string;
  scan_id: string;
  scan: { status: string; failure: string | null };
  strategies: { id: string; version: string; is_used: boolean }[];
  last: { status: string; message: string | null } | null;
  is_on: boolean;
}
async function send(user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const response = await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });
  return { ...response.json<Response>(), status: response.statusCode };
}
const creditsOf = async (user: TestUser) =>
  (
    await test.database.asOwner<{ credits: number; entries: number }>(
      `select (select credits from balances where user_id = $1) as credits,
        (select count(*)::int from credit_ledger where user_id = $1 and kind <> 'grant') as entries`,
      [user.id],
    )
  )[0];

const good = 'long when rsi(14) < 30\nstop 2 %';
/** As an earlier version of the language stored it. The second line has the error: `rsj` starts at column 11. */
const broken = 'stop 2 %\nlong when rsj(14) < 30';
const words = /line 2, column 11: .*rsj.*; .*rsi/;

/** A user whose active rules are a text that no longer compiles. */
async function withBroken(rules = broken): Promise<TestUser> {
  const user = await test.signUp();
  const saved = await send(user, 'POST', '/api/strategies', { name: 'Mine', rules: good, interval: '1h' });
  const { id, version } = saved.strategies[0]!;
  expect((await send(user, 'PUT', '/api/strategies/used', { id, version })).status).toBe(200);
  await replaceText(user, rules);
  return user;
}
const replaceText = (user: TestUser, rules: string) =>
  test.database.asOwner(
    `update strategies set value = jsonb_set(value, '{rules}', to_jsonb($2::text)), version = $3 where user_id = $1`,
    [user.id, rules, createHash('sha256').update(rules).digest('hex')],
  );

describe('saved own rules that no longer compile', () => {
  it('RULE-190 reject a scan with line, column and fix, and charge nothing', async () => {
    const anna = await withBroken();
    const before = await creditsOf(anna);
    const response = await send(anna, 'POST', '/api/scan', { symbols: ['BTCUSDT'] });
    expect(response).toMatchObject({ status: 409, code: 'conflict', field: 'strategy' });
    expect(response.detail).toMatch(words);
    expect(response.detail).toMatch(/^Mine no longer compiles: /);
    expect(await creditsOf(anna)).toEqual(before);
  });

  it('RULE-190 reject a scan whose text now reads another interval', async () => {
    const anna = await withBroken('long when 4h(rsi(14) < 30)\nstop 2 %');
    const response = await send(anna, 'POST', '/api/scan', { symbols: ['BTCUSDT'] });
    expect(response).toMatchObject({ status: 409, field: 'strategy' });
    expect(response.detail).toMatch(/reads 4h/);
  });

  it('RULE-190 fail a scan that was queued with them, which returns its credit', async () => {
    const anna = await withBroken(good);
    const before = await creditsOf(anna);
    // Started and replaced in one go: the job reads its own copy of the text.
    await stop();
    const { scan_id: id } = await send(anna, 'POST', '/api/scan', { symbols: ['BTCUSDT'] });
    await test.database.asOwner(
      `update scans set params = jsonb_set(params, '{strategy,value,rules}', to_jsonb($2::text)) where id = $1`,
      [id, broken],
    );
    stop = await startWorkers(test.deps, test.app.log);
    const read = async () => (await send(anna, 'GET', `/api/scan/${id}`)).scan;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('failed');
    const { failure } = await read();
    expect(failure).toMatch(words);
    expect(failure).toMatch(/Your credit was returned\.$/);
    expect((await creditsOf(anna))?.credits).toBe(before?.credits);
  });

  it('RULE-190 stop scans while away, which say why until the text is corrected', async () => {
    const anna = await withBroken();
    await send(anna, 'PUT', '/api/preferences', { keep_scanning: true });
    const before = await creditsOf(anna);
    const { db, jobs, config } = test.deps;
    expect(await runAwayScans({ db, jobs, config, clock: () => sql<Date>`now()` })).toBe(0);
    const away = await send(anna, 'GET', '/api/scan/away');
    expect(away).toMatchObject({ is_on: false, last: { status: 'refused' } });
    expect(away.last?.message).toMatch(words);
    expect(await creditsOf(anna)).toEqual(before);
    await replaceText(anna, good);
    expect((await send(anna, 'GET', '/api/scan/away')).last?.message).toBe('Your rules did not compile');
  });

  it('RULE-190 reject a portfolio run of Auto rules', async () => {
    const anna = await withBroken();
    const response = await send(anna, 'POST', '/api/backtest/portfolio', { symbols: ['BTCUSDT'], asAuto: true });
    expect(response).toMatchObject({ status: 409, code: 'conflict', field: 'strategy' });
    expect(response.detail).toMatch(words);
  });

  it('RULE-190 cannot be selected', async () => {
    const anna = await withBroken();
    await send(anna, 'PUT', '/api/strategies/used', { id: null });
    const { strategies } = await send(anna, 'GET', '/api/strategies');
    const { id } = strategies[0]!;
    const response = await send(anna, 'PUT', '/api/strategies/used', { id });
    expect(response).toMatchObject({ status: 409, code: 'conflict', field: 'id' });
    expect(response.detail).toMatch(words);
    expect((await send(anna, 'GET', '/api/strategies')).strategies[0]?.is_used).toBe(false);
  });
});
