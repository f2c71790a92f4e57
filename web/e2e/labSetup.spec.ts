import { expect, type Page, test } from '@playwright/test';
import { openTab, signUp } from './support/people.ts';

const taker = (page: Page) => page.getByLabel('Taker fee', { exact: true });

test.beforeEach(async ({ page }) => {
  await signUp(page);
});

test('costs start from the fees of an exchange, say what was edited, and come back with a saved backtest', async ({
  page,
}) => {
  await openTab(page, 'Backtest');
  await expect(taker(page)).toHaveValue('0.05');
  await expect(page.getByText('Binance, VIP 0: taker 0.05 %, maker 0.02 %')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Fees of' }).getByText('Bybit').click();
  await expect(taker(page)).toHaveValue('0.055');
  await expect(page.getByText('Bybit, VIP 0: taker 0.055 %, maker 0.02 %')).toBeVisible();
  const costs = page.getByRole('region', { name: 'Costs and sizing' });
  await expect(costs.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await taker(page).fill('0.04');
  await expect(costs.getByText('edited, was 0.055 %')).toBeVisible();
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/backtest/state') && answer.request().method() === 'PUT' && answer.ok(),
  );
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await saved;
  await page.reload();
  await expect(page.getByText('Backtest restored', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await expect(taker(page)).toHaveValue('0.04');
  await expect(costs.getByText('edited, was 0.055 %')).toBeVisible();
  await costs.getByRole('button', { name: 'Reset' }).click();
  await expect(taker(page)).toHaveValue('0.055');
});

test('BT-023 BT-027 BT-030 the REST call loads 800 candles by default and searches by win rate, and the dashboard reads the latest row', async ({
  page,
}) => {
  const answer = await page.evaluate(async () => {
    const body = { symbol: 'BTCUSDT', interval: '1h', params: {}, optimize: { samples: 20, target: 'winRate' } };
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch('/api/backtest', { method: 'POST', headers, body: JSON.stringify(body) });
    return [sent.status, await sent.json()] as const;
  });
  const [status, run] = answer as [number, Record<string, unknown>];
  expect([status, run.target, run.symbol, run.interval]).toEqual([200, 'winRate', 'BTCUSDT', '1h']);
  const hours = (Date.parse(String(run.last_candle_at)) - Date.parse(String(run.first_candle_at))) / 3_600_000;
  expect(hours).toBe(799);
  const best = run.best as Record<string, number>;
  for (const name of ['pnl', 'winRate', 'trades', 'maxDrawdown', 'bestParams']) expect(best).toHaveProperty(name);
  await page.goto('/');
  const last = page.locator('section', { has: page.getByRole('heading', { name: 'Last backtest on the server' }) });
  await expect(last).toContainText('BTCUSDT 1h');
  await expect(last.locator('dd').nth(3)).toHaveText(String(best.trades));

  await openTab(page, 'Backtest');
  await page.getByRole('tab', { name: 'Optimization' }).click();
  const target = page.getByLabel('Target');
  await expect(target).toHaveValue('pnl');
  await target.selectOption('winRate');
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByRole('heading', { name: /^Search, \d+ sets by Win rate/ })).toBeVisible();
});
