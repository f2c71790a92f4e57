import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSignals } from '../../../src/features/scan/findSignals.ts';
import { ScanBody } from '../../../src/features/scan/contract.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { scanParams } from '../../support/scanParams.ts';

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());

it('a scan whose filters leave no symbol says so, with how many each filter left out', async () => {
  const anna = await test.signUp();
  const payload = { whitelist: 'BTCUSDT', blacklist: 'BTCUSDT' };
  await test.app.inject({ method: 'PUT', url: '/api/preferences', headers: anna.bearer, payload });
  const params = await scanParams(test.deps, anna.id, ScanBody.parse({}));
  const options = {
    userId: anna.id,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => Promise.resolve(),
  };
  const outcome = await findSignals(test.deps, params, options);
  expect(outcome.ok).toBe(false);
  if (outcome.ok) return;
  expect(outcome.error.message).toMatch(
    /^The filters left no symbol to scan: .*1 on your blacklist.*not on your whitelist/,
  );
});
