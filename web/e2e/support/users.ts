import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { TabId } from '../../src/api/types.ts';

let count = 0;

interface TestUser {
  email: string;
  password: string;
}

/** The sign-up limit per network and quarter of an hour is low: each account comes from a different address. */
const ownAddress = (): Record<string, string> => ({
  'x-forwarded-for': `198.18.${randomInt(256)}.${randomInt(256)}`,
});

const newUser = (): TestUser => ({
  email: `e2e-${Date.now()}-${process.env.TEST_WORKER_INDEX ?? ''}-${++count}@example.com`,
  password: 'correct horse',
});

/**
 * A separate account per test, so that no test sees what another one saved. It is made by the API, which takes a tenth of the time of the
 * form; the page then opens with its session, at the tab if one is named: the dashboard with its charts is most of the work of a load.
 * `signUpOnScreen` uses the form.
 */
export async function signUp(page: Page, tab?: TabId): Promise<TestUser> {
  const user = await createAccount(page);
  await page.goto(tab === undefined ? '/' : `/?tab=${tab}`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  return user;
}

/** An account whose session the page holds, for tests that open another URL. */
export async function createAccount(page: Pick<Page, 'request'>): Promise<TestUser> {
  const user = newUser();
  const response = await page.request.post('/api/auth/signup', { data: user, headers: ownAddress() });
  expect(response.status(), await response.text()).toBe(200);
  return user;
}

/** The same by the form of the sign-in page that is open. */
export async function signUpOnScreen(page: Page): Promise<TestUser> {
  const user = newUser();
  await page.setExtraHTTPHeaders(ownAddress());
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.setExtraHTTPHeaders({});
  return user;
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
