import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let user: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  user = await test.signUp();
});
afterAll(() => test.close());

interface Batch {
  exchange: string;
  prices: { symbol: string; price: number }[];
  missing: { symbol: string; why: string }[];
}

async function batch(symbols: string[]): Promise<Batch> {
  const url = `/api/price/batch?symbols=${symbols.join(',')}`;
  const response = await test.app.inject({ method: 'GET', url, headers: user.bearer });
  expect(response.statusCode).toBe(200);
  return response.json();
}

it('NODE-065 pages get the prices of another exchange where one does not serve our region, and its name', async () => {
  const { listings, faults, requests } = test.exchanges;
  const onBoth = [...listings.binance.keys()].filter((id) => listings.bybit.has(id)).slice(0, 2);
  const onlyHere = [...listings.binance.keys()].find((id) => !listings.bybit.has(id));
  if (onlyHere === undefined) throw new Error('each contract of Binance is on Bybit, too');
  faults.add({ fault: 'regionRefused', venue: 'binance', retryAfterS: 30, delayMs: 0 });
  const shown = await batch([...onBoth, onlyHere]);
  expect(shown.exchange).toBe('bybit');
  expect(shown.prices.map(({ symbol }) => symbol)).toEqual(onBoth);
  // Whether Binance trades it is unknown here.
  expect(shown.missing).toEqual([{ symbol: onlyHere, why: 'no_price' }]);
  const list = await test.app.inject({ method: 'GET', url: '/api/futures-symbols' });
  expect(list.json<{ exchange: string }>().exchange).toBe('bybit');
  const [first = ''] = onBoth;
  const own = await test.deps.market.prices({ exchange: 'bybit', symbols: [first] });
  expect(own.ok && own.value.value[0]?.last).toBe(shown.prices[0]?.price);
  // The block is remembered: no further request is sent there.
  const before = requests.all().filter(({ venue }) => venue === 'binance').length;
  expect((await batch(onBoth)).exchange).toBe('bybit');
  expect(requests.all().filter(({ venue }) => venue === 'binance')).toHaveLength(before);
  // Fills and stops read the port itself, which never takes another exchange's price.
  const filled = await test.deps.market.prices({ symbols: [first] });
  expect(filled).toMatchObject({ ok: false, error: { code: 'upstream_unavailable' } });
  // When all of them block us the error names the one that was requested.
  faults.add({ fault: 'regionRefused', retryAfterS: 30, delayMs: 0 });
  await test.deps.market.turnovers({ exchange: 'bybit' });
  await test.deps.market.turnovers({ exchange: 'okx' });
  const url = `/api/price/batch?symbols=${first}`;
  const response = await test.app.inject({ method: 'GET', url, headers: user.bearer });
  expect(response.json()).toMatchObject({ code: 'upstream_unavailable' });
  expect(response.body).toContain('Binance does not serve the region of this server');
});
