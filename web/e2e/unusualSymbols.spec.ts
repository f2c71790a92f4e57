import { expect, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';

/** A one-letter coin, and one whose name is not ASCII. */
for (const symbol of ['WUSDT', '币安人生USDT']) {
  test(`OPS ${symbol} is watched, charted, opened by URL and run like every other symbol`, async ({ page }) => {
    await signUp(page);
    await page.getByRole('button', { name: 'Add symbol' }).click();
    await page.getByRole('combobox', { name: 'Symbol to watch' }).fill(symbol);
    const stored = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/watchlist') && response.request().method() === 'POST' && response.ok(),
    );
    await page.getByRole('option', { name: symbol }).first().click();
    await stored;
    const row = page.getByRole('row').filter({ has: page.getByText(symbol, { exact: true }) });
    await expect(row.getByRole('cell').nth(2)).toHaveText(/^[\d,]+\.\d+$/);
    await row.click();
    await expect(page.getByRole('heading', { name: symbol })).toBeVisible();
    const requested = page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url());
      return pathname === '/api/klines' && searchParams.get('symbol') === symbol;
    });
    await page.reload();
    expect((await requested).status()).toBe(200);
    await expect(row).toBeVisible();

    await openTab(page, 'Backtest');
    const field = page.getByRole('combobox', { name: 'Symbol', exact: true });
    await field.fill(symbol);
    await field.press('Tab');
    await expect(field).toHaveValue(symbol);
    await page.getByRole('button', { name: 'Run Backtest' }).click();
    await expect(page.getByRole('heading', { name: `${symbol}, 1h` })).toBeVisible();
  });
}

test('OPS the dashboard says what the universe is made of, with the number the symbol field has', async ({ page }) => {
  await signUp(page);
  const sentence = page.getByText(
    /^\d+ coin perpetuals trade, 1 is suspended\. Left out: 1 commodity, 1 dated future\.$/,
  );
  const count = /^\d+/.exec(await sentence.innerText())?.[0] ?? '';
  await expect(page.getByText('Perpetuals traded').locator('xpath=..')).toContainText(count);
  await openTab(page, 'Backtest');
  await expect(page.getByText(`${count} USDT perpetuals`, { exact: true })).toBeVisible();
});
