import { expect, type Page, test } from '@playwright/test';
import { openByApi } from './support/positions.ts';
import { createAccount, openTab, signUp } from './support/users.ts';

const tabButton = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Tabs' }).filter({ visible: true }).getByRole('button', { name, exact: true });
const expectTab = (page: Page, name: string) => expect(tabButton(page, name)).toHaveAttribute('aria-current', 'page');

test('DESK-050 DESK-051 X77 Back and Forward follow tabs, pages and the symbol of the chart; reload and links restore', async ({
  page,
  context,
}) => {
  await signUp(page);
  await expectTab(page, 'Dashboard');
  await expect(page).toHaveURL(/\?tab=dashboard$/);
  await page
    .getByRole('row', { name: /ETHUSDT/ })
    .getByRole('button', { name: 'ETHUSDT', exact: true })
    .click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\?tab=dashboard&symbol=ETHUSDT$/);
  await openTab(page, 'Backtest');
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await expect(page).toHaveURL(/\?tab=backtest&page=params$/);
  await openTab(page, 'Signals');
  // The same tab again is no entry.
  await openTab(page, 'Signals');

  await page.goBack();
  await expectTab(page, 'Backtest');
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expectTab(page, 'Dashboard');
  await expect(page.getByRole('heading', { name: 'ETHUSDT', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?tab=dashboard$/);
  await expectTab(page, 'Dashboard');
  await page.goForward();
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');

  // A reload shows the same place, and Back still works.
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toHaveAttribute('aria-selected', 'true');

  // A link in another window, and one that names nothing known.
  const other = await context.newPage();
  await other.goto('/?tab=dashboard&symbol=SOLUSDT');
  await expect(other.getByRole('heading', { name: 'SOLUSDT', exact: true })).toBeVisible();
  await other.goto('/?tab=nothing&page=%3Cb%3E');
  await expectTab(other, 'Dashboard');
  await expect(other).toHaveURL(/\?tab=dashboard$/);
});

test('DESK-052 X77 a link names the open position; a query without a tab restores the last one', async ({ page }) => {
  await signUp(page, 'account');
  await openByApi(page, 'BTCUSDT', 'LONG');
  await openByApi(page, 'ETHUSDT', 'SHORT');
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'Positions', exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'BTCUSDT' }).first().click();
  await expect(page.getByRole('heading', { name: /^BTCUSDT LONG/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/\?tab=dashboard&page=positions&position=[0-9a-f-]+$/);
  const link = page.url();
  await page.getByRole('row').filter({ hasText: 'ETHUSDT' }).first().click();
  await expect(page.getByRole('heading', { name: /^ETHUSDT SHORT/ }).first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: /^BTCUSDT LONG/ }).first()).toBeVisible();

  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/preferences') && response.request().method() === 'PUT',
  );
  await openTab(page, 'Help');
  await saved;
  await page.goto('/');
  await expectTab(page, 'Help');
  await expect(page).toHaveURL(/\?tab=help/);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: /^BTCUSDT LONG/ }).first()).toBeVisible();
});

test('DESK-052 a saved run and a signal stand in the address', async ({ page }) => {
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  const name = page.getByRole('textbox', { name: 'Name of the run' });
  await name.fill('first');
  await name.press('Enter');
  await page.getByRole('button', { name: 'Open first' }).click();
  await expect(page).toHaveURL(/&run=[0-9a-f-]+$/);
  const link = page.url();
  await openTab(page, 'Help');
  await page.goto(link);
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await expect(page).toHaveURL(link);

  await page.goto('/?tab=signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Scan Results' }).click();
  const results = page.getByRole('grid', { name: 'Scan results' });
  await results.focus();
  await page.keyboard.press('ArrowDown');
  const drawer = page.getByRole('heading', { name: /^\w+ \d+[mhd]$/ });
  await expect(drawer).toBeVisible();
  await expect(page).toHaveURL(/\?tab=signals&page=results&signal=/);
  await page.goBack();
  await expect(drawer).toHaveCount(0);
  await page.goForward();
  await expect(drawer).toBeVisible();
});

test('DESK-053 a link that was opened signed out opens after the sign-in, and Logout removes the place', async ({
  page,
}) => {
  const { email, password } = await createAccount(page);
  await page.context().clearCookies();
  await page.goto('/?tab=signals&page=filters');
  await page.locator('a[href^="/login"]').first().click();
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Symbol Filters' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});
