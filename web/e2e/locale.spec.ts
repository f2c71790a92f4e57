import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { chromiumLaunch } from '../../browser.ts';
import { openTab, signUp } from './support/users.ts';

const publicPaths = ['/', '/features', '/how', '/security', '/faq', '/login', '/privacy-policy', '/terms-of-service'];
const tabs = ['Dashboard', 'Signals', 'Auto', 'Backtest', 'Profile', 'Signal Tuning', 'Account'];

/** Opens every public page and every tab; charts are drawn where there are any, and nothing fails. */
async function walk(page: Page): Promise<void> {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  for (const path of [...publicPaths, '/scoreboard']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    expect(faults, path).toEqual([]);
  }
  await signUp(page);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  for (const tab of tabs) {
    await openTab(page, tab);
    await expect(page.locator('main').getByRole('tablist').first(), tab).toBeVisible();
    await expect(page.getByText('This view failed'), tab).toHaveCount(0);
    await expect(page.getByText('This part of the page failed'), tab).toHaveCount(0);
  }
  await openTab(page, 'Backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  expect(faults).toEqual([]);
}

test('every page and tab works in a browser that was started under LANG=C and reports an invalid language', async ({
  baseURL,
}) => {
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      ...(await chromiumLaunch()),
      env: { ...process.env, LANG: 'C', LC_ALL: 'C' },
    });
    const page = await browser.newPage({ baseURL: baseURL ?? '', viewport: { width: 1440, height: 900 } });
    // Browsers read LANG differently: reports a language no formatter knows.
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'language', { configurable: true, get: () => 'en-US@posix' });
      Object.defineProperty(Navigator.prototype, 'languages', { configurable: true, get: () => ['en-US@posix', 'C'] });
    });
    await walk(page);
    expect(await page.evaluate(() => navigator.language)).toBe('en-US');
  } finally {
    await browser?.close();
  }
});

test('the sign-in page says in words that it needs JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  for (const path of ['/login', '/forgot-password']) {
    await page.goto(path);
    // By selector: text and role locators skip noscript content.
    await expect(page.locator('noscript main')).toContainText('This page needs JavaScript');
    await expect(page.locator('noscript a[href="/"]')).toBeVisible();
  }
  await context.close();
});
