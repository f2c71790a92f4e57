import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { dropFile } from './support/files.ts';
import { market } from '../../workers/test/support/markets.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';
import { changeResponses } from './support/requests.ts';

const netPnl = (page: Page) => page.getByTestId('net-pnl');
const resultHash = (page: Page) => page.getByTestId('browser-result');
const runButton = (page: Page) => page.getByRole('button', { name: 'Run Backtest' });
const inputPage = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

async function run(page: Page): Promise<void> {
  await runButton(page).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(netPnl(page)).toHaveText(/^[+\u2212]?[\d,]+\.\d\d$/);
}

test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
});

test('BT-001 BT-002 BT-003 BT-004 BT-005 BT-006 BT-008 BT-010 BT-016 BT-018 BT-020 BT-022 BT-025 BT-026 CONST-024 the screens, their defaults and a run that the server repeats from its own candles', async ({
  page,
}) => {
  for (const name of ['Backtest Setup', 'Optimization', 'Strategy Parameters', 'Results & Analytics'])
    await expect(page.getByRole('tab', { name, exact: true })).toBeVisible();
  // The standard setup has run.
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  await expect(page.getByText('500 candles', { exact: true })).toBeVisible();
  for (const interval of ['15m', '1h', '4h']) await expect(page.getByText(interval, { exact: true })).toBeVisible();
  await expect(page.getByTestId('window-strip')).toContainText('Warm-up76Training624Scored500');
  const symbol = page.getByRole('combobox', { name: 'Symbol', exact: true });
  await symbol.fill('eth');
  await expect(symbol).toHaveValue('ETH');
  await page.getByRole('option', { name: 'ETHUSDT' }).click();

  await inputPage(page, 'Strategy Parameters');
  const exact = (name: string) => page.getByLabel(`${name}, exact value`);
  const weights = [1.5, 1.5, 1.2, 1, 1.2, 1, 1, 0.8, 0.8, 0.6, 1, 0.8, 0.6];
  const shown = await page
    .getByLabel(/weight, exact value$/)
    .evaluateAll((all) => all.map((each) => Number((each as HTMLInputElement).value)));
  expect(shown).toEqual(weights);
  for (const [name, value] of [
    ['Entry threshold', '0.08'],
    ['Stop loss', '2'],
    ['Take profit', '4'],
    ['Trail callback', '0.5'],
    ['Trail step', '0.25'],
  ] as const)
    await expect(exact(name)).toHaveValue(value);
  await expect(page.getByRole('switch', { name: 'Trailing stop' })).not.toBeChecked();

  await run(page);
  for (const name of ['Net PnL', 'Win rate', 'Trades', 'Max drawdown', 'Profit factor', 'PnL / drawdown'])
    await expect(page.getByLabel('Result', { exact: true }).getByRole('button', { name, exact: true })).toBeVisible();
  await expect(page.getByTestId('plain-words')).toContainText('ETHUSDT 1h');
  // Measured by closes first; within candles a drawdown is at least as deep, and here it is deeper.
  const strip = page.getByLabel('Result', { exact: true });
  const fall = async (name: string) => {
    const cell = strip.locator('div', { has: page.getByRole('button', { name, exact: true }) }).last();
    return Number.parseFloat((await cell.locator('dd').textContent()) ?? '');
  };
  const closes = await fall('Max drawdown');
  await strip.getByRole('button', { name: 'intrabar' }).click();
  expect(await fall('Intrabar drawdown')).toBeGreaterThan(closes);
  await expect(strip.getByRole('button', { name: 'Max drawdown', exact: true })).toHaveCount(0);
  await strip.getByRole('button', { name: 'closes' }).click();
  expect(await fall('Max drawdown')).toBe(closes);
  // The window shared by all figures.
  await expect(page.getByTestId('figures-window')).toHaveText(/^\d{4}-\d\d-\d\d .+ to .+ UTC, \d+\.\d days$/);
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/api/backtest') && request.method() === 'POST'),
    page.getByRole('button', { name: 'Verify on the server' }).click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({
    symbol: 'ETHUSDT',
    interval: '1h',
    limit: 1200,
    params: { slPct: 0.02 },
  });
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();
});

