import { expect, type Page, test } from '@playwright/test';
import { dropFile } from './support/files.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const SEED = 20_240_101;
const netPnl = (page: Page) => page.getByTestId('net-pnl');

async function openCsvSetup(page: Page): Promise<void> {
  await page.getByText('Own CSV file').click();
}

const proof = (page: Page) => page.getByText('Verified: the server got the same result, bit for bit.');

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(proof(page)).toBeVisible();
  for (const name of ['engine', 'data', 'params', 'result']) {
    const hash = await page.getByTestId(`browser-${name}`).getAttribute('data-hash');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await page.getByTestId(`server-${name}`).getAttribute('data-hash')).toBe(hash);
  }
}

test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
});

test(`a wrong file is rejected; a dropped CSV runs, shows its result, and the server repeats it to the bit (seed ${SEED})`, async ({
  page,
}) => {
  await openCsvSetup(page);
  const runButton = page.getByRole('button', { name: 'Run Backtest' });
  await expect(runButton).toBeDisabled();
  const text = sampleCsv(SEED, 200).split('\n');
  text[3] = text[3]?.replace(/,[^,]+$/, ',=1+1') ?? '';
  await dropFile(page, 'bad.csv', text.join('\n'));
  await expect(page.getByRole('alert')).toContainText('bad.csv was not read');
  await expect(page.getByRole('alert')).toContainText('Line 4, column volume: "=1+1" is a formula; use plain numbers');
  await expect(runButton).toBeDisabled();

  await dropFile(page, 'sample-1h.csv', sampleCsv(SEED, 1200));
  await expect(page.getByText('1,200 of 1h')).toBeVisible();
  await runButton.click();
  await expect(page.getByRole('heading', { name: 'sample-1h.csv, 1h' })).toBeVisible();
  await expect(netPnl(page)).toHaveText(/^[+\u2212]?[\d,]+\.\d\d$/);
  await expect(page.getByRole('grid', { name: 'Trades' }).getByRole('row').nth(1)).toBeVisible();
  await expect(page.locator('.chart canvas')).toHaveCount(4);
  await verify(page);
  // The same run made again is proven already: its proof is still there at the end of this test.
  await runButton.click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');

  // Trades can be sorted, and a row is marked on the chart.
  const grid = page.getByRole('grid', { name: 'Trades' });
  await grid.getByRole('button', { name: 'Net, USDT' }).click();
  await expect(grid.getByRole('columnheader', { name: 'Net, USDT' })).toHaveAttribute('aria-sort', 'descending');
  await grid.getByRole('row').nth(1).click();
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(1);
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(grid.getByRole('row', { selected: true })).toHaveAttribute('aria-rowindex', '3');
  // The definition of a metric opens by keyboard.
  await page.getByRole('button', { name: 'Profit factor' }).press('Enter');
  await expect(page.getByText('sum of wins / sum of losses')).toBeVisible();
  await expect(proof(page)).toBeVisible();
});

test('a parameter changes the result at once, and Reset brings it back', async ({ page }) => {
  await openCsvSetup(page);
  await dropFile(page, 'sample-1h.csv', sampleCsv(SEED, 1200));
  // The lab opened with a result of its own.
  await expect(page.getByRole('heading', { name: 'sample-1h.csv, 1h' })).toBeVisible();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  const before = await netPnl(page).textContent();
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  const stop = page.getByLabel('Stop loss, exact value');
  await stop.fill('0.7');
  await expect(netPnl(page)).not.toHaveText(before ?? '');
  // By now the engine may run on the page's own thread: the result is bit-identical wherever it runs.
  for (const percent of ['0.8', '0.9', '1.1']) await stop.fill(percent);
  await verify(page);
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect(netPnl(page)).toHaveText(before ?? '');
});

test('exchange candles run, and come back after a reload with the same result', async ({ page }) => {
  await expect(page.getByText('500 candles', { exact: true })).toBeVisible();
  await page.getByText('15m', { exact: true }).click();
  // Waited for from before the run: the save may be done before the server has verified.
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  const hash = page.getByTestId('browser-result');
  // The lab opens with a run of its own, whose hash may still be shown.
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 15m' })).toBeVisible();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await verify(page);
  const before = await hash.getAttribute('data-hash');
  await saved;

  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(hash).toHaveAttribute('data-hash', before ?? '');

  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: 'Run this setup' })).toBeVisible();
  await page.reload();
  // The standard setup, not the cleared file.
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
});

test('all candles of a file are scored, and the server repeats them', async ({ page }) => {
  await openCsvSetup(page);
  await dropFile(page, 'BTCUSDT-1h.csv', sampleCsv(SEED + 1, 500));
  await page.getByText('All scored').click();
  await expect(netPnl(page)).toBeVisible();
  // The thirteen votes of Classic all have values from candle 77 on.
  await expect(page.getByText(/^76 of 500 scored candles are warm-up, without trades/)).toBeVisible();
  await expect(page.getByText(/500 loaded, 500 scored, 76 of them warm-up/)).toBeVisible();
  await verify(page);
});
