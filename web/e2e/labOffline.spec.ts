import { expect, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

const resultHash = (page: Page) => page.getByTestId('browser-result');
const runButton = (page: Page) => page.getByRole('button', { name: 'Run Backtest' });
const failure = (page: Page) => page.getByRole('alert').filter({ hasText: 'Backtest failed' });
const offlineWords = (page: Page) =>
  page.getByText('Offline: used the candles of your last connection', { exact: false });
const inputPage = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const isStatePut = (response: { url: () => string; request: () => { method: () => string } }) =>
  response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT';

async function hashOf(page: Page): Promise<string> {
  return (await resultHash(page).getAttribute('data-hash')) ?? '';
}

/** The browser may throw its store away at any time. */
const dropStore = (page: Page) =>
  page.evaluate(() => new Promise((done) => (indexedDB.deleteDatabase('sextant').onsuccess = done)));

async function chooseSymbol(page: Page, symbol: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Symbol', exact: true }).fill(symbol.slice(0, 3));
  await page.getByRole('option', { name: symbol, exact: true }).click();
}

test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
});

/** A server without stored candles: every page comes from the exchange. Routing switches the cache of the browser off. */
const withoutStored = (page: Page) => page.route('**/api/market/history/candles**', (route) => route.abort());

test('without a network every action fails with a message, the previous result stays, and unsaved changes are saved when it is back', async ({
  page,
  context,
}) => {
  // Without minutes: a set found offline could have exits that the network settles when it is back (labMinutes.spec.ts).
  // The live run may have the result already: then Run saves nothing new.
  const first = page.waitForResponse(isStatePut);
  await choose(page, 'Minutes and mark prices', 'Off');
  await runButton(page).click();
  await expect(resultHash(page)).toBeVisible();
  const hash = await hashOf(page);
  await first;
  await context.setOffline(true);

  // Another market that this browser does not have, and back.
  await resultHash(page).scrollIntoViewIfNeeded();
  await chooseSymbol(page, 'ETHUSDT');
  await expect(failure(page)).toBeInViewport();
  await expect(failure(page)).toContainText('this browser has no candles of ETHUSDT 1h. Check your connection');
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  // Candles of a minute ago need no network; Run does, and takes the stored ones.
  await chooseSymbol(page, 'BTCUSDT');
  await expect(failure(page)).toHaveCount(0);
  await runButton(page).click();
  await expect(offlineWords(page)).toBeVisible();
  await expect(failure(page)).toHaveCount(0);
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);

  // Actions that need the server say so and can be retried.
  const verify = page.getByRole('button', { name: 'Verify on the server' });
  await verify.click();
  await expect(failure(page)).toContainText('No response from the server. Check your connection and retry.');
  await expect(verify).toBeEnabled();
  await page.getByLabel('Name of the run').fill('saved later');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByText('No response from the server. Check your connection and retry.').last()).toBeVisible();
  await expect(save).toBeEnabled();
  await expect(page.getByLabel('Name of the run')).toHaveValue('saved later');

  // Cancelling a search ends its workers; the next one starts others.
  await inputPage(page, 'Optimization');
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await page.getByLabel('Deep search samples').fill('100000');
  await page.getByRole('button', { name: 'Optimize 100,000 sets' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('sets a second');
  await expect(page.locator('[aria-label=Honesty][data-status=judged]')).toBeVisible();
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  // The proof is drawn in the time that is left.
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', hash);
  const best = await hashOf(page);

  const saved = page.waitForResponse((response) => isStatePut(response) && response.ok());
  await context.setOffline(false);
  await saved;
  await save.click();
  await expect(page.getByRole('checkbox', { name: 'Compare saved later' })).toBeVisible();
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(resultHash(page)).toHaveAttribute('data-hash', best);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('The server copy is cleared when you reconnect')).toBeVisible();
  const cleared = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());
  await context.setOffline(false);
  await cleared;
  await page.reload();
  // The standard setup, not the best set of the search.
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', best);
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
});