test('BT-014 BT-015 BT-017 BT-019 BT-021 BT-024 CONST-025 X6 X8 every field is held to its bounds and steps', async ({
  page,
}) => {
  await inputPage(page, 'Strategy Parameters');
  // The threshold of the defaults is below the bound of the field: an edit is held to it.
  const threshold = page.getByLabel('Entry threshold, exact value');
  await expect(threshold).toHaveValue('0.08');
  await threshold.fill('0.02');
  await threshold.press('Enter');
  await expect(threshold).toHaveValue('0.1');
  await page.getByRole('switch', { name: 'Trailing stop' }).click();
  for (const [name, low, high] of [
    ['Entry threshold', '0.1', '1'],
    ['Stop loss', '0.1', '10'],
    ['Take profit', '0.1', '20'],
    ['Trail callback', '0.1', '20'],
    ['Trail step', '0.05', '20'],
    ['RSI weight', '0', '2'],
  ] as const) {
    const field = page.getByLabel(`${name}, exact value`, { exact: true });
    await field.fill('-5');
    await field.press('Enter');
    await expect(field, `${name} low`).toHaveValue(low);
    await field.fill('999');
    await field.press('Enter');
    await expect(field, `${name} high`).toHaveValue(high);
  }
  await inputPage(page, 'Optimization');
  const samples = page.getByLabel('Samples', { exact: true });
  await expect(samples).toHaveValue('50');
  await samples.fill('5000');
  await samples.press('Enter');
  await expect(samples).toHaveValue('1000');
});

test('BT-007 BT-011 BT-012 BT-013 BT-030 a deep drawdown warns, a run with its own costs comes back after a reload, and clear forgets it', async ({
  page,
}) => {
  await page.getByLabel('Start equity').fill('1000');
  await page.getByLabel('Position size').fill('5000');
  const taker = page.getByLabel('Taker fee', { exact: true });
  await taker.fill('0.3');
  const saved = page.waitForResponse(
    (saved) => saved.url().endsWith('/api/backtest/state') && saved.request().method() === 'PUT' && saved.ok(),
  );
  await run(page);
  await expect(page.getByText(/^Drawdown .*: lost .* of the peak/)).toBeVisible();
  const hash = await resultHash(page).getAttribute('data-hash');
  await saved;
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash ?? '');
  await inputPage(page, 'Backtest Setup');
  await expect(taker).toHaveValue('0.3');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: 'Run this setup' })).toBeVisible();
});

test('BT-028 BT-029 ERR-024 a response without a result is reported as such, and a failed run too', async ({
  page,
}) => {
  await run(page);
  await page.route('**/api/backtest', (route) => route.fulfill({ json: { something: 'else' } }));
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Unexpected response format from backtest')).toBeVisible();
  // A server that lacks data of the exchange says so, and does not blame the run.
  await page.unroute('**/api/backtest');
  const why = { fineDataProblem: 'Minute candles: Binance does not respond.' };
  await changeResponses(page, '**/api/backtest', (body: { hashes: object }) => ({
    ...body,
    ...why,
    hashes: { ...body.hashes, data: 'a'.repeat(64), result: 'b'.repeat(64) },
  }));
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(
    page.getByText(
      'Different: candles, result. The server lacked some data. Minute candles: Binance does not respond. Run again, then verify again.',
    ),
  ).toBeVisible();
  await page.route('**/api/klines**', (route) =>
    route.fulfill({ status: 502, json: { code: 'upstream_unavailable' } }),
  );
  await page.getByText('4h', { exact: true }).click();
  await expect(page.getByText(/^Backtest failed/)).toBeVisible();
});

