import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { openTab, signUp } from './support/people.ts';

test('the watch list shows prices with their age, and the chart of the selected symbol', async ({ page }) => {
  await signUp(page);
  const row = page.getByRole('row', { name: /ETHUSDT/ });
  await expect(row.getByRole('cell').nth(1)).toHaveText(/^[\d,]+\.\d{2,6}$/);
  await expect(row.getByRole('cell').nth(2)).toHaveText(/^[+\u2212]?\d+\.\d\d.%$/);
  await row.click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Data: Live/ })).toBeVisible();
});

test('the last tab and its page are restored', async ({ page }) => {
  await signUp(page);
  await openTab(page, 'Backtest');
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/preferences') && (answer.request().postData() ?? '').includes('"params"'),
  );
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');
});

test('a click made before the saved place arrives is not taken back', async ({ page }) => {
  await page.route('**/api/preferences', async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await signUp(page);
  await openTab(page, 'Backtest');
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/preferences') && answer.request().method() === 'PUT',
  );
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
  await saved;
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
});

test('the banner of a simulated market can be closed until the next visit', async ({ page }) => {
  await signUp(page);
  const banner = page.getByText('Simulated market');
  await expect(banner.first()).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss until the next visit' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Market mode' })).toHaveCount(0);
});

test('the theme is kept', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

const PUBLIC_BYTES_MAX = 120 * 1024;

test('the public page breaks no rule of the content security policy and stays below 120 KiB of script and style', async ({
  page,
  request,
}) => {
  const faults: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(line.text());
  });
  page.on('pageerror', (fault) => faults.push(fault.message));
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(faults).toEqual([]);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
  const files = loaded.filter((name) => /\.(m?js|css)$/.test(new URL(name).pathname));
  const sizes = await Promise.all(files.map(async (name) => gzipSync(await (await request.get(name)).body()).length));
  expect(files.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(PUBLIC_BYTES_MAX);
});

test('another user of the browser sees nothing of the first', async ({ page }) => {
  await signUp(page);
  await openTab(page, 'Backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await signUp(page);
  await expect(page.getByRole('button', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  await openTab(page, 'Backtest');
  await expect(page.getByTestId('net-pnl')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Go to Setup' })).toBeVisible();
});