test('a long download that is cut off goes on; its saved run opens after a reload, without a network, and when the browser lost its candles', async ({
  page,
  context,
}) => {
  test.setTimeout(600_000);
  await withoutStored(page);
  // The worker script cannot be fetched while the tab opens: the run says so, and the next one has it.
  await context.route('**/engineWorker*', (route) => route.abort('internetdisconnected'));
  const rejected = page.waitForEvent('requestfailed', (request) => request.url().includes('engineWorker'));
  await page.reload();
  await rejected;
  await chooseSymbol(page, 'ETHUSDT');
  await runButton(page).click();
  await expect(failure(page)).toContainText('the engine did not load; check your connection and try again');
  await context.unroute('**/engineWorker*');
  await runButton(page).click();
  await expect(resultHash(page)).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(resultHash(page)).toHaveCount(0);
  await chooseSymbol(page, 'BTCUSDT');
  // Without the candles of the run that opened the tab.
  await dropStore(page);

  let pages = 0;
  let cutAt = 5;
  // Mark prices follow the candles, page by page too.
  const isPage = (url: string) => url.includes('/api/klines') && !url.includes('price=mark');
  await page.route('**/api/klines**', async (route) => {
    if (isPage(route.request().url())) pages += 1;
    if (pages === cutAt) await context.setOffline(true);
    await route.continue();
  });
  // A page rejected because other tests used up the exchange's rate limit is requested again.
  page.on('response', (response) => {
    if (isPage(response.url()) && !response.ok()) pages -= 1;
  });
  await page.getByLabel('History').selectOption('20000');
  await runButton(page).click();
  await expect(failure(page)).toContainText(
    'Connection lost after 4,000 of 20,000 candles. Run again to continue from there.',
  );
  await expect(runButton(page)).toBeEnabled();
  // The loaded part is enough to run on, and is reported as less than requested.
  await runButton(page).click();
  await expect(page.getByText('Offline: used 4,000 stored candles of 20,000 requested.')).toBeVisible();
  const ofPart = await hashOf(page);
  cutAt = Infinity;
  await context.setOffline(false);
  await runButton(page).click();
  // Other tests may have used up the exchange's rate limit: waits for its next minutes.
  await expect(page.getByText(/20,000 loaded, 8,333 scored/)).toBeVisible({ timeout: 180_000 });
  // Five pages from before, one of them cut off; then the newest page again and the sixteen missing ones.
  expect(pages).toBe(5 + 1 + 17);
  // The proof is drawn in the time that is left.
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', ofPart);
  const hash = await hashOf(page);

  const share = page.getByRole('button', { name: 'Share', exact: true });
  await share.click();
  await expect(page.getByText('Share at most 5,000 candles: choose a shorter history.')).toBeVisible();
  await page.getByLabel('Name of the run').fill('long');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectMessage(page, 'Run saved');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.reload();

  const open = page.getByRole('button', { name: 'Open long' });
  const reopened = async () => {
    await open.click();
    await expectMessage(page, 'Backtest restored');
    await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
    // Other tests may have used up the exchange's rate limit: waits for its next minutes.
    await expect(page.getByText(/20,000 loaded, 8,333 scored/)).toBeVisible({ timeout: 180_000 });
  };
  // The run that opens the tab loads a page too.
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  pages = 0;
  await reopened();
  expect(pages).toBe(1);
  await context.setOffline(true);
  await reopened();
  await expect(offlineWords(page)).toBeVisible();

  await dropStore(page);
  await open.click();
  await expectMessage(page, 'long was not opened: Server unreachable, and this browser has no candles');
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  await expect(open).toBeEnabled();
  await context.setOffline(false);
  pages = 0;
  await open.click();
  await expect.poll(() => pages).toBe(20);
  // The message of the offline run disappears with it.
  await expect(offlineWords(page)).toHaveCount(0);
  await expectMessage(page, 'Backtest restored');
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
});

test('DESK-155 a browser with a full store, or without one, runs, and says once per visit that it stores nothing', async ({
  page,
}) => {
  const full = 'Browser storage is full. History is downloaded each time.';
  const runLong = async () => {
    await page.getByLabel('History').selectOption('5000');
    await runButton(page).click();
    await expect(page.getByText(/5,000 loaded, 2,083 scored/)).toBeVisible();
  };
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await dropStore(page);
  // Chromium remembers for seconds how much room the run that opened the lab had: a lower quota would not count yet.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The store is full.', 'QuotaExceededError');
    };
  });
  await runLong();
  await expectMessage(page, full);
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await page.reload();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await runLong();
  // Once per visit, across reloads.
  const messages = await page.evaluate(() => sessionStorage.getItem('sextant.messages') ?? '');
  expect(messages.split(full)).toHaveLength(2);
});

test('a download that waits for the exchange shows how long, keeps its buttons in the column, and goes on', async ({
  page,
}) => {
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await dropStore(page);
  await withoutStored(page);
  // The page's fake clock skips the seconds of the wait, after all checks.
  await page.clock.install();
  let pages = 0;
  await page.route('**/api/klines**', async (route) => {
    pages += 1;
    if (pages !== 5) return route.continue();
    const body = JSON.stringify({ code: 'upstream_rate_limited', title: 'Too many requests.', exchange: 'binance' });
    await route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '50' },
      body,
    });
  });
  await page.getByLabel('Candles loaded').fill('10200');
  await expect(page.getByText(/^Waiting for Binance: about \d+ s$/)).toBeVisible();
  await expect(page.getByText('4,000 of 10,200 candles')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Candles loaded' })).toHaveAttribute('value', '4000');
  const buttons = page.getByRole('button', { name: /^(Loading…|Cancel|Clear)$/ });
  await expect(buttons).toHaveCount(3);
  const results = await page.getByRole('tabpanel', { name: 'Results & Analytics' }).boundingBox();
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    expect(box!.x + box!.width).toBeLessThan(results!.x);
  }
  await page.clock.fastForward(50_000);
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByText('Waiting for Binance', { exact: false })).toHaveCount(0);
});