test('results break down, export, are saved under a name, compared, opened again and deleted', async ({ page }) => {
  await run(page);
  for (const [grouping, heading] of [
    ['Month', 'Month of exit, UTC'],
    ['Week', 'Week from, UTC'],
    ['Day', 'Day of exit, UTC'],
  ] as const) {
    await page.getByText(grouping, { exact: true }).click();
    await expect(page.getByText(heading)).toBeVisible();
  }
  await page.getByRole('button', { name: /more figures: return, risk, trades/ }).click();
  await expect(page.getByRole('region', { name: 'Figures: Risk' })).toContainText(
    /Calmar ratiotoo few UTC days: \d+ of 30/,
  );
  await expect(page.getByRole('region', { name: 'Figures: Trades' })).toContainText(/Worst trade[+\u2212][\d.]+ USDT/);
  await expect(page.getByRole('img', { name: /worst move across/ })).toBeVisible();
  const fileOf = async (name: string): Promise<string> => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name, exact: true }).click();
    return readFile(await (await waiting).path(), 'utf8');
  };
  const trades = await fileOf('Trades CSV');
  const results = await fileOf('Results CSV');
  const json = await fileOf('JSON');
  const read = JSON.parse(json) as { trades: unknown[]; hashes: { result: string } };
  expect(trades.trim().split('\n')).toHaveLength(read.trades.length + 1);
  expect(results).toContain(`hash.result,${read.hashes.result}`);

  const save = async (name: string) => {
    await page.getByLabel('Name of the run').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('checkbox', { name: `Compare ${name}` })).toBeVisible();
  };
  await save('as it was');
  await inputPage(page, 'Strategy Parameters');
  await page.getByLabel('Stop loss, exact value').fill('0.7');
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', read.hashes.result);
  // The values over the panes belong to the result on screen, not to the previous one.
  const gained = Number((await netPnl(page).textContent())?.replace('\u2212', '-').replaceAll(',', ''));
  const equity = (1000 + gained).toLocaleString('en-US', { minimumFractionDigits: 2 });
  await expect(page.locator('.chart-readout', { hasText: 'Equity, USDT' })).toHaveText(`Equity, USDT ${equity}`);
  await save('near stop');
  for (const name of ['as it was', 'near stop']) await page.getByRole('checkbox', { name: `Compare ${name}` }).check();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByRole('row', { name: /^Stop loss/ })).toContainText(/2\.00.%\s*0\.70.%/);
  // Every figure of both runs, grouped as in the results, on request.
  const worst = comparison.getByRole('row', { name: /^Worst trade/ });
  await expect(worst).toHaveCount(0);
  await comparison.getByRole('button', { name: /more figures: return, risk, trades/ }).click();
  await expect(worst).toContainText(/best: [+\u2212][\d.,]+/);
  await expect(comparison.getByRole('row', { name: /^Calmar ratio/ })).toContainText(/of 30.*of 30/);
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await expectMessage(page, 'Backtest restored');
  await expect(resultHash(page)).toHaveAttribute('data-hash', read.hashes.result);
  await page.getByRole('button', { name: 'Delete near stop' }).click();
  await expect(page.getByRole('checkbox', { name: 'Compare near stop' })).toHaveCount(0);
  await expect(comparison).toContainText('1 of 4 runs');
  // A deleted run is not part of the next comparison.
  await save('twice');
  await page.getByRole('checkbox', { name: 'Compare twice' }).check();
  await expect(comparison).toContainText('twice');
  await expect(page.getByRole('checkbox', { name: 'Compare as it was' })).toBeChecked();
});

test('the same rules run on markets that are made of these candles, the same at every repetition', async ({ page }) => {
  await run(page);
  const result = page.getByTestId('made-markets');
  const tryMarkets = () => page.getByRole('button', { name: 'Try 200 generated markets' }).click();
  await tryMarkets();
  await expect(result).toContainText(/n = 200 generated markets of blocks of \d+ candles, seed 1\./);
  const first = await result.textContent();
  await tryMarkets();
  await expect(result).toHaveText(first ?? '');
  await inputPage(page, 'Strategy Parameters');
  await page.getByLabel('Stop loss, exact value').fill('0.7');
  await expect(result).toHaveCount(0);
});

