import { expect, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { signUp } from './support/users.ts';
import { openSharedRun } from './support/sharedLink.ts';

const DAY_MS = 86_400_000;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const facts = (page: Page) => page.getByText(/loaded, [\d,]+ scored/);
const netPnl = (page: Page) => page.getByTestId('net-pnl');

test('a run takes candles of one minute to one day, and is restored, verified and opened again on its own', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  for (const interval of ['1m', '5m', '15m', '4h', '1d', '1h', '1d']) {
    await choose(page, 'Interval', interval);
    await expect(page.getByRole('heading', { name: `BTCUSDT, ${interval}` })).toBeVisible();
    await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  }
  const net = await netPnl(page).textContent();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result')).toBeVisible();
  await page.getByLabel('Name of the run').fill('Of days');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Of days/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1d' })).toBeVisible();
  await expect(netPnl(page)).toHaveText(net ?? '');

  await choose(page, 'Interval', '5m');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 5m' })).toBeVisible();
  await page
    .getByRole('row', { name: /Of days/ })
    .getByRole('button', { name: /^Open/ })
    .click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1d' })).toBeVisible();
  await expect(page.getByRole('radio', { name: '1d', exact: true })).toBeChecked();
  await expect(netPnl(page)).toHaveText(net ?? '');
});

test('Live rules run on 1m in the standard window; server, shared link and saved run have the same candles', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await choose(page, 'Interval', '1m');
  await choose(page, 'Strategy', 'Live rules');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1m' })).toBeVisible();
  await expect(page.getByText('3,480 loaded, 500 scored')).toBeVisible();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result')).toBeVisible();
  // Only now: before, the figures may be those of the run that the button replaces, a minute older.
  const net = await netPnl(page).textContent();
  const context = await browser.newContext();
  await openSharedRun(page, context);
  await context.close();
  await page.getByLabel('Name of the run').fill('Of minutes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Of minutes/ })).toBeVisible();
  await page.reload();
  await expect(page.getByText('3,480 loaded, 500 scored')).toBeVisible();
  await expect(netPnl(page)).toHaveText(net ?? '');
  await choose(page, 'Interval', '5m');
  await expect(page.getByText('1,200 loaded, 500 scored')).toBeVisible();
  const row = page.getByRole('row', { name: /Of minutes/ });
  await row.getByRole('button', { name: /^Open/ }).click();
  await expect(page.getByText('3,480 loaded, 500 scored')).toBeVisible();
  await expect(netPnl(page)).toHaveText(net ?? '');
});

test('a run scores the chosen days; days that make no window are rejected at their field', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await choose(page, 'Window', 'Dates');
  const now = Date.now();
  // The last day is included: the window ends where the next day starts.
  const [from, to, end] = [day(now - 40 * DAY_MS), day(now - 11 * DAY_MS), day(now - 10 * DAY_MS)];
  const [first, last] = [page.getByLabel('First day (UTC)'), page.getByLabel('Last day (UTC, included)')];
  await first.fill(from);
  await last.fill(day(now - 60 * DAY_MS));
  await expect(page.getByText(`Choose ${from} or later as the last day.`)).toBeVisible();
  await expect(last).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByText(`Backtest failed: Choose ${from} or later as the last day.`)).toBeVisible();

  await last.fill(to);
  await expect(last).toHaveAttribute('aria-invalid', 'false');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  // 30 days of 24 hours; 1,728 are loaded, so that a search has the usual share before them.
  await expect(facts(page)).toContainText(`${from} 00:00 UTC to ${end} 00:00 UTC · 1,728 loaded, 720 scored`);
  const net = await netPnl(page).textContent();
  await page.reload();
  await expect(facts(page)).toContainText(`${from} 00:00 UTC to ${end} 00:00 UTC · 1,728 loaded, 720 scored`);
  await expect(netPnl(page)).toHaveText(net ?? '');
  await expect(page.getByRole('radio', { name: 'Dates' })).toBeChecked();
  await expect(first).toHaveValue(from);

  const stranger = await openSharedRun(page, await browser.newContext());
  await expect(netPnl(stranger)).toHaveText(net ?? '');
  await stranger.context().close();

  // Another length of candles keeps the days.
  await choose(page, 'Interval', '4h');
  await expect(facts(page)).toContainText(`${from} 00:00 UTC to ${end} 00:00 UTC · 880 loaded, 180 scored`);
  await choose(page, 'Window', 'Newest');
  await expect(facts(page)).toContainText('1,200 loaded, 500 scored');
});

test('rules that were saved on candles of a day are opened on them', async ({ page }) => {
  await signUp(page, 'backtest');
  await choose(page, 'Interval', '1d');
  await choose(page, 'Strategy', 'Live rules');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1d, Live rules' })).toBeVisible();
  await page.getByRole('button', { name: 'Save as my rules', exact: true }).click();
  await page.getByLabel('Name of the rules').fill('Daily');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1d, Daily' })).toBeVisible();
  await choose(page, 'Interval', '5m');
  await expect(page.getByRole('heading', { name: /^BTCUSDT, 5m/ })).toBeVisible();
  await page.getByRole('button', { name: 'Open Daily' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1d, Daily' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^BTCUSDT, 1d/ })).toBeVisible();
});

test('RULE-204 a cell that is opened while the heat map runs is judged among the cells seen so far', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await page.getByRole('tab', { name: 'Heat map', exact: true }).click();
  await page.getByLabel('Symbols', { exact: true }).fill('BTCUSDT, ETHUSDT, SOLUSDT, XRPUSDT');
  for (const interval of ['15m', '4h']) await page.getByRole('checkbox', { name: interval, exact: true }).uncheck();
  // The last market never loads: the map runs on.
  await page.route('**/api/klines**XRPUSDT**', () => undefined);
  await page.getByRole('button', { name: 'Run 4 cells' }).click();
  for (const symbol of ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])
    await expect(page.getByRole('button', { name: new RegExp(`^Open ${symbol} 1h: `) })).toBeVisible();
  await page.getByRole('button', { name: /^Open ETHUSDT 1h: / }).click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT, 1h' })).toBeVisible();
  await expect(page.getByTestId('honesty-trials')).toContainText('2 of them on 2 other markets over the same dates');
});
