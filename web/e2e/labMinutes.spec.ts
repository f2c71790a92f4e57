import { expect, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';
import { openSharedRun } from './support/sharedLink.ts';

const netPnl = (page: Page) => page.getByTestId('net-pnl');
const settled = (page: Page) => page.getByTestId('settled');
const settledWords = /^(\d+) exits? reached stop and target in one candle; minute candles settled (\d+)/;

async function setPercent(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByLabel(`${name}, exact value`);
  await field.fill(value);
  await field.blur();
}

/** Moves a slider and waits for its run, so that later reads belong to it. Text and hashes render together, after the net figure. */
async function move(page: Page, name: string, value: string): Promise<void> {
  const hash = page.getByTestId('browser-result');
  const before = (await hash.getAttribute('data-hash')) ?? '';
  await setPercent(page, name, value);
  await expect(hash).not.toHaveAttribute('data-hash', before);
}

/**
 * Number of exits that met both levels, and how many of them minutes settled. The text of a run shows for a moment before its missing
 * minutes load: takes a value read twice in a row.
 */
async function counts(page: Page): Promise<{ met: number; done: number }> {
  let words = '';
  const isRead = async (): Promise<boolean> => {
    const before = words;
    words = (await settled(page).textContent()) ?? '';
    return words === before && settledWords.test(words);
  };
  await expect.poll(isRead, { intervals: [500] }).toBe(true);
  const [, met, done] = settledWords.exec(words) ?? [];
  return { met: Number(met), done: Number(done) };
}

/** Stop and target so near to the entry that many candles of an hour hold both. */
async function runTight(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await setPercent(page, 'Stop loss', '0.3');
  await setPercent(page, 'Take profit', '0.3');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
}

test('minutes settle exits whose candle met both levels: after a reload, on the server, in a link, and not when switched off', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await runTight(page);
  const { met, done } = await counts(page);
  expect(met).toBeGreaterThan(2);
  expect(done).toBeGreaterThan(met / 2);
  const net = await netPnl(page).textContent();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result')).toBeVisible();
  await page.getByLabel('Name of the run').fill('By minutes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /By minutes/ })).toBeVisible();

  const stranger = await openSharedRun(page, await browser.newContext());
  await expect(netPnl(stranger)).toHaveText(net ?? '');
  await stranger.context().close();

  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/minute-candles')) requested.push(request.url());
  });
  await page.reload();
  await expect(netPnl(page)).toHaveText(net ?? '');
  expect(await counts(page)).toEqual({ met, done });
  expect(requested).toEqual([]);

  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await choose(page, 'Minutes and mark prices', 'Off');
  await expect(settled(page)).toContainText('without minute candles they take the stop first.');
  await expect(netPnl(page)).not.toHaveText(net ?? '');
  await page
    .getByRole('row', { name: /By minutes/ })
    .getByRole('button', { name: /^Open/ })
    .click();
  await expectMessage(page, /^Backtest restored$/);
  await expect(netPnl(page)).toHaveText(net ?? '');
  await expect(
    page.getByRole('radiogroup', { name: 'Minutes and mark prices' }).getByRole('radio', { name: 'On' }),
  ).toBeChecked();
});

test('a moved stop settles its new candles when it rests; without a network candles without cached minutes stay open, and the page says so', async ({
  page,
  context,
}) => {
  await signUp(page, 'backtest');
  await runTight(page);
  await counts(page);
  await move(page, 'Stop loss', '0.25');
  const moved = await counts(page);
  expect(moved.done).toBeGreaterThan(moved.met / 2);
  await move(page, 'Stop loss', '0.3');
  const before = await counts(page);
  await context.setOffline(true);
  await move(page, 'Stop loss', '0.25');
  expect(await counts(page)).toEqual(moved);
  await move(page, 'Take profit', '0.2');
  await expect(page.getByText(/^1-minute data did not load: /)).toBeVisible();
  await context.setOffline(false);
  await move(page, 'Take profit', '0.3');
  // Waits for its minutes, which change the hash once more.
  await counts(page);
  await move(page, 'Stop loss', '0.3');
  expect(await counts(page)).toEqual(before);
});

const minuteRequests = '**/api/minute-candles';
const used = (page: Page) => page.getByTestId('search-minutes-used');
const facts = (page: Page) => page.getByTestId('search-facts');
const beside = (page: Page) => page.getByRole('region', { name: 'Best set beside yours', exact: true });
const startSearch = (page: Page) => page.getByRole('button', { name: /^Optimize/ }).click();

/** The result rows: best set in training, the same set on unseen candles, and the set before the search. */
const resultOf = async (page: Page): Promise<string[]> => {
  await expect(beside(page).locator('[aria-busy=true]')).toHaveCount(0);
  return beside(page).getByRole('cell').allInnerTexts();
};