test('a shared link is verified for any visitor, and a tampered one is rejected', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await run(page);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, /^Link copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.startsWith(`${baseURL}/#share=`)).toBe(true);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  const verdict = stranger.getByTestId('shared-verdict');
  await expect(verdict).toHaveText(/^Verified: server and browser got the same result/);
  await expect(netPnl(stranger)).toHaveText((await netPnl(page).textContent()) ?? '');
  await expect(stranger.getByTestId('shared-result')).toHaveText(
    /^\d+ trades in \d+\.\d days of BTCUSDT 1h .*(gained|lost) [\d,.]+ USDT after costs, [\d.]+\s% of the starting equity\.$/,
  );
  await expect(stranger.getByText(/the link does not count earlier tries/)).toBeVisible();
  await expect(stranger.getByRole('button', { name: 'Run Backtest' })).toHaveCount(0);
  // Charts first: figures, candles with trades and equity, then text, on a desktop and a phone.
  for (const [width, name] of [
    [1440, 'desk'],
    [390, 'hand'],
  ] as const) {
    await stranger.setViewportSize({ width, height: 900 });
    const placeOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    const figures = await placeOf(stranger.getByLabel('Result', { exact: true }));
    const picture = await placeOf(stranger.locator('canvas').first());
    const words = await placeOf(stranger.getByTestId('shared-result'));
    expect(picture.y, name).toBeGreaterThan(figures.y + figures.height);
    expect(words.y > picture.y + 300 || words.x > picture.x + 600, name).toBe(true);
  }

  const [head, data = ''] = link.split('#share=');
  type Shared = {
    body: { symbol: string; params: { slPct: number }; costs: { takerFeeFraction: number } };
    hashes: Record<string, string>;
  };
  const other = 'f'.repeat(64);
  const distrust = 'Do not rely on this link: ';
  for (const [change, words] of [
    [(it: Shared) => (it.body.params.slPct = 0.05), `${distrust}the parameters, costs or scored window differ`],
    [(it: Shared) => (it.body.costs.takerFeeFraction = 0), `${distrust}the parameters, costs or scored window differ`],
    [(it: Shared) => (it.body.symbol = 'ETHUSDT'), `${distrust}the candles, mark prices or fundings differ`],
    [(it: Shared) => (it.hashes['result'] = other), `${distrust}the result differs.`],
    [(it: Shared) => (it.hashes['engine'] = other), 'Verified on another engine version'],
  ] as const) {
    const shared = JSON.parse(Buffer.from(data, 'base64url').toString()) as Shared;
    change(shared);
    await stranger.goto(`${head}#share=${Buffer.from(JSON.stringify(shared)).toString('base64url')}`);
    await expect(verdict).toContainText(words);
  }
  const unknown = JSON.parse(Buffer.from(data, 'base64url').toString()) as Shared;
  unknown.body.symbol = 'NOSUCHUSDT';
  await stranger.goto(`${head}#share=${Buffer.from(JSON.stringify(unknown)).toString('base64url')}`);
  await expect(stranger.getByRole('alert')).toContainText(/Check failed: .*NOSUCHUSDT/);
  await stranger.goto(`${head}#share=nonsense`);
  await expect(stranger.getByRole('alert')).toContainText('This link is damaged');
  await stranger.context().close();
});

test('a long history is loaded in pages, cached, and runs without a network', async ({ page, context }) => {
  await page.getByLabel('History').selectOption('5000');
  await expect(page.getByTestId('window-strip')).toContainText('Scored2,083');
  await run(page);
  await expect(page.getByText(/5,000 loaded, 2,083 scored/)).toBeVisible();
  const hash = await resultHash(page).getAttribute('data-hash');
  await context.setOffline(true);
  await runButton(page).click();
  await expect(page.getByText('Offline: used the candles of your last connection.')).toBeVisible();
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash ?? '');
  await inputPage(page, 'Strategy Parameters');
  await page.getByLabel('Stop loss, exact value').fill('0.7');
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', hash ?? '');
  await context.setOffline(false);
});

/** A market without any edge, of the engine's own noise tests, as a file with every bit of its numbers. */
function noiseCsv(seed: number): string {
  const { time, open, high, low, close, volume } = market(1200, seed);
  const row = (_: number, i: number) => [time, open, high, low, close, volume].map((column) => column[i]).join(',');
  return ['time,open,high,low,close,volume', ...Array.from(time, row)].join('\n');
}

test('pure noise through file, search and panel is never said to hold up, market after market', async ({ page }) => {
  await page.getByText('Own CSV file').click();
  for (const seed of [30_000, 30_001, 30_002]) {
    await inputPage(page, 'Backtest Setup');
    await dropFile(page, `noise-${seed}.csv`, noiseCsv(seed));
    await expect(page.getByText(`noise-${seed}.csv, 15m`)).toBeVisible();
    await inputPage(page, 'Optimization');
    await page.getByRole('button', { name: /^Optimize/ }).click();
    await expect(page.getByTestId('search-facts')).toContainText('90 sets on 624 earlier candles');
    await expect(page.locator('[aria-label=Honesty][data-status=judged]')).toBeVisible();
    await expect(page.getByTestId('honesty-level')).toHaveText(/^(Luck|Unclear)$/);
  }
});
