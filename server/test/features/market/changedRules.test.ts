import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeIds, startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());

describe('a contract whose tick and quantity step change', () => {
  it.each(exchangeIds)(
    'on %s has the new ones within two minutes, for the lab and for positions to be opened',
    async (exchange) => {
      const market = exchanges.market(exchanges.venues());
      const symbol = 'ETHUSDT';
      const rules = async () => {
        const contract = await market.contract({ exchange, symbol });
        if (!contract.ok) throw new Error(contract.error.message);
        const { tickSize, stepSize } = contract.value.value;
        return { tickSize, stepSize };
      };
      const before = await rules();
      exchanges.fake.changeListing({ symbol, venue: exchange, tick: '1', step: '0.7' });
      const startMs = exchanges.clock.now();
      let secondsUntil: number | undefined;
      // The page of a user polls every five seconds.
      for (let s = 0; s <= 120 && secondsUntil === undefined; s += 5) {
        const { tickSize } = await rules();
        // A renewal that runs beside the response is awaited before the clock advances.
        await market.symbols({ exchange });
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (tickSize !== before.tickSize) secondsUntil = (exchanges.clock.now() - startMs) / 1000;
        exchanges.clock.advance(5000);
      }
      expect(secondsUntil).toBeLessThanOrEqual(120);
      // OKX states the step in contracts of 0.1 ETH.
      expect(await rules()).toEqual({ tickSize: 1, stepSize: exchange === 'okx' ? 0.07 : 0.7 });
    },
  );
});
