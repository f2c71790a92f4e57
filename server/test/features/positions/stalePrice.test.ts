import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import { StreamFaultRule } from '../../../fakes/exchanges/streams/streamFaults.ts';
import { OPENING_PRICE_AGE_MS_MAX } from '../../../src/features/positions/live.ts';
import { openFromScan } from '../../../src/features/positions/openFromScan.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { storeScan } from './support/scans.ts';

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp();
  test.deps.startStreams(() => undefined);
});
afterAll(() => test.close());

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT'];
async function pricesOf(user: TestUser): Promise<{ symbol: string; price: number }[]> {
  const url = `/api/price/batch?symbols=${symbols.join(',')}`;
  return (await test.app.inject({ url, headers: user.bearer })).json<{ prices: { symbol: string; price: number }[] }>()
    .prices;
}

it('opens nothing, by hand or automatically, at prices older than the stated age', async () => {
  const anna = await test.signUp();
  const prices = await pricesOf(anna);
  expect(prices).toHaveLength(symbols.length);
  const given = prices.map(({ symbol, price }) => ({ symbol, price, isApproved: true }));
  const scan = await storeScan({ db: test.deps.db, asOwner: test.database.asOwner }, anna.id, given);
  const price = prices[0]?.price ?? Number.NaN;
  const payload = {
    symbol: 'BTCUSDT',
    interval: '1h',
    side: 'LONG',
    qty: 0.01,
    stop_loss: price * 0.98,
    take_profit: price * 1.04,
  };
  const byHand = (url: string) => test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
  expect((await byHand('/api/positions/preview')).statusCode).toBe(200);

  // Streamed before the streams fall silent.
  const quote = (symbol: string) => test.deps.market.readQuote({ symbol, maxAgeMs: OPENING_PRICE_AGE_MS_MAX });
  await expect.poll(() => quote('BTCUSDT')).not.toBeNull();
  test.exchanges.streams.faults.add(StreamFaultRule.parse({ fault: 'drop' }));
  test.exchanges.streams.faults.add(StreamFaultRule.parse({ fault: 'refusedUpgrade' }));
  test.exchanges.faults.add(FaultRule.parse({ fault: 'serverError' }));
  await pause(OPENING_PRICE_AGE_MS_MAX + 500);
  // A connection may have dropped late: then its last price is not old yet.
  for (const symbol of symbols) await expect.poll(() => quote(symbol)).toBeNull();

  const run = await openFromScan(test.deps, anna.id, scan);
  expect(run).toMatchObject({ ok: true, value: { run: { opened: 0, failed: 5 } } });
  const sentence = 'in the last 5 seconds';
  if (run.ok) expect(run.value.run.items.filter(({ message }) => message.includes(sentence))).toHaveLength(5);
  for (const url of ['/api/positions', '/api/positions/preview']) {
    const response = await byHand(url);
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([503, 'price_stale']);
    expect(response.json<{ message: string }>().message).toContain(sentence);
  }
  expect(await test.database.asOwner('select from positions')).toHaveLength(0);
}, 60_000);
