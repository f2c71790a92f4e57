import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

const toggle = (page: Page) => page.getByRole('button', { name: 'Positioning', exact: true });

test('DESK-127 the watch list shows open interest, long/short ratio and the funding clock when switched on', async ({
  page,
}) => {
  await signUp(page);
  const row = page.locator('#watch-list').getByRole('row', { name: /BTCUSDT/ });
  await expect(row).toBeVisible();
  const heads = page.locator('#watch-list').getByRole('columnheader');
  await expect(heads.filter({ hasText: 'Open interest' })).toHaveCount(0);
  await toggle(page).click();
  await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
  for (const name of ['Open interest', 'Long/short', 'Funding in'])
    await expect(heads.filter({ hasText: name })).toBeVisible();
  await expect(row).toContainText(/\d+\.\d+B.*\d\.\d\d.*[+\u2212]?0\.\d{4}.%.*(\d+ h \d\d min|\d+ min)/);
  await expect(page.getByText(/^Open interest, USDT, .* old$/)).toBeVisible();
  await expect(page.getByText(/^Long\/short accounts, .* old$/)).toBeVisible();
  // The buttons stay inside the list.
  const edgeOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right);
  const [list, alert] = [page.locator('#watch-list'), row.getByRole('button', { name: 'Set an alert on BTCUSDT' })];
  expect(await edgeOf(alert)).toBeLessThanOrEqual(await edgeOf(list));
  await expectAccessibleAtBothWidths(page, 'the watch list with positioning');

  // It stays on, and below the symbol on a phone.
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row.getByText(/^OI \d+\.\d+B, L\/S \d\.\d\d, /)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await toggle(page).click();
  await expect(heads.filter({ hasText: 'Open interest' })).toHaveCount(0);
  await expect(heads.filter({ hasText: /^24 h$/ })).toBeVisible();

  // What does not come is said, and shown as nothing.
  await page.route('**/api/market/positioning?**', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'x', status: 503, code: 'upstream_unavailable', detail: 'Binance is down.' },
    }),
  );
  await page.reload();
  await toggle(page).click();
  await expect(page.locator('#watch-list').getByText('Binance is down.')).toBeVisible();
  await expect(row).toContainText('–');
});

test('DESK-128 a chart shows open interest and long/short ratio below its candles', async ({ page }) => {
  await signUp(page);
  const chart = page.getByRole('region', { name: 'Charts' });
  await chart.getByRole('button', { name: /^Indicators/ }).click();
  const menu = page.getByRole('dialog', { name: 'Indicators' });
  await menu.getByRole('checkbox', { name: 'Open interest' }).check();
  await menu.getByRole('checkbox', { name: 'Long/short accounts' }).check();
  await page.keyboard.press('Escape');
  const panes = chart.locator('.chart-pane');
  await expect(panes.filter({ hasText: /Open interest, at \d{4}-\d\d-\d\d/ })).toBeVisible();
  await expect(panes.filter({ hasText: /Long\/short accounts, at \d{4}-\d\d-\d\d/ })).toBeVisible();
  // The newest candle has a value.
  await expect(panes.filter({ hasText: 'Long/short accounts' })).toContainText(/\d\.\d\d/);
  await page.reload();
  await expect(panes.filter({ hasText: /Open interest, at/ })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'a chart with open interest');
  await chart.getByRole('button', { name: /^Indicators/ }).click();
  await menu.getByRole('checkbox', { name: 'Open interest' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(panes.filter({ hasText: /Open interest, at/ })).toHaveCount(0);
});
