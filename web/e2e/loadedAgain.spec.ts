import { expect, type Page, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';

/** Fails the first requests for a URL, as a busy server or a changing network does. @returns the number of requests so far */
async function failFirst(page: Page, url: string, failures: number): Promise<() => number> {
  let requests = 0;
  await page.route(url, (route) => {
    requests += 1;
    return requests <= failures ? route.abort('connectionreset') : route.continue();
  });
  return () => requests;
}

/** The first requests for a URL get no response. @returns the number of requests so far */
async function hangFirst(page: Page, url: string | RegExp, count: number): Promise<() => number> {
  let requests = 0;
  await page.route(url, (route) => {
    requests += 1;
    return requests <= count ? undefined : route.continue();
  });
  return () => requests;
}

const widthOf = (page: Page, src: string): Promise<number> =>
  page.locator(`img[src="${src}"]`).evaluate((image: HTMLImageElement) => image.naturalWidth);

test('a picture that fails to load is requested again, and after repeated failures shows an error with a retry', async ({
  page,
}) => {
  const [late, never] = ['/tour/signals-dark.webp', '/tour/auto-dark.webp'];
  const requests = await failFirst(page, `**${late}`, 2);
  await failFirst(page, `**${never}`, 4);
  await page.goto('/features');
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'The whole product' }) });
  await section.scrollIntoViewIfNeeded();
  await expect.poll(() => widthOf(page, late)).toBe(960);
  expect(requests()).toBe(3);
  const failed = page.getByRole('alert').filter({ hasText: 'The picture of Automatic positions did not load.' });
  await expect(failed).toBeVisible();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => widthOf(page, never)).toBe(960);
  await expect(failed).toHaveCount(0);
});

test('a lazy picture that hangs is requested again after its deadline', async ({ page }) => {
  const src = '/tour/signals-dark.webp';
  const requests = await hangFirst(page, `**${src}`, 1);
  await page.clock.install();
  await page.goto('/features');
  await page.locator(`img[src="${src}"]`).scrollIntoViewIfNeeded();
  await expect.poll(requests).toBe(1);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return requests();
    })
    .toBe(2);
  await expect.poll(() => widthOf(page, src)).toBe(960);
});

test('usage logs that fail to load say so, and not that no call was recorded', async ({ page }) => {
  await signUp(page, 'api-docs');
  await page.getByRole('tab', { name: 'Usage & Logs' }).click();
  let isBroken = true;
  await page.route('**/api/account/api-{logs,usage}*', (route) =>
    isBroken
      ? route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: '{"status":400,"code":"validation_failed","message":"The log is being moved."}',
        })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Load Usage Logs' }).click();
  await expect(page.getByText('The log is being moved.').first()).toBeVisible();
  await expect(page.getByText(/No API calls recorded yet|No usage data available/)).toHaveCount(0);
  isBroken = false;
  await page.getByRole('button', { name: 'Load Usage Logs' }).click();
  await expect(
    page.getByText('No API calls recorded yet. Make your first API request to see logs here.'),
  ).toBeVisible();
});

const newsFile = /\/assets\/NewsTab-[^/]+\.js$/;
const shellFile = /\/assets\/Shell-[^/]+\.js$/;

/** Fails the first requests for a file of the page. @returns how many came */
async function failFile(page: Page, file: RegExp, failures: number): Promise<() => number> {
  let requests = 0;
  await page.route(file, (route) => {
    requests += 1;
    return requests <= failures ? route.fulfill({ status: 503, body: '' }) : route.continue();
  });
  return () => requests;
}

test('a part of the page whose file failed once comes without the user', async ({ page }) => {
  await signUp(page, 'account');
  const requests = await failFile(page, newsFile, 1);
  await openTab(page, 'News');
  await expect(page.getByRole('tab', { name: 'Live News Feed' })).toBeVisible();
  expect(requests()).toBeGreaterThan(1);
  await expect(page.getByText('A part of the page did not load')).toHaveCount(0);
});

test('a part of the page whose file never comes says so, and its button loads it without a reload', async ({
  page,
}) => {
  await signUp(page, 'account');
  const requests = await failFile(page, newsFile, 3);
  await page.evaluate(() => (document.body.dataset['page'] = 'the first'));
  await openTab(page, 'News');
  const failed = page.getByRole('alert').filter({ hasText: 'A part of the page did not load' });
  await expect(failed).toBeVisible();
  expect(requests()).toBe(3);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('tab', { name: 'Live News Feed' })).toBeVisible();
  await expect(failed).toHaveCount(0);
  expect(await page.evaluate(() => document.body.dataset['page'])).toBe('the first');
});

test('a part of the page whose file hangs is requested again, and says so when no request brings it', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'account');
  const requests = await hangFirst(page, newsFile, 3);
  await openTab(page, 'News');
  const failed = page.getByRole('alert').filter({ hasText: 'A part of the page did not load' });
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return failed.count();
    })
    .toBe(1);
  expect(requests()).toBe(3);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('tab', { name: 'Live News Feed' })).toBeVisible();
});

test('the shell, which the page preloads, comes without the user when the request for its file fails once', async ({
  page,
}) => {
  await signUp(page, 'account');
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).filter({ visible: true });
  await expect(tabs).toBeVisible();
  const requests = await failFile(page, shellFile, 1);
  await page.goto('/features');
  expect(await page.locator('#root').getAttribute('data-for')).toBe('signed-in');
  await expect(tabs).toBeVisible();
  expect(requests()).toBeGreaterThan(1);
  await expect(page.getByText('A part of the page did not load')).toHaveCount(0);
});

test('the sign-in form comes without the user when the request for its file fails once', async ({ page }) => {
  const requests = await failFile(page, /\/assets\/AuthPage-[^/]+\.js$/, 1);
  await page.goto('/login');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  expect(requests()).toBeGreaterThan(1);
});

test('no file of the page for signed-in users is sent twice, although it is preloaded, requested and imported', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'account');
  // An empty cache.
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    storageState: await page.context().storageState(),
  });
  const visit = await context.newPage();
  await visit.goto('/features');
  await expect(visit.getByRole('navigation', { name: 'Tabs' }).filter({ visible: true })).toBeVisible();
  const sent = await visit.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name, transferSize }) => /\/assets\/[^/]+\.(js|css)$/.test(name) && transferSize > 0)
      .map(({ name }) => new URL(name).pathname),
  );
  expect(sent.filter((name) => shellFile.test(name))).toHaveLength(1);
  expect(sent.filter((name, at) => sent.indexOf(name) !== at)).toEqual([]);
  await context.close();
});