/** Walk-forward requests more minutes, after those of the search. */
async function walked(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Walk-forward', exact: true }).click();
  await expect(page.getByText(/windows gained, in total/)).toBeVisible();
}

/** Runs on tight levels, then opens the search form. */
async function openSearch(page: Page): Promise<void> {
  await runTight(page);
  await page.getByRole('tab', { name: 'Optimization', exact: true }).click();
}

/** Ends with the result of a search that has not been seen before. */
async function searchFor(page: Page, seed: number): Promise<void> {
  await page.getByRole('tab', { name: 'Optimization', exact: true }).click();
  await page.getByLabel('Seed', { exact: true }).fill(String(seed));
  await startSearch(page);
  await expect(facts(page)).toHaveAttribute('data-seed', String(seed));
}

test('a search loads the minutes its sets need and says so; a reload restores it, and the run of the best set is the set', async ({
  page,
}) => {
  const requested: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/minute-candles'))
      requested.push((request.postDataJSON() as { opens: number[] }).opens.length);
  });
  await signUp(page, 'backtest');
  await openSearch(page);
  await expect(page.getByTestId('search-minutes')).toHaveText(
    '1-minute data settles candles that reach both stop and target: up to 1,000, largest first.',
  );
  const ofRun = requested.length;
  await startSearch(page);
  await expect(used(page)).toHaveText(/^\d+ unclear candles were resolved with 1-minute data\.$/);
  expect(requested.length).toBeGreaterThan(ofRun);
  // Fewer than the 1,200 candles of the window.
  expect(requested.reduce((sum, count) => sum + count, 0)).toBeLessThan(800);
  const words = (await used(page).textContent()) ?? '';
  const rows = await resultOf(page);
  await walked(page);
  const own = (await netPnl(page).textContent()) ?? '';
  const figures = beside(page)
    .getByRole('row', { name: /^Net PnL/ })
    .getByRole('cell');
  await expect(figures.nth(2)).toHaveText(own);
  const unseen = await figures.nth(1).innerText();
  await beside(page).getByRole('button', { name: 'Apply the best set' }).click();
  await expect(netPnl(page)).toHaveText(unseen);
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result')).toBeVisible();

  const stored = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );
  await beside(page).getByRole('button', { name: 'Back to my set' }).click();
  await expect(netPnl(page)).toHaveText(own);
  await stored;
  requested.length = 0;
  await page.reload();
  await expect(used(page)).toHaveText(words);
  expect(await resultOf(page)).toEqual(rows);
  // Another search replaces minutes in the cache; repeating this one requests nothing.
  await walked(page);
  expect(requested).toEqual([]);
  await searchFor(page, 9);
  await walked(page);
  requested.length = 0;
  await searchFor(page, 1);
  await walked(page);
  await expect(used(page)).toHaveText(words);
  expect(await resultOf(page)).toEqual(rows);
  expect(requested).toEqual([]);
});

test('a search goes on without minutes: on request, when the exchange fails, without a network, and when they are off', async ({
  page,
  context,
}) => {
  await signUp(page, 'backtest');
  await openSearch(page);
  await page.route(minuteRequests, () => undefined); // never responds
  await startSearch(page);
  await expect(page.getByTestId('search-minutes')).toHaveText(/^Minutes of \d+ of \d+ candles/);
  await expect(page.getByRole('progressbar', { name: 'Minutes loaded' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip minute data' }).click();
  // The minutes loaded by the run on screen are cached.
  await expect(used(page)).toHaveText(
    /^\d+ unclear candles were resolved with 1-minute data\. \d+ unclear candles take the stop first: you skipped their 1-minute data\.$/,
  );
  await page.unroute(minuteRequests);

  await page.route(minuteRequests, (route) =>
    route.fulfill({
      status: 502,
      contentType: 'application/problem+json',
      json: { code: 'upstream_failed', detail: 'Binance does not respond.' },
    }),
  );
  await searchFor(page, 5);
  await expect(used(page)).toHaveText(
    /unclear candles take the stop first: their 1-minute data did not load\. Binance does not respond\.$/,
  );
  await page.unroute(minuteRequests);

  await context.setOffline(true);
  await searchFor(page, 6);
  await expect(used(page)).toContainText('their 1-minute data did not load. No response from the server.');
  await context.setOffline(false);
  await searchFor(page, 5);
  await expect(used(page)).toHaveText(/^\d+ unclear candles were resolved with 1-minute data\.$/);

  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await choose(page, 'Minutes and mark prices', 'Off');
  await searchFor(page, 7);
  await expect(used(page)).toHaveText(/^1-minute data is off in the setup\. /);
});
