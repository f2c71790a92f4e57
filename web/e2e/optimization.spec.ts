import { expect, type Page, test } from '@playwright/test';
import { dropFile } from './support/files.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';
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
  await signUp(page, 'backtest');
  // The lab opens with a result of its own. The proof of one is drawn in the time that is left.
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  const proof = page.getByTestId('browser-result');
  const opened = (await proof.getAttribute('data-hash')) ?? '';
  await page.getByText('Own CSV file').click();
  await dropFile(page, 'sample-1h.csv', sampleCsv(SEED, 1200));
  await expect(page.getByRole('heading', { name: 'sample-1h.csv, 1h' })).toBeVisible();
  await expect(proof).not.toHaveAttribute('data-hash', opened);
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
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
  await expect(page.getByTestId('honesty-level')).toHaveText(/^(Luck|Unclear|Holds up|Not enough data)$/);
  // The set on the sliders stays active until another one is applied.
  await expect(netPnl(page)).toHaveText(own ?? '');
  await expect(page.getByRole('radio', { name: 'Best of the search' })).toBeChecked();
  // The set on the sliders before the search counts as tested too.
  await expect(page.getByTestId('honesty-trials')).toContainText('401 sets tested on these candles, 1 of them earlier');

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
  const proof = page.getByTestId('browser-result');
  const ownHash = await proof.getAttribute('data-hash');
  const apply = page.getByRole('button', { name: 'Apply the best set' });
  await search(page, 1000);
  await expect(judged(page)).toBeVisible();
  await apply.click();
  // The proof is drawn in the time that is left.
  await expect(proof).not.toHaveAttribute('data-hash', ownHash ?? '');
  const hash = await proof.getAttribute('data-hash');
  await page.getByRole('button', { name: 'Back to my set' }).click();
  await expect(proof).toHaveAttribute('data-hash', ownHash ?? '');
  await search(page, 1000);
  await apply.click();
  await expect(proof).toHaveAttribute('data-hash', hash ?? '');

  await page.getByRole('switch', { name: 'Deep search' }).click();
  // Long enough to be cancelled by a hand that needs a moment.
  await page.getByLabel('Deep search samples').fill('100000');
  await page.getByRole('button', { name: 'Optimize 100,000 sets' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Optimize 100,000 sets' })).toBeEnabled();
  await page.getByLabel('Deep search samples').fill('30000');
  await page.getByRole('button', { name: 'Optimize 30,000 sets' }).click();
  await expect(page.getByRole('heading', { name: /^Search, 60,000 sets by PnL/ })).toBeVisible();
  await expect(judged(page)).toBeVisible();
  await expect(page.getByText('Backtest restored')).toHaveCount(0);

  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT',
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
  // The facts of the first search stay visible until the second has ended: the count distinguishes them.
  await expect(page.getByTestId('honesty-trials')).toContainText('2,001 sets tested');
  await expect(judged(page)).toBeVisible();
  await expect(page.getByTestId('honesty-level')).toHaveText(/^(Luck|Unclear|Not enough data)$/);
});

test('the power of a search is stated before it, and its best stands beside the own set until it is applied', async ({
  page,
}) => {
  await page.getByRole('tab', { name: 'Optimization' }).click();
  // 50 samples and 40 by refinement on 624 candles, 26 days: no figure of a year.
  await expect(page.getByTestId('trials-planned')).toContainText('refinement adds up to 40, 90 trials in all');
  await expect(page.getByTestId('detectable')).toContainText(
    /for 90 sets\. You have 624 training candles \(26 days\)\./,
  );
  await page.getByRole('button', { name: 'Luck limit' }).click();
  await expect(page.getByText(/not annualised below 30 days/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Ranges/ }).click();
  await page.getByLabel('Stop loss, %, most').fill('3');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Ranges, 1 narrowed' })).toBeVisible();

  // The text arrives a moment after the number: the button is not moved by it, and a press right after typing meets it.
  const samples = page.getByLabel('Samples', { exact: true });
  const start = page.getByRole('button', { name: /^Optimize/ });
  const distance = async (): Promise<number> =>
    ((await start.boundingBox())?.y ?? NaN) - ((await samples.boundingBox())?.y ?? NaN);
  const before = await distance();
  await samples.fill('1000');
  expect(await distance()).toBe(before);
  await expect(page.getByTestId('detectable')).toContainText('for 2,000 sets');
  expect(await distance()).toBe(before);

  const own = await netPnl(page).textContent();
  await search(page, 200);
  const beside = page.getByRole('region', { name: 'Best set beside yours', exact: true });
  await expect(beside.getByRole('columnheader', { name: /^Yours before/ })).toContainText('500 unseen candles');
  await expect(
    beside
      .getByRole('row', { name: /^Net PnL/ })
      .getByRole('cell')
      .last(),
  ).toHaveText(own?.replace(' USDT', '') ?? '');
  const active = beside.getByRole('status');
  const back = beside.getByRole('button', { name: 'Back to my set' });
  await expect(active).toHaveText('Your parameters are active.');
  await expect(back).toBeDisabled();
  await expect(netPnl(page)).toHaveText(own ?? '');

  await beside.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(active).toHaveText('The best parameters are active.');
  await expect(netPnl(page)).not.toHaveText(own ?? '');
  await back.click();
  await expect(active).toHaveText('Your parameters are active.');
  await expect(netPnl(page)).toHaveText(own ?? '');

  // A slider moved after the search is the user's set, too: applying the best can be undone to it.
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await page.getByLabel('Stop loss, exact value').fill('1.3');
  await page.keyboard.press('Tab');
  await expect(netPnl(page)).not.toHaveText(own ?? '');
  await beside.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(active).toHaveText('The best parameters are active.');
  await back.click();
  await expect(page.getByLabel('Stop loss, exact value')).toHaveValue(/^1\.30?$/);
  await expect(judged(page)).toBeVisible();
});

test('after a reload the way back from any set of a search is to the set from before it', async ({ page }) => {
  const proof = page.getByTestId('browser-result');
  const own = (await proof.getAttribute('data-hash')) ?? '';
  await search(page, 200);
  const openRow = async (index: number): Promise<void> => {
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('grid', { name: 'Trials' }).getByRole('row').nth(index).click();
    await expect(page.getByText('Other parameters are active.')).toBeVisible();
  };
  const isStored = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') &&
      (response.request().postData() ?? '').includes('"search_sets"') &&
      response.ok(),
  );
  await openRow(3);
  await expect(proof).not.toHaveAttribute('data-hash', own);
  const opened = (await proof.getAttribute('data-hash')) ?? '';
  await isStored;
  await page.waitForTimeout(1500);
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(proof).toHaveAttribute('data-hash', opened);
  await expect(page.getByText('Other parameters are active.')).toBeVisible();
  await openRow(4);
  await expect(proof).not.toHaveAttribute('data-hash', opened);
  await page.getByRole('button', { name: 'Back to my set' }).click();
  await expect(page.getByText('Your parameters are active.')).toBeVisible();
  await expect(proof).toHaveAttribute('data-hash', own);
});
