import { expect, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';
import { changeResponses } from './support/requests.ts';

test('ERR-029 news, trades, positions and categories without entries say so, and what to do next', async ({ page }) => {
  await changeResponses(page, /\/api\/news(\?|$)/, (body: object) => ({ ...body, stories: [] }));
  await page.route('**/api/support/categories', (route) => route.fulfill({ json: { categories: [] } }));
  await page.route('**/api/support/articles', (route) =>
    route.fulfill({ json: { articles: [], corrected_to: null, nearest: [] } }),
  );
  await signUp(page);
  await expect(page.getByText(/^No open positions\. Scans open/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go to Signals' })).toBeVisible();
  await expect(page.getByText(/^No trades in the last 24 hours\./)).toBeVisible();
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await expect(page.getByText(/^No trades in the last /)).toBeVisible();
  await openTab(page, 'News');
  await expect(page.getByText(/^No unread news\./)).toBeVisible();
  await openTab(page, 'Help');
  await page.getByRole('tab', { name: 'Categories', exact: true }).click();
  await expect(page.getByText('No articles in this category yet.').first()).toBeVisible();
});

test('ERR-007 a report of the load time that fails is not shown and not repeated', async ({ page }) => {
  const messages: string[] = [];
  page.on('pageerror', (error) => messages.push(error.message));
  let reports = 0;
  await changeResponses(page, '**/api/account/privacy', (body: object) => ({ ...body, analytics: true }));
  const failNow = Promise.withResolvers<null>();
  await page.route('**/api/health/log', async (route) => {
    reports += 1;
    await failNow.promise;
    return route.fulfill({ status: 500, body: '' });
  });
  const sent = page.waitForRequest('**/api/health/log');
  const reported = page.waitForResponse('**/api/health/log');
  await signUp(page, 'account');
  await sent;
  // After the load was measured, and before a repeat can wait for it.
  await page.clock.install();
  failNow.resolve(null);
  await reported;
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /fail/i })).toHaveCount(0);
  // A failed request is repeated after 1 s, and six times within 21 s.
  await page.clock.runFor(30_000);
  await page.evaluate(() => fetch('/robots.txt'));
  expect(reports).toBe(1);
  expect(messages).toEqual([]);
});
