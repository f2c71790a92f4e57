import { expect, type Page, test } from '@playwright/test';
import { startCosts } from '../src/features/backtest/costs.ts';
import { defaultParams, paramsToJson } from '../src/features/backtest/params.ts';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { dropFile } from './support/files.ts';
import { openTab, signUp } from './support/users.ts';
import { openByApi } from './support/positions.ts';
import { openAllResults } from './support/results.ts';
import { sampleCsv } from './support/sampleCsv.ts';

/** A link whose hashes match no run: the page shows the run with a warning not to rely on it. */
const sharedLink = ((): string => {
  const body = {
    symbol: 'BTCUSDT',
    exchange: 'binance',
    interval: '1h',
    limit: 800,
    endTime: Date.now() - 86_400_000,
    scored: 500,
    params: paramsToJson(defaultParams()),
    costs: startCosts(),
  };
  const hash = 'a'.repeat(64);
  const shared = { v: 1, body, hashes: { engine: hash, data: hash, params: hash, result: hash } };
  return `/#share=${Buffer.from(JSON.stringify(shared)).toString('base64url')}`;
})();

/** Positions of another market, as after a change of MARKET: listed as waiting, not drawn or replayed on this market's candles. */
async function expectWaitingClean(page: Page): Promise<void> {
  const { positions } = (await (await page.request.get('/api/positions?state=closed')).json()) as {
    positions: { symbol: string }[];
  };
  // Uses the closed position: the open one may close meanwhile.
  const closed = { ...positions.find(({ symbol }) => symbol === 'BTCUSDT'), market: 'live' };
  const open = { ...closed, closed_at: null, close_price: null, close_reason: null };
  await page.route(/\/api\/positions\?/, (route) =>
    route.fulfill({ json: { positions: [route.request().url().includes('state=open') ? open : closed] } }),
  );
  await page.reload();
  const waiting = page.getByRole('heading', { name: 'Waiting positions (1)' });
  await expect(waiting).toBeVisible();
  await expect(page.getByText('No open positions on this market. Others are listed below.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close LONG BTCUSDT' })).toHaveCount(0);
  await expectAccessibleAtBothWidths(page, 'portfolio: waiting');
  await page.getByRole('tab', { name: 'Positions', exact: true }).click();
  await expect(waiting).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'portfolio: positions that wait');
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await expect(page.getByText('It used live prices. This service now uses others')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replay', exact: true })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Closed positions' })).toContainText('live');
  await expectAccessibleAtBothWidths(page, 'portfolio: history of another market');
}

// All workers carry these: together they are the longest of all.
test.describe.configure({ mode: 'parallel' });
test.setTimeout(300_000);

test('the public pages', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByTestId('demo-figures')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'home');
  for (const path of [
    '/features',
    '/how',
    '/security',
    '/faq',
    '/privacy-policy',
    '/terms-of-service',
    '/scoreboard',
    '/status',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessibleAtBothWidths(page, path);
  }
  await page.goto('/login?back=1');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expectAccessibleAtBothWidths(page, 'login');
  await page.goto('/api-documentation/plain');
  await expectAccessibleAtBothWidths(page, 'api documentation');
});

test('dashboard, portfolio and automation', async ({ page }) => {
  await signUp(page);
  await expect(page.getByRole('row', { name: /ETHUSDT.*%/ })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'dashboard');
  await openByApi(page, 'ETHUSDT', 'SHORT');
  await openByApi(page, 'BTCUSDT', 'LONG', true);
  await expect(page.getByRole('grid', { name: 'Recent trades' }).getByText('BTCUSDT')).toBeVisible();
  await expect(page.getByText('Each position')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'portfolio: overview');
  for (const name of ['Positions', 'History', 'Analytics']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').nth(1)).toBeVisible();
    await expectAccessibleAtBothWidths(page, `portfolio: ${name}`);
  }
  await openTab(page, 'Auto');
  for (const name of ['Trailing Settings', 'Active Positions', 'Performance', 'Overview']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').nth(1)).toBeVisible();
    await expectAccessibleAtBothWidths(page, `auto: ${name}`);
  }
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'command palette');
  await page.keyboard.press('Escape');
  await expectWaitingClean(page);
});

