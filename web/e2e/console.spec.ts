import { expect, test } from '@playwright/test';
import type { TabId } from '../src/api/types.ts';
import { signUp } from './support/users.ts';

/** A tab that is missing here does not compile. */
const pagesOf: Record<TabId, readonly string[]> = {
  dashboard: ['overview', 'positions', 'history', 'analytics', 'alerts'],
  auto: ['overview', 'trailing', 'active', 'performance'],
  signals: ['scanner', 'trading', 'filters', 'results'],
  backtest: ['setup', 'search', 'params', 'portfolio', 'heatMap'],
  arb: ['scanner', 'results', 'analytics'],
  profile: [],
  funds: ['purchase', 'details', 'moonpay'],
  news: ['feed', 'analysis', 'trends', 'settings'],
  help: ['browse', 'search', 'chat', 'categories'],
  vision: [],
  settings: [],
  account: [],
  payments: ['history', 'analytics', 'methods', 'receipts'],
  'api-manager': [],
  'api-docs': [],
};

test('SHELL-007 every tab and page opens without an error in the console', async ({ page }) => {
  const errors: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') errors.push(`${page.url()} ${line.text()}`);
  });
  page.on('pageerror', (fault) => errors.push(`${page.url()} ${fault.message}`));
  await signUp(page);
  for (const [tab, pages] of Object.entries(pagesOf))
    for (const inner of pages.length === 0 ? [''] : pages) {
      await page.goto(`/?tab=${tab}${inner === '' ? '' : `&page=${inner}`}`);
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
      await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
      // What the tab fetches may fail after its heading.
      await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 300)));
    }
  expect(errors).toEqual([]);
});
