import { expect, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { dropFile } from './support/files.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';
import { openSharedRun } from './support/sharedLink.ts';

const taker = (page: Page) => page.getByLabel('Taker fee', { exact: true });

test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
});

/** The summary of a run; collapsed by default. */
const inWords = (page: Page) => page.getByTestId('plain-words');

test('costs start from the fees of an exchange, say what was edited, and come back with a saved backtest', async ({
  page,
}) => {
  await expect(taker(page)).toHaveValue('0.05');
  await expect(page.getByText('Binance, VIP 0: taker 0.05 %, maker 0.02 %')).toBeVisible();
  await choose(page, 'Exchange', 'Bybit');
  await expect(taker(page)).toHaveValue('0.055');
  await expect(page.getByText('Bybit, VIP 0: taker 0.055 %, maker 0.02 %')).toBeVisible();
  const costs = page.getByRole('region', { name: 'Costs and sizing' });
  await expect(costs.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await taker(page).fill('0.04');
  await expect(costs.getByText('edited, was 0.055 %')).toBeVisible();
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await saved;
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await expect(taker(page)).toHaveValue('0.04');
  await expect(costs.getByText('edited, was 0.055 %')).toBeVisible();
  await costs.getByRole('button', { name: 'Reset' }).click();
  await expect(taker(page)).toHaveValue('0.055');
});

test('BT-023 BT-027 BT-030 the REST call loads 800 candles by default and searches by win rate, and the dashboard reads the latest row', async ({
  page,
}) => {
  const body = await page.evaluate(async () => {
    const body = { symbol: 'BTCUSDT', interval: '1h', params: {}, optimize: { samples: 20, target: 'winRate' } };
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch('/api/backtest', { method: 'POST', headers, body: JSON.stringify(body) });
    return [sent.status, await sent.json()] as const;
  });
  const [status, run] = body as [number, Record<string, unknown>];
  expect([status, run.target, run.symbol, run.interval]).toEqual([200, 'winRate', 'BTCUSDT', '1h']);
  const hours = (Date.parse(String(run.last_candle_at)) - Date.parse(String(run.first_candle_at))) / 3_600_000;
  expect(hours).toBe(799);
  const best = run.best as Record<string, number>;
  for (const name of ['pnl', 'winRate', 'trades', 'maxDrawdown', 'bestParams']) expect(best).toHaveProperty(name);
  await openTab(page, 'Dashboard');
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

/** Runs the result on screen again on the server: all four hashes must be equal. */
async function expectSameOnServer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();
  for (const name of ['engine', 'data', 'params', 'result']) {
    const hash = await page.getByTestId(`browser-${name}`).getAttribute('data-hash');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await expect(page.getByTestId(`server-${name}`)).toHaveAttribute('data-hash', hash ?? '');
  }
}

test('X4 funding and the order inside a candle are chosen, reported, equal on the server to the bit, shared and restored', async ({
  page,
  context,
}) => {
  const funding = page.getByRole('radiogroup', { name: 'Funding' });
  const sameBar = page.getByRole('radiogroup', { name: 'Stop and target in one candle' });
  await expect(funding.getByRole('radio', { name: 'As settled' })).toBeChecked();
  await expect(sameBar.getByRole('radio', { name: 'Stop first' })).toBeChecked();
  await expect(page.getByTestId('window-strip')).toHaveText(/Warm-up76Training624Scored500/);
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(inWords(page)).toContainText('Funding: as settled. Stop and target in one candle: stop first.');
  await expect(page.getByText(/settled in these candles/)).toBeVisible();
  await expectSameOnServer(page);

  // Levels so near that candles hold both: then the two modes are two results.
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  for (const name of ['Stop loss', 'Take profit']) {
    const field = page.getByLabel(`${name}, exact value`);
    await field.fill('0.2');
    await field.press('Enter');
  }
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  // Minute candles would settle the order as they load and remove the text about the two modes.
  await choose(page, 'Minutes and mark prices', 'Off');
  await expect(page.getByTestId('settled')).toContainText('without minute candles they take the stop first.');
  const stopFirst = await page.getByTestId('net-pnl').textContent();
  await sameBar.getByText('Target first').click();
  await expect(page.getByTestId('net-pnl')).not.toHaveText(stopFirst ?? '');
  await expect(page.getByText(/^Optimistic: .* took the target/)).toBeVisible();
  await expectSameOnServer(page);
  await funding.getByText('Off').click();
  await expect(inWords(page)).toContainText('Funding: off. Stop and target in one candle: target first.');
  await expect(page.getByText('Funding is off: real costs are higher.')).toBeVisible();
  await expectSameOnServer(page);
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') &&
      (response.request().postData() ?? '').includes('"cost.assumedFundingFraction":0.0005') &&
      response.ok(),
  );
  await funding.getByText('Assumed').click();
  await page.getByLabel('Assumed rate').fill('0.05');
  const reported = 'Funding: assumed, 0.05 % every 8 h. Stop and target in one candle: target first.';
  await expect(inWords(page)).toContainText(reported);
  await expectSameOnServer(page);
  await saved;

  const stranger = await openSharedRun(page, context);
  await expect(stranger.getByText('assumed, 0.05 % every 8 h', { exact: true })).toBeVisible();
  await stranger.close();

  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(inWords(page)).toContainText(reported);
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await expect(sameBar.getByRole('radio', { name: 'Target first' })).toBeChecked();
  await expect(page.getByLabel('Assumed rate')).toHaveValue('0.05');

  // The best of a search, applied, is run with the same assumptions.
  const ownHash = await page.getByTestId('browser-result').getAttribute('data-hash');
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', ownHash ?? '');
  await expect(inWords(page)).toContainText(reported);
  await expectSameOnServer(page);
});

test('a file has no settled funding, and all of it scored leaves a search its scored candles', async ({ page }) => {
  await page.getByText('Own CSV file').click();
  await dropFile(page, 'sample-1h.csv', sampleCsv(20_240_101, 800));
  const funding = page.getByRole('radiogroup', { name: 'Funding' });
  await expect(funding.getByRole('radio')).toHaveCount(2);
  await expect(funding.getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(page.getByText('A file has no funding: none is charged.')).toBeVisible();
  const strip = page.getByTestId('window-strip');
  await expect(strip).toHaveText(/Warm-up76Training224Scored500/);
  await page.getByText('All scored').click();
  await expect(strip).toHaveText(/Warm-up0Training0Scored800/);
  await page.getByRole('tab', { name: 'Optimization' }).click();
  const earlier = page.getByRole('radio', { name: 'Earlier candles' });
  await expect(earlier).toBeDisabled();
  await expect(page.getByRole('radio', { name: 'Scored candles' })).toBeChecked();
  await expect(page.getByText(/^All 800 candles are scored\. Score the last/)).toBeVisible();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByRole('heading', { name: /^Search, \d+ sets/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await page.getByText('Last 500 scored').click();
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await expect(earlier).toBeChecked();
});

test('BT-004 BT-014 the symbol list opens whole, a symbol is found by keyboard in lower case, an unknown symbol is reported, and a leverage is clamped with a message', async ({
  page,
}) => {
  const leverage = page.getByLabel('Leverage', { exact: true });
  await leverage.fill('900');
  await expect(leverage).toHaveValue('900');
  await leverage.press('Tab');
  await expect(leverage).toHaveValue('125');
  await expect(page.getByText('at most 125: 900 became 125')).toBeVisible();
  await leverage.fill('10');
  const symbol = page.getByRole('combobox', { name: 'Symbol', exact: true });
  await expect(symbol).toHaveValue('BTCUSDT');
  await expect(page.getByText(/^\d+ USDT perpetuals$/)).toBeVisible();
  await symbol.fill('nosuchcoin');
  await expect(symbol).toHaveValue('NOSUCHCOIN');
  await expect(page.getByText('No match. Try another name.')).toBeVisible();
  await symbol.press('Enter');
  await symbol.press('Escape');
  await symbol.press('Tab');
  await expect(symbol).toHaveValue('BTCUSDT');
  await symbol.fill('');
  await symbol.press('Tab');
  await expect(symbol).toHaveValue('BTCUSDT');
  await page.getByRole('button', { name: 'Show symbols' }).click();
  await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBeGreaterThan(100);
  await page.keyboard.press('Escape');
  await symbol.fill('sol');
  await symbol.press('Tab');
  await expect(symbol).toHaveValue('SOLUSDT');
  await symbol.fill('NOSUCHCOIN');
  await symbol.press('Tab');
  await expect(page.getByText('NOSUCHCOIN is unknown. Using SOLUSDT.')).toBeVisible();
  await symbol.fill('ethus');
  await expect(page.getByRole('option', { name: 'ETHUSDT' })).toBeVisible();
  await symbol.press('Enter');
  await expect(symbol).toHaveValue('ETHUSDT');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT, 1h' })).toBeVisible();
});
