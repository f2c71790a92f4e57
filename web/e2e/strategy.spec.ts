import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { createAccount, openTab, signUp } from './support/people.ts';

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const figure = (page: Page) => page.getByTestId('net-pnl');
const rules = (page: Page) => page.getByTestId('live-rules');

test('a signal is backtested with the rules that made it, an exit is changed, saved and scanned with, and all is there after a reload', async ({
  page,
  baseURL,
}) => {
  await createAccount(page);
  // Of 4h alone: a run after a reload takes the newest candles, and one of 15m may close in between.
  const answer = await page.request.put('/api/preferences', {
    data: { interval_opts: { '15m': false, '1h': false, '4h': true } },
    headers: { origin: baseURL ?? '' },
  });
  expect(answer.status()).toBe(200);
  await page.goto('/?tab=signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await page.getByRole('button', { name: /^Open all/ }).click();
  const grid = page.getByRole('grid', { name: 'Scan results' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const drawer = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  const [symbol = '', interval = ''] = (await drawer.getByRole('heading').first().innerText()).split(' ');
  await drawer.getByRole('button', { name: 'Backtest this signal' }).click();

  await expect(figure(page)).toHaveText(/\d/);
  await expect(page.getByText(`${symbol}, ${interval}, Live rules`)).toBeVisible();
  await expect(rules(page)).toContainText('2 ATR, 4 ATR');
  await expect(rules(page)).toContainText(/1\.00\s% of the balance at the stop/);
  await expectAccessible(page, 'a run of Live rules');

  // A changed exit runs at once.
  await tabNamed(page, 'Strategy Parameters').click();
  const before = await figure(page).innerText();
  await page.getByRole('radiogroup', { name: 'Opposite signal' }).getByText('Reverse').click();
  await page.getByLabel('Longest hold, candles, exact value').fill('12');
  await page.keyboard.press('Enter');
  await expect(rules(page)).toContainText('turns a position round');
  await expect(rules(page)).toContainText('at most 12 candles');
  await expect(figure(page)).not.toHaveText(before);
  const shown = await figure(page).innerText();

  await page.reload();
  await expect(rules(page)).toContainText('at most 12 candles');
  await expect(page.getByText(`${symbol}, ${interval}, Live rules`)).toBeVisible();
  await expect(figure(page)).toHaveText(shown);

  // Saved under a name, they are what scans trade, over a reload too.
  await page.getByLabel('Name of the rules').fill('Mine');
  await page.getByRole('button', { name: 'Save as my rules' }).click();
  await expect(page.getByText(`${symbol}, ${interval}, Mine`)).toBeVisible();
  await openTab(page, 'Signals');
  await tabNamed(page, 'Signal Scanner').click();
  const traded = page.getByLabel('Scans and Auto trade');
  await traded.selectOption('Mine');
  await expectMessage(page, 'Scans and Auto trade Mine');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByText(/^Mine, [0-9a-f]{8}$/).first()).toBeVisible();
  await expectAccessible(page, 'a scan by saved rules');
  await page.reload();
  await expect(traded.locator('option:checked')).toHaveText('Mine');
  await openTab(page, 'Backtest');

  // Classic is where it was.
  await tabNamed(page, 'Optimization').click();
  await page.getByRole('button', { name: 'Switch to Classic' }).click();
  await expect(page.getByRole('button', { name: 'Verify on the server' })).toBeVisible();
  await expect(rules(page)).toHaveCount(0);
});

test('the rules of automatic trading open the lab', async ({ page }) => {
  await signUp(page, 'auto');
  await page.getByRole('button', { name: 'Backtest my Auto rules' }).click();
  await expect(figure(page)).toHaveText(/\d/);
  await expect(rules(page)).toContainText('15m, with 1h and 4h at half weight');
});
