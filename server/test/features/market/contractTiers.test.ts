import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchangeIds, startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => exchanges.fake.faults.clear());

describe('the leverage tiers of a contract', () => {
  it.each(exchangeIds)('whose request fails on %s fail the contract, and are there on a retry', async (exchange) => {
    const market = exchanges.market(exchanges.venues());
    // The list of symbols is loaded before the fault.
    await market.symbols({ exchange });
    exchanges.fake.faults.add({ fault: 'serverError', endpoint: 'other', retryAfterS: 30, delayMs: 0 });
    const failed = await market.contract({ exchange, symbol: 'BTCUSDT' });
    expect(failed).toMatchObject({ ok: false, error: { code: 'upstream_unavailable' } });
    exchanges.fake.faults.clear();
    exchanges.clock.advance(60_000);
    const again = await market.contract({ exchange, symbol: 'BTCUSDT' });
    if (!again.ok) throw new Error(again.error.message);
    expect(again.value.value).toMatchObject({ leverageMax: 125 });
    expect(again.value.value.tiers?.length).toBeGreaterThan(3);
  });
});
