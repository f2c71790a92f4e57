import { expect, type Page } from '@playwright/test';

let count = 0;

/** An account of its own for a test, so that no test sees what another one saved. */
export async function signUp(page: Page): Promise<{ email: string; password: string }> {
  const email = `e2e-${Date.now()}-${++count}@example.com`;
  const password = 'correct horse';
  await page.goto('/login');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  return { email, password };
}

/** The tabs are in the top bar, or below the page on a small screen. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Tabs' })
    .getByRole('button', { name, exact: true })
    .filter({ visible: true })
    .click();
}
