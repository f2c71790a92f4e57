import { expect, type Page } from '@playwright/test';

/** From now on the simulated exchanges, or one of them, quote the symbol at `factor` times what it would have been. */
export async function movePrice(page: Page, symbol: string, factor: number, venue?: string): Promise<void> {
  const url = `http://127.0.0.1:${process.env.E2E_EXCHANGES_PORT ?? ''}/__control/price`;
  const data = venue === undefined ? { symbol, factor } : { symbol, factor, venue };
  expect((await page.request.post(url, { data })).ok()).toBe(true);
}
