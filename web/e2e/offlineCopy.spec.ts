import { test as base, expect, type Page } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { createAccount } from './support/users.ts';

/** Other specs block service workers: they change responses on their way, which a copy would hide. */
const test = base.extend<{ site: Deployment }>({
  site: async ({ baseURL }, lend) => {
    const site = await deploy(baseURL ?? '');
    await lend(site);
    await site.stop().catch(() => undefined);
  },
});
test.use({ serviceWorkers: 'allow' });

const resultHash = (page: Page) => page.getByTestId('browser-result');
const offlineLine = (page: Page) => page.getByText('Offline: the lab runs on candles stored in this browser.');
const updateLine = (page: Page) => page.getByText('A new version is ready.');
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' });
const hashOf = async (page: Page) => (await resultHash(page).getAttribute('data-hash')) ?? '';

/** Names of the caches that hold a whole build. */
const wholeCopies = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).match('/offline')));
    return names.filter((_, at) => pages[at] !== undefined);
  });

/** Opens the product and waits until this browser has its copy. */
async function openStored(page: Page, site: Deployment, tab: string): Promise<void> {
  await page.goto(`${site.origin}/?tab=${tab}`);
  await expect(logout(page)).toBeVisible();
  await expect.poll(() => wholeCopies(page)).toHaveLength(1);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

async function goOffline(page: Page, site: Deployment): Promise<void> {
  await site.stop();
  await page.context().setOffline(true);
}

async function goOnline(page: Page, site: Deployment): Promise<void> {
  await site.start();
  await page.context().setOffline(false);
}

/** First script of the build that a page runs. */
const entryOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src') ?? '');

const requestUpdate = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });

/** The page reconnects by itself when the browser is online again; the button does so at once. */
async function reconnect(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Reconnect' });
  await expect(button.or(logout(page))).toBeVisible();
  await button.click({ timeout: 5000 }).catch(() => undefined);
}

test('DESK-150 DESK-154 without a network the lab opens, runs and searches on stored candles, and a sign-out leaves nothing', async ({
  page,
  site,
}) => {
  await createAccount(page);
  await openStored(page, site, 'backtest');
  await choose(page, 'Minutes and mark prices', 'Off');
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT',
  );
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(resultHash(page)).toBeVisible();
  await saved;
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  const hash = await hashOf(page);
  const cached = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.length).toBeGreaterThan(50);
  expect(cached.filter((path) => !/^\/(?:assets\/[^/]+|offline|theme-first\.mjs|favicon\.svg)$/.test(path))).toEqual(
    [],
  );

  await goOffline(page, site);
  // Another place of the product: without a network it is the lab.
  await page.goto(`${site.origin}/?tab=dashboard`);
  await expect(offlineLine(page)).toBeVisible();
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByText('Offline: used the candles of your last connection', { exact: false })).toBeVisible();
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  await page.getByRole('tab', { name: 'Optimization', exact: true }).click();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('sets a second');
  await page.screenshot({ path: 'test-results/offline-lab.png' });
  await expectAccessibleAtBothWidths(page, 'offline lab');

  await goOnline(page, site);
  await reconnect(page);
  await expect(logout(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Backtest', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);

  await logout(page).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  const left = () =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('sextant', 1);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error ?? new Error('not opened'));
      });
      const count = await new Promise<number>((resolve) => {
        const counting = database.transaction('records').objectStore('records').count();
        counting.onsuccess = () => resolve(counting.result);
      });
      database.close();
      const ofBrowser = /^sextant\.(theme|palette|timeZone|chart\..*)$/;
      return [count, Object.keys(localStorage).filter((key) => !ofBrowser.test(key))];
    });
  await expect.poll(left).toEqual([0, []]);
  await goOffline(page, site);
  await page.goto(`${site.origin}/`);
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'offline and signed out');
});

