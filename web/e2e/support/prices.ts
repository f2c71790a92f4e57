import { expect, type Page } from '@playwright/test';

/** Markets whose price no test moves on every exchange: parallel tests open positions by their candles. */
export const unmovedSymbols = [
  ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'],
  ...['BNBUSDT', 'DOGEUSDT', 'ADAUSDT', 'AVAXUSDT'],
];

/** From now on the simulated exchanges, or one of them, quote the symbol at `factor` times its normal price. */
export async function movePrice(page: Page, symbol: string, factor: number, venue?: string): Promise<void> {
  if (venue === undefined && unmovedSymbols.includes(symbol))
    throw new Error(`other tests need the price of ${symbol}`);
  const url = `http://127.0.0.1:${process.env.E2E_EXCHANGES_PORT ?? ''}/__control/price`;
  const data = venue === undefined ? { symbol, factor } : { symbol, factor, venue };
  expect((await page.request.post(url, { data })).ok()).toBe(true);
}
