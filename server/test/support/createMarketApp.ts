import { fakeBinanceKey } from '../../fakes/exchanges/binance/key.ts';
import { type ExchangesFake, startExchanges } from '../../fakes/exchanges/server.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './createTestApp.ts';

export interface MarketApp extends TestApp {
  exchanges: ExchangesFake;
}

export interface MarketAppOptions extends TestAppOptions {
  /** Without the key that Binance requires for its leverage tiers. */
  isKeyless?: boolean;
}

/** The whole app on its own simulated market. Close it in afterAll. */
export async function createMarketApp({ isKeyless = false, ...options }: MarketAppOptions = {}): Promise<MarketApp> {
  const exchanges = await startExchanges();
  const key = isKeyless ? {} : { BINANCE_API_KEY: fakeBinanceKey.key, BINANCE_API_SECRET: fakeBinanceKey.secret };
  const test = await createTestApp({ ...options, env: { EXCHANGES_URL: exchanges.url, ...key, ...options.env } });
  return {
    ...test,
    exchanges,
    close: async () => {
      try {
        await test.close();
      } finally {
        await exchanges.close();
      }
    },
  };
}
