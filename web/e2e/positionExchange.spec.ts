import { expect, type Page, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';
import { openByApi } from './support/positions.ts';
import { changeResponses } from './support/requests.ts';

const symbol = 'KSMUSDT';

/** The positions of the page, as if they had been opened on Bybit. */
const serveAsBybit = (page: Page): Promise<void> =>
  changeResponses(
    page,
    /\/api\/positions[?/]/,
    (body) => JSON.parse(JSON.stringify(body).replaceAll('"exchange":"binance"', '"exchange":"bybit"')) as object,
  );

/** Closes of the last candles of a venue, oldest first, as the API has them. */
async function closesOn(page: Page, exchange: string, interval: string, endTime?: string): Promise<number[]> {
  const until = endTime === undefined ? '' : `&endTime=${endTime}`;
  const query = `symbol=${symbol}&interval=${interval}&limit=20&exchange=${exchange}${until}`;
  const response = await page.request.get(`/api/klines?${query}`);
  expect(response.status()).toBe(200);
  return ((await response.json()) as { candles: { close: number[] } }).candles.close;
}

test('a position on Bybit is charted and replayed with the candles of Bybit, not of Binance', async ({ page }) => {
  await signUp(page, 'account');
  await openByApi(page, symbol, 'LONG', true);
  await serveAsBybit(page);
  const requested: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/klines' && url.searchParams.get('symbol') === symbol) requested.push(url.searchParams);
  });
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await page.getByRole('row', { name: new RegExp(symbol) }).click();
  const panel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: `${symbol} LONG`, exact: true }) });
  const readout = panel.locator('.chart-readout').first();
  await expect(readout).toHaveText(/C [\d,.]+/);
  const shown = Number(/C ([\d,.]+)/.exec((await readout.textContent()) ?? '')?.[1]?.replaceAll(',', ''));

  // The chart shows the newest candle it requested: the same candle of each venue identifies the exchange.
  const [chart] = requested;
  const ofChart = [chart?.get('interval') ?? '', chart?.get('endTime') ?? undefined] as const;
  const bybit = (await closesOn(page, 'bybit', ...ofChart)).at(-1);
  const binance = (await closesOn(page, 'binance', ...ofChart)).at(-1);
  expect(bybit).not.toBe(binance);
  expect(shown).toBe(bybit);

  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(
    page.getByRole('table', { name: 'What if, compared' }).or(page.getByText('No whole minute has passed')),
  ).toBeVisible();
  expect([...new Set(requested.map((query) => query.get('exchange')))]).toEqual(['bybit']);
});
