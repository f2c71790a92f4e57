import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAwayResults } from '../../../src/features/scan/away/checkAway.ts';
import { checkAndOpen, startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** Automatic opening after a scan stops when the account has requested deletion. */
let test: MarketApp;
let stopWorkers: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  stopWorkers = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

const send = async <T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<T> =>
  (await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) })).json<T>();

/** A user whose scan is done and has results that pass every check. */
async function scanned(): Promise<{ user: TestUser; job: { userId: string; scanId: string; mayOpen: true } }> {
  const user = await test.signUp();
  await send(user, 'PUT', '/api/preferences', { min_auto_conf_pct: 0, ai_soft_approval: true, balance_usdt: 100_000 });
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT', 'DOGEUSDT', 'LINKUSDT'];
  const { scan_id: scanId } = await send<{ scan_id: string }>(user, 'POST', '/api/scan', { symbols });
  const status = async () => (await send<{ scan: { status: string } }>(user, 'GET', `/api/scan/${scanId}`)).scan.status;
  await expect.poll(status, { timeout: 60_000 }).toBe('done');
  return { user, job: { userId: user.id, scanId, mayOpen: true } };
}
const count = async (table: string, { id }: TestUser) =>
  (await test.database.asOwner<{ n: number }>(`select count(*)::int as n from ${table} where user_id = $1`, [id]))[0]
    ?.n;
const requestDeletion = (user: TestUser) => send(user, 'POST', '/api/account/deletion', { email: user.email });
const { signal } = new AbortController();

it('opens positions for an account without a deletion request', async () => {
  const { user, job } = await scanned();
  await checkAndOpen(test.deps, job, signal);
  expect(await count('scan_ai_checks', user)).toBeGreaterThan(0);
  expect(await count('positions', user)).toBeGreaterThan(0);
}, 90_000);

it('neither checks nor opens anything of an account whose deletion was requested', async () => {
  const { user, job } = await scanned();
  await requestDeletion(user);
  await checkAndOpen(test.deps, job, signal);
  for (const table of ['scan_ai_checks', 'auto_runs', 'positions']) expect(await count(table, user), table).toBe(0);
}, 90_000);

it('opens nothing when the deletion was requested while the prices of an opening were read', async () => {
  const { user, job } = await scanned();
  const { market } = test.deps;
  let isRequested = false;
  const during: typeof market = {
    ...market,
    symbols: async (...requested) => {
      if (!isRequested) await requestDeletion(user);
      isRequested = true;
      return market.symbols(...requested);
    },
  };
  await checkAndOpen({ ...test.deps, market: during }, job, signal);
  expect(await count('positions', user)).toBe(0);
  const rows = await test.database.asOwner<{ message: string }>(
    `select message from auto_run_items where user_id = $1 and outcome = 'FAILED'`,
    [user.id],
  );
  expect(new Set(rows.map(({ message }) => message))).toEqual(
    new Set(['Your account is being deleted. Cancel the deletion to open a position.']),
  );
}, 90_000);

it('opens nothing when the deletion was requested while the results were checked', async () => {
  const { user, job } = await scanned();
  await checkAndOpen(test.deps, job, signal, async (...requested) => {
    await checkAwayResults(...requested);
    await requestDeletion(user);
  });
  expect(await count('scan_ai_checks', user)).toBeGreaterThan(0);
  for (const table of ['auto_runs', 'positions']) expect(await count(table, user), table).toBe(0);
}, 90_000);
