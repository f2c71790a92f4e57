import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { openByApi } from './support/positions.ts';
import { changeResponses } from './support/requests.ts';
import { openAllResults } from './support/results.ts';

/** Rejects requests to a path with 503 "no slot at Binance", once per number in `retryAfterS`; later ones reach the server. */
async function reject(page: Page, path: string | RegExp, retryAfterS: number[]): Promise<void> {
  await page.route(path, async (route) => {
    const waitS = retryAfterS.shift();
    if (waitS === undefined) return route.continue();
    await route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      headers: { 'retry-after': String(waitS) },
      body: JSON.stringify({
        code: 'upstream_rate_limited',
        detail: 'Many requests are waiting.',
        exchange: 'binance',
      }),
    });
  });
}

const waiting = (page: Page | Locator) => page.getByText(/^Waiting for Binance: about \d+ s$/);
const panelOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
const secondsOf = async (page: Page): Promise<number> =>
  Number(/\d+/.exec((await waiting(page).textContent()) ?? '')?.[0]);

/** Runs a backtest. @returns its link */
async function shareRun(page: Page): Promise<string> {
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, /^Link copied/);
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a shared link waits for Binance with a countdown, gets its result, and says when to try again where it cannot', async ({
  page,
  browser,
  baseURL,
}) => {
  const link = await shareRun(page);

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const stranger = await context.newPage();
  await stranger.clock.install();
  await reject(stranger, '**/api/shared-backtest', [40, 100]);
  await stranger.goto(link);
  await expect(waiting(stranger)).toBeVisible();
  const first = await secondsOf(stranger);
  expect(first).toBeLessThanOrEqual(41);
  await stranger.clock.fastForward(10_000);
  await expect.poll(() => secondsOf(stranger)).toBeLessThanOrEqual(first - 10);
  await expect(stranger.getByText('Repeating the run here and on the server…')).toBeVisible();
  await stranger.clock.fastForward(31_000);
  // The next wait is longer than a page waits.
  await expect(stranger.getByRole('alert')).toContainText(
    /Check failed: Binance is busy\. Try again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\./,
  );
  await expect(waiting(stranger)).toHaveCount(0);
  await stranger.getByRole('button', { name: 'Try again' }).click();
  await expect(stranger.getByTestId('shared-verdict')).toHaveText(/^Verified: /);
  await context.close();
});

test('the chart of a market waits for Binance with a countdown, and is drawn', async ({ page }) => {
  await page.clock.install();
  await reject(page, '**/api/klines?*interval=1h*', [30]);
  await signUp(page, 'dashboard');
  const chart = panelOf(page, 'BTCUSDT');
  await expect(waiting(chart)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(chart.locator('.chart-pane').first()).toBeVisible();
  await expect(waiting(chart)).toHaveCount(0);
});

test('the link of one run too many in a minute waits for the server with a countdown, and gets its result', async ({
  page,
}) => {
  const link = await shareRun(page);
  const stranger = await page.context().newPage();
  await stranger.clock.install();
  let rejections = 0;
  await stranger.route('**/api/shared-backtest', (route) => {
    rejections += 1;
    if (rejections > 1) return route.continue();
    return route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '40' },
      body: JSON.stringify({ code: 'rate_limited', detail: 'At most 30 shared runs a minute.' }),
    });
  });
  await stranger.goto(link);
  await expect(stranger.getByText(/^Waiting for the server: about \d+ s$/)).toBeVisible();
  await stranger.clock.fastForward(41_000);
  await expect(stranger.getByTestId('shared-verdict')).toHaveText(/^Verified: /);
  await expect(stranger.getByText(/At most 30/)).toHaveCount(0);
});

test('the watch list waits for Binance with a countdown', async ({ page }) => {
  await page.clock.install();
  await reject(page, /\/api\/klines\?.*interval=15m&limit=97/, [30]);
  await signUp(page, 'dashboard');
  const list = panelOf(page, 'Watch list');
  await expect(waiting(list)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(waiting(list)).toHaveCount(0);
});

test('the market shock and the what-if of a position wait for Binance with a countdown', async ({ page }) => {
  await page.clock.install();
  await signUp(page, 'account');
  await openByApi(page, 'BTCUSDT', 'LONG');
  await openByApi(page, 'KSMUSDT', 'LONG', true);
  // A life of whole minutes, which can be replayed.
  await changeResponses(page, /\/api\/positions[?/]/, (body) => {
    const earlier = (_: string, at: string) => `"opened_at":"${new Date(Date.parse(at) - 600_000).toISOString()}"`;
    return JSON.parse(JSON.stringify(body).replaceAll(/"opened_at":"([^"]+)"/g, earlier)) as object;
  });
  await reject(page, /\/api\/klines\?.*interval=1h&limit=504/, [30]);
  await openTab(page, 'Dashboard');
  const shock = panelOf(page, 'Market shock');
  await expect(waiting(shock)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(waiting(shock)).toHaveCount(0);

  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await page.getByRole('row', { name: /KSMUSDT/ }).click();
  await expect(panelOf(page, 'KSMUSDT LONG').locator('.chart-readout').first()).toHaveText(/C [\d,.]+/);
  await reject(page, /\/api\/klines\?.*interval=1m&/, [30]);
  const whatIf = panelOf(page, 'What if');
  await whatIf.getByRole('button', { name: 'Replay' }).click();
  await expect(waiting(whatIf)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(whatIf.getByRole('table', { name: 'What if, compared' })).toBeVisible();
  await expect(waiting(whatIf)).toHaveCount(0);
});

test('a signal that is computed again waits for Binance with a countdown', async ({ page }) => {
  await page.clock.install();
  await signUp(page, 'signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await openAllResults(page);
  await page.getByRole('button', { name: 'Details' }).first().click();
  const details = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  await expect(details.locator('.chart-pane').first()).toBeVisible();
  await reject(page, '**/api/klines?*', [30]);
  await details.getByRole('button', { name: 'Reproduce in my browser' }).click();
  await expect(waiting(details)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(details.getByTestId('reproduction')).toBeVisible();
  await expect(waiting(details)).toHaveCount(0);
});
