import { expect, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { runInPalette } from './support/palette.ts';
import { openTab, signUp } from './support/users.ts';

const symbol = (page: Page) => page.getByRole('combobox', { name: 'Symbol', exact: true });

test('RULE-230 letters typed in the rules editor are text: high opens no page, and b no ticket', async ({ page }) => {
  await signUp(page, 'backtest');
  await choose(page, 'Strategy', 'Own rules');
  await page.getByRole('tab', { name: 'Strategy Parameters', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Rules', exact: true });
  await editor.fill('');
  await editor.click();
  // Brackets close by themselves, and a suggestion would take Enter: this has neither.
  await page.keyboard.type('long when close > high and sma > 2 ? g d b s');
  await expect(editor.locator('.cm-line')).toHaveText('long when close > high and sma > 2 ? g d b s');
  await expect(page.getByRole('tab', { name: 'Strategy Parameters', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(new URL(page.url()).search).not.toContain('ticket');
});

test('DESK-270 a market chosen in the palette is run by the lab: over a saved run, and over the run on screen', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );
  await choose(page, 'Interval', '4h');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 4h' })).toBeVisible();
  await saved;
  await openTab(page, 'Dashboard');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();

  await runInPalette(page, 'eth backtest', /^ETHUSDT.*Backtest/);
  // The interval of the saved setup stays.
  await expect(page.getByRole('heading', { name: 'ETHUSDT, 4h' })).toBeVisible();
  await expect(symbol(page)).toHaveValue('ETHUSDT');

  await runInPalette(page, 'doge backtest', /^DOGEUSDT.*Backtest/);
  await expect(page.getByRole('heading', { name: 'DOGEUSDT, 4h' })).toBeVisible();
  await expect(symbol(page)).toHaveValue('DOGEUSDT');

  await openTab(page, 'Dashboard');
  await runInPalette(page, 'eth backtest', /^ETHUSDT.*Backtest/);
  await expect(page.getByRole('heading', { name: 'ETHUSDT, 4h' })).toBeVisible();
  await expect(symbol(page)).toHaveValue('ETHUSDT');
});
