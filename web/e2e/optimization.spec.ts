import { expect, type Page, test } from '@playwright/test';
import { dropFile } from './support/files.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/people.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const SEED = 20_240_101;
const netPnl = (page: Page) => page.getByTestId('net-pnl');
const judged = (page: Page) => page.locator('[aria-label=Honesty][data-status=judged]');

async function search(page: Page, samples: number): Promise<void> {
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByLabel(/^(Deep search samples|Samples)$/).fill(String(samples));
  await page.getByRole('button', { name: /^Optimize/ }).click();
  await expect(page.getByTestId('search-facts')).toContainText('sets a second');
}

test.beforeEach(async ({ page }) => {
  await signUp(page);
  await openTab(page, 'Backtest');
  await page.getByText('Own CSV file').click();
  await dropFile(page, 'sample-1h.csv', sampleCsv(SEED, 1200));
  await expect(netPnl(page)).toBeVisible();
});

test('BT-001 BT-009 BT-014 BT-023 a search shows every set, its best stands beside the verdict, and any set opens', async ({
  page,
}) => {
  await page.getByRole('tab', { name: 'Optimization' }).click();
  const samples = page.getByLabel('Samples', { exact: true });
  await expect(samples).toHaveValue('50');
  await samples.fill('5');
  await samples.press('Enter');
  await expect(samples).toHaveValue('10');
  await expect(page.getByLabel('Target')).toHaveValue('pnl');
  const own = await netPnl(page).textContent();

  await search(page, 200);
  await expect(page.getByRole('heading', { name: /^Search, 400 sets by PnL/ })).toBeVisible();
  await expect(judged(page)).toBeVisible();
  await expect(page.getByTestId('honesty-level')).toHaveText(/^(Luck|Unclear|Holds up|Cannot tell yet)$/);
  // The set on the sliders before the search was looked at too.
  await expect(page.getByTestId('honesty-trials')).toContainText(
    '401 sets counted on these candles, 1 of them tried before',
  );

  await page.getByRole('button', { name: /^All \d+ figures/ }).click();
  for (const name of [
    'Luck ceiling',
    'Deflated Sharpe ratio',
    'Probability of overfitting',
    'Plateau',
    'Break-even fee',
  ]) {
    await expect(page.getByLabel('All honesty figures').getByText(name, { exact: true })).toBeVisible();
  }

  await page.getByRole('tab', { name: 'Table' }).click();
  const trials = page.getByRole('grid', { name: 'Trials' });
  await expect(trials.getByRole('row')).not.toHaveCount(0);
  await trials.getByRole('button', { name: 'Trades' }).click();
  await trials.getByRole('row').nth(1).click();
  await expect(trials.getByRole('row', { selected: true })).toHaveCount(1);
  await page.getByRole('tab', { name: 'Walk-forward' }).click();
  await expect(page.getByText('Test window, UTC')).toBeVisible();

  await page.getByRole('button', { name: 'Back to my set' }).click();
  await expect(netPnl(page)).toHaveText(own ?? '');
});

test('the same seed finds the same best, in one piece and in parts, and the form is there after a reload', async ({
  page,
}) => {
  await search(page, 1000);
  await expect(judged(page)).toBeVisible();
  const best = await netPnl(page).textContent();
  const hash = await page.getByTestId('browser-result').getAttribute('data-hash');
  await page.getByRole('button', { name: 'Back to my set' }).click();
  await expect(netPnl(page)).not.toHaveText(best ?? '');
  await search(page, 1000);
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash ?? '');

  await page.getByRole('switch', { name: 'Deep search' }).click();
  // Long enough to be cancelled by a hand that needs a moment.
  await page.getByLabel('Deep search samples').fill('100000');
  await page.getByRole('button', { name: 'Optimize 100,000 sets' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Optimize 100,000 sets' })).toBeEnabled();
  await page.getByLabel('Deep search samples').fill('30000');
  await page.getByRole('button', { name: 'Optimize 30,000 sets' }).click();
  await expect(page.getByRole('heading', { name: /^Search, 60,000 sets by PnL/ })).toBeVisible({ timeout: 30_000 });
  await expect(judged(page)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Backtest restored')).toHaveCount(0);

  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/backtest/state') && answer.request().method() === 'PUT',
  );
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await page.getByLabel('Stop loss, exact value').fill('1.3');
  await saved;
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await expect(page.getByLabel('Deep search samples')).toHaveValue('30000');
});

test('a pure noise market is never said to hold up', async ({ page }) => {
  await search(page, 500);
  await expect(judged(page)).toBeVisible();
  await page.getByText('Scored candles').click();
  await search(page, 500);
  await expect(judged(page)).toBeVisible();
  await expect(page.getByTestId('honesty-level')).toHaveText(/^(Luck|Unclear|Cannot tell yet)$/);
  await expect(page.getByTestId('honesty-trials')).toContainText('2,001 sets counted');
});
