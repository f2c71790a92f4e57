import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/people.ts';

/** Rejects requests to a path with 503 "no slot at Binance", once per number in `retryAfterS`; later ones reach the server. */
async function refuse(page: Page, path: string, retryAfterS: number[]): Promise<void> {
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

const waiting = (page: Page) => page.getByText(/^Waiting for Binance: about \d+ s$/);
const secondsOf = async (page: Page): Promise<number> =>
  Number(/\d+/.exec((await waiting(page).textContent()) ?? '')?.[0]);

test('a shared link waits for Binance with a countdown, gets its result, and says when to try again where it cannot', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, /^Link copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const stranger = await context.newPage();
  await stranger.clock.install();
  await refuse(stranger, '**/api/shared-backtest', [40, 100]);
  await stranger.goto(link);
  await expect(waiting(stranger)).toBeVisible();
  const first = await secondsOf(stranger);
  expect(first).toBeLessThanOrEqual(41);
  await stranger.clock.fastForward(10_000);
  await expect.poll(() => secondsOf(stranger)).toBeLessThanOrEqual(first - 10);
  await expect(stranger.getByText('The server and this browser are repeating the run…')).toBeVisible();
  await stranger.clock.fastForward(31_000);
  // The next wait is longer than a page waits.
  await expect(stranger.getByRole('alert')).toContainText(
    /The run could not be repeated: Binance is busy\. Try again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\./,
  );
  await expect(waiting(stranger)).toHaveCount(0);
  await stranger.getByRole('button', { name: 'Try again' }).click();
  await expect(stranger.getByTestId('shared-verdict')).toHaveText(/^Checked: /);
  await context.close();
});

test('the chart of a market waits for Binance with a countdown, and is drawn', async ({ page }) => {
  await page.clock.install();
  await refuse(page, '**/api/klines?*interval=1h*', [30]);
  await signUp(page, 'dashboard');
  await expect(waiting(page)).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(page.locator('.chart-pane').first()).toBeVisible();
  await expect(waiting(page)).toHaveCount(0);
});
