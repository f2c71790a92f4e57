import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

let count = 0;

/** An account of its own for a test, so that no test sees what another one saved. */
export async function signUp(page: Page, path = '/login'): Promise<{ email: string; password: string }> {
  const email = `e2e-${Date.now()}-${process.env.TEST_WORKER_INDEX ?? ''}-${++count}@example.com`;
  const password = 'correct horse';
  // Sign-ups of one network are few a quarter of an hour, and these are many: each comes from an address of its own.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.${randomInt(256)}.${randomInt(256)}` });
  await page.goto(path);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.setExtraHTTPHeaders({});
  return { email, password };
}

/** The tabs are in the top bar, or below the page on a small screen; the others are under More. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).filter({ visible: true });
  await expect(tabs).toBeVisible();
  const tab = tabs.getByRole('button', { name, exact: true });
  if ((await tab.count()) > 0) return tab.click();
  await page.getByRole('banner').locator('.tab[aria-haspopup="menu"]').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