test('backtest and search', async ({ page }) => {
  await signUp(page, 'backtest');
  await expect(page.getByRole('heading', { name: 'Costs and sizing' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'backtest setup');
  await page.getByText('Own CSV file').click();
  await dropFile(page, 'sample-1h.csv', sampleCsv(1, 800));
  await expect(page.getByText('800 of 1h')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'backtest file');
  await page.getByRole('tab', { name: 'Results & Analytics' }).click();
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await page.getByRole('button', { name: /more figures: return, risk, trades/ }).click();
  await page.getByRole('button', { name: /^Try 200 generated markets/ }).click();
  await expect(page.getByTestId('made-markets')).toBeVisible({ timeout: 60_000 });
  await expectAccessibleAtBothWidths(page, 'backtest result');
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await expectAccessibleAtBothWidths(page, 'backtest parameters');
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await expectAccessibleAtBothWidths(page, 'backtest optimization');
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.locator('[aria-label=Honesty][data-status=judged]')).toBeVisible();
  await page.getByRole('button', { name: /^All \d+ figures/ }).click();
  await expectAccessibleAtBothWidths(page, 'backtest search map');
  await page.getByRole('tab', { name: 'Table' }).click();
  await expectAccessibleAtBothWidths(page, 'backtest search table');
  for (const name of ['one', 'two']) {
    await page.getByLabel('Name of the run').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('checkbox', { name: `Compare ${name}` }).check();
  }
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByRole('button', { name: /more figures: return, risk, trades/ }).click();
  await expect(comparison.getByRole('row', { name: /^Omega ratio/ })).toBeVisible();
  await page.getByText('Day', { exact: true }).click();
  await expectAccessibleAtBothWidths(page, 'backtest compare and breakdown');
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await choose(page, 'Run on', 'Server');
  await page.getByLabel('Deep search samples').fill('2000');
  await page.getByRole('button', { name: 'Start on the server, 2,000 sets' }).click();
  // Searches of other tests may be before it in the queue of the server.
  await expect(page.getByRole('button', { name: 'Open result' })).toBeVisible({ timeout: 180_000 });
  await expectAccessibleAtBothWidths(page, 'backtest search on the server');
  await page.goto(sharedLink);
  await expect(page.getByTestId('shared-verdict')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'shared backtest');
});

test('signals with their tuning, profile and account', async ({ page }) => {
  await signUp(page, 'signals');
  // Before the scan: positions the scan opens may already fill the limit.
  await openByApi(page, 'ETHUSDT', 'SHORT');
  await openByApi(page, 'BTCUSDT', 'LONG', true);
  for (const name of ['Trading Settings', 'Symbol Filters', 'Scan Results', 'Signal Scanner']) {
    await page.getByRole('tab', { name }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible();
    await expectAccessibleAtBothWidths(page, `signals: ${name}`);
  }
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await openAllResults(page);
  await expectAccessibleAtBothWidths(page, 'signals: results');
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.getByRole('button', { name: 'Reproduce in my browser' }).click();
  await expect(page.getByTestId('reproduction')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'signals: details');
  await page.getByRole('button', { name: 'Close details' }).click();
  await page.goto('/?tab=settings');
  for (const name of ['Indicators', 'Presets', 'Advanced', 'Performance']) {
    await page.getByRole('tab', { name }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible();
    await expectAccessibleAtBothWidths(page, `signal tuning: ${name}`);
  }
  await openTab(page, 'Profile');
  await expect(page.getByRole('button', { name: 'Edit profile' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await expectAccessibleAtBothWidths(page, 'profile settings');
  await openTab(page, 'Account');
  for (const section of ['Security', 'Trading', 'Credits & Billing', 'Notifications', 'Privacy & Data']) {
    await page.getByRole('tab', { name: section }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible();
    await expectAccessibleAtBothWidths(page, `account: ${section}`);
  }
  await page.getByRole('button', { name: 'Request account deletion' }).click();
  await expectAccessibleAtBothWidths(page, 'account: deletion');
  await page.keyboard.press('Escape');
});
