import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import type { TestUser } from '../../../support/createTestApp.ts';

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

interface Luck {
  candles: number;
  trialCount: number;
  earlierTrials: number;
  luckSharpe: number;
  detectableSharpe: number;
}
async function post<T>(url: string, payload: object): Promise<T> {
  const response = await test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<T>();
}
const market = { symbol: 'BTCUSDT', interval: '1h', limit: 700, scored: 200 };

it('PKG-056 luck loads candles, and neither fundings nor the rules of the contract', async () => {
  const unused = [vi.spyOn(test.deps.market, 'contract'), vi.spyOn(test.deps.market, 'fundingHistory')];
  try {
    const luck = await post<Luck>('/api/backtest/luck', { ...market, trials: 1000 });
    expect(luck).toMatchObject({ candles: 500, trialCount: 1000, earlierTrials: 0 });
    expect(luck.luckSharpe).toBeGreaterThan(0);
    expect(luck.detectableSharpe).toBeGreaterThan(luck.luckSharpe);
    for (const each of unused) expect(each).not.toHaveBeenCalled();
  } finally {
    for (const each of unused) each.mockRestore();
  }
});

it('PKG-056 luck counts what the account tried on the same scored candles', async () => {
  await post('/api/backtest', market);
  const luck = await post<Luck>('/api/backtest/luck', { ...market, trials: 1000 });
  expect(luck).toMatchObject({ trialCount: 1001, earlierTrials: 1 });
  expect(await post<Luck>('/api/backtest/luck', { ...market, symbol: 'ETHUSDT', trials: 5 })).toMatchObject({
    earlierTrials: 0,
  });
  const unknown = { ...market, symbol: 'NEVERUSDT', trials: 5 };
  const response = await test.app.inject({
    method: 'POST',
    url: '/api/backtest/luck',
    headers: anna.bearer,
    payload: unknown,
  });
  expect(response.json()).toMatchObject({ code: 'symbol_unknown', field: 'symbol' });
});
