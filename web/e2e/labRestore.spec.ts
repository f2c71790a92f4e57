import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { signUp, signUpOnScreen } from './support/users.ts';

test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
});

/** Every honesty figure with its note, the head of the search and the first rows of its table. */
async function readResult(page: Page): Promise<Record<string, string[]>> {
  const honesty = page.getByRole('region', { name: 'Honesty' });
  await expect(honesty).toHaveAttribute('data-status', 'judged');
  await honesty.getByRole('button', { name: /^All \d+ figures$/ }).click();
  const figures = page.getByLabel('All honesty figures');
  await expect(figures).not.toContainText('calculating');
  await page.getByRole('tab', { name: 'Table', exact: true }).click();
  const rows = page.getByRole('tabpanel', { name: 'Table' }).getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  // Mark-to-market drawdowns arrive a moment after the rows.
  await expect(rows.filter({ hasText: '…' })).toHaveCount(0);
  const table = await rows.allInnerTexts();
  await page.getByRole('tab', { name: 'Map', exact: true }).click();
  const map = page.getByRole('img', { name: /as colour/ });
  await expect(map).toBeVisible();
  return {
    map: [(await map.getAttribute('aria-label')) ?? ''],
    trials: [await page.getByTestId('honesty-trials').innerText()],
    level: [await page.getByTestId('honesty-level').innerText()],
    figures: await figures.locator('dt, dd').allInnerTexts(),
    search: [await page.getByTestId('search-facts').innerText()],
    table: table.slice(0, 8),
    hash: [(await page.getByTestId('browser-result').getAttribute('data-hash')) ?? ''],
    net: [await page.getByTestId('net-pnl').innerText()],
  };
}

async function searched(page: Page): Promise<void> {
  const symbol = page.getByRole('combobox', { name: 'Symbol', exact: true });
  await symbol.fill('eth');
  await symbol.press('Tab');
  await expect(symbol).toHaveValue('ETHUSDT');
  await page.getByRole('tab', { name: 'Optimization', exact: true }).click();
  // The run before the search is saved separately where the search takes longer than the save delay.
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') &&
      response.request().method() === 'PUT' &&
      (response.request().postData() ?? '').includes('"search_sets"') &&
      response.ok(),
  );
  await page.getByRole('button', { name: /^Optimize / }).click();
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await saved;
}

test('BT-012 a restored run keeps its search, its trials, every honesty figure, its window and its setup', async ({
  page,
}) => {
  await searched(page);
  const before = await readResult(page);
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(page.getByTestId('search-facts')).toBeVisible();
  expect(await readResult(page)).toEqual(before);
  await page.getByRole('tab', { name: 'Backtest Setup', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Symbol', exact: true })).toHaveValue('ETHUSDT');
});

test('BT-012 without the search in this browser the run says that it is only partly there', async ({ page }) => {
  await searched(page);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase('sextant');
        request.onsuccess = resolve;
        request.onblocked = resolve;
      }),
  );
  await page.reload();
  await expect(page.getByText(/^Partly restored: the search map and table/)).toBeVisible();
});

test('PUB-010 Run a backtest on the home page leads, after signing in, to a first run on screen', async ({
  browser,
}) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  await page.getByRole('link', { name: 'Run a backtest' }).first().click();
  await expect(page).toHaveURL(/\/login/);
  await signUpOnScreen(page);
  await expect(page.getByTestId('net-pnl')).toHaveText(/^[+\u2212]?[\d,]+\.\d\d$/);
  await expect(page.getByTestId('plain-words')).toContainText('BTCUSDT 1h');
  await page.context().close();
});