test('DESK-151 DESK-152 of two tabs the one that presses Update gets the new build, the other continues on its own', async ({
  page,
  site,
  context,
}) => {
  await createAccount(page);
  await openStored(page, site, 'account');
  const other = await context.newPage();
  await other.goto(`${site.origin}/?tab=account`);
  await expect(logout(other)).toBeVisible();
  const first = await entryOf(page);

  site.install();
  await requestUpdate(page);
  await expect(updateLine(page)).toBeVisible();
  await expect(updateLine(other)).toBeVisible();
  await page.screenshot({ path: 'test-results/offline-update.png' });
  await expectAccessibleAtBothWidths(page, 'update line');
  // Not pressed: the copy for a visit without a network is still the first build, whole.
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(updateLine(page)).toHaveCount(0);
  await goOffline(page, site);
  await page.reload();
  await expect(offlineLine(page)).toBeVisible();
  expect(await entryOf(page)).toBe(first);
  await goOnline(page, site);
  await reconnect(page);
  await expect(logout(page)).toBeVisible();

  await updateLine(page).waitFor();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect.poll(() => entryOf(page).catch(() => first)).toBe(first.replace('/assets/', '/assets/second/'));
  await expect(logout(page)).toBeVisible();
  // The server has no file of the first build: its tab opens a view that it had not loaded.
  expect(await entryOf(other)).toBe(first);
  await other.getByRole('tab', { name: 'Security' }).click();
  await expect(other.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  const late = await other.evaluate(async () => {
    const names = await caches.keys();
    const files = await (await caches.open(names[0] ?? '')).keys();
    const responses = await Promise.all(files.map(({ url }) => fetch(url)));
    return responses.filter(({ ok }) => !ok).length;
  });
  expect(late).toBe(0);

  // The other tab is of the first build; without a network this one is of the second all the same, once the page is quiet.
  await expect.poll(() => wholeCopies(page)).toEqual([`build ${first.replace('/assets/', '/assets/second/')}`]);
  await goOffline(page, site);
  await page.reload();
  await expect(offlineLine(page)).toBeVisible();
  expect(await entryOf(page)).toContain('/assets/second/');
  await goOnline(page, site);
  // Once every tab is closed the new worker takes over, as soon as the browser has stopped the old one, and the copy of the first build goes.
  await other.close();
  test.setTimeout(360_000);
  const second = [`build ${first.replace('/assets/', '/assets/second/')}`];
  const pauses = [0, 2000];
  await expect
    .poll(
      async () => {
        await page.goto('about:blank');
        // A worker without events is stopped after half a minute.
        await page.waitForTimeout(pauses.shift() ?? 35_000);
        await page.goto(`${site.origin}/?tab=account`);
        await expect(logout(page)).toBeVisible();
        // A copy that a tab might still have read is deleted once the page is quiet.
        await expect
          .poll(() => page.evaluate(() => caches.keys()), { timeout: 15_000 })
          .toEqual(second)
          .catch(() => undefined);
        return page.evaluate(() => caches.keys());
      },
      { timeout: 240_000 },
    )
    .toEqual(second);
});

test('DESK-152 a new build is taken when every tab of the old one is closed', async ({ page, site, context }) => {
  await createAccount(page);
  await openStored(page, site, 'account');
  site.install();
  await requestUpdate(page);
  await expect(updateLine(page)).toBeVisible();
  await page.goto('about:blank');
  const next = await context.newPage();
  await next.goto(`${site.origin}/?tab=account`);
  await expect(logout(next)).toBeVisible();
  await expect.poll(() => entryOf(next)).toContain('/assets/second/');
  await expect(updateLine(next)).toHaveCount(0);
  await expect.poll(() => next.evaluate(async () => (await caches.keys()).at(-1))).toContain('/assets/second/');
  await goOffline(next, site);
  await next.reload();
  await expect(offlineLine(next)).toBeVisible();
  expect(await entryOf(next)).toContain('/assets/second/');
});

test('DESK-153 a page works online without room for a copy and after its loss, and a lost copy is filled again', async ({
  page,
  site,
  context,
}) => {
  await createAccount(page);
  const devtools = await context.newCDPSession(page);
  const { origin } = site;
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
  await page.goto(`${origin}/?tab=account`);
  await expect(logout(page)).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await wholeCopies(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Security' })).toBeVisible();

  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  await page.reload();
  await expect.poll(() => wholeCopies(page)).toHaveLength(1);
  // The user or the browser deletes it.
  await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Security' })).toBeVisible();
  await expect.poll(() => wholeCopies(page)).toHaveLength(1);
});
