import { expect, type Page, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';

const tabs = ['Signals', 'Auto', 'Backtest', 'News', 'Profile', 'Signal Tuning', 'Account'];

/** A browser whose storages throw on access, as one with blocked site data does. */
async function reject(page: Page, names: readonly string[]): Promise<void> {
  await page.addInitScript((rejected) => {
    for (const name of rejected)
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  }, names);
}

for (const names of [['sessionStorage'], ['localStorage'], ['sessionStorage', 'localStorage', 'indexedDB']])
  test(`signed in without ${names.join(', ')} every tab opens, a run is made and messages are shown`, async ({
    page,
  }) => {
    const faults: string[] = [];
    page.on('pageerror', (fault) => faults.push(fault.message));
    await reject(page, names);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await signUp(page);
    await page.getByRole('button', { name: 'Hide until the next visit' }).click();
    await expect(page.getByRole('complementary', { name: 'Market mode' })).toHaveCount(0);
    for (const tab of tabs) {
      await openTab(page, tab);
      await expect(page.locator('main').getByRole('heading').first(), tab).toBeVisible();
      await expect(page.getByText(/^This (page|view|part of the page) failed/), tab).toHaveCount(0);
    }
    await openTab(page, 'Backtest');
    await page.getByRole('button', { name: 'Run Backtest' }).click();
    await expect(page.getByTestId('net-pnl')).toBeVisible();
    await page.getByRole('button', { name: /^Messages/ }).click();
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
    expect(faults).toEqual([]);
  });
