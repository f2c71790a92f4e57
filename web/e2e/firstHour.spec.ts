import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { openByApi } from './support/positions.ts';
import { openTab, signUp } from './support/users.ts';

const panel = (page: Page, done: number) =>
  page.getByRole('heading', { name: `Your first hour: ${done} of 5`, exact: true });
const headings = (page: Page): Promise<string[]> => page.locator('main h2').allInnerTexts();

test('DESK-065 a new account has the market first and five steps, ticked by what it does, until they are dismissed', async ({
  page,
}) => {
  await signUp(page);
  await expect(panel(page, 0)).toBeVisible();
  await expect.poll(() => headings(page)).toContain('Open positions');
  await expect
    .poll(async () => {
      const names = await headings(page);
      return names.indexOf('Watch list') < names.indexOf('Open positions');
    })
    .toBe(true);
  await expectAccessibleAtBothWidths(page, 'dashboard of a new account');

  await page.getByRole('button', { name: 'Watch ETHUSDT' }).click();
  await expect(panel(page, 1)).toBeVisible();
  await page.getByRole('button', { name: 'Read the article' }).click();
  await expect(page.getByRole('heading', { name: 'Honesty panel: how much is luck?' })).toBeVisible();
  await page.goBack();
  await expect(panel(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByRole('tab', { name: 'Signal Scanner' })).toHaveAttribute('aria-selected', 'true');
  await openTab(page, 'Dashboard');
  await page.getByRole('button', { name: 'Dismiss', exact: true }).first().click();
  await expect(panel(page, 2)).toHaveCount(0);

  // With a position the account is not new any more; the steps stay dismissed.
  await openByApi(page, 'BTCUSDT', 'LONG');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Close LONG BTCUSDT' })).toBeVisible();
  const names = await headings(page);
  expect(names.indexOf('Open positions')).toBeLessThan(names.indexOf('Watch list'));
  await expect(panel(page, 2)).toHaveCount(0);
});
