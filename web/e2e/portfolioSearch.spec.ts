import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';

interface Sent {
  run: Record<string, unknown>;
  ranges: Record<string, { min: number; max: number }>;
  samples: number;
  seed: number;
  target: string;
}

const isSearch = (request: { url: () => string; method: () => string }): boolean =>
  request.method() === 'POST' && request.url().endsWith('/api/backtest/portfolio/search');
const isRun = (request: { url: () => string; method: () => string }): boolean =>
  request.method() === 'POST' && request.url().endsWith('/api/backtest/portfolio');
const result = (page: Page): Locator => page.getByRole('region', { name: 'Search result' });
const runResult = (page: Page): Locator => page.getByRole('region', { name: 'Portfolio result' });
const comparison = (page: Page): Locator => page.getByRole('region', { name: 'Comparison', exact: true });
const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });

async function openSearch(page: Page): Promise<void> {
  await signUp(page, 'backtest');
  await page.getByRole('tab', { name: 'Portfolio' }).click();
  await page.getByText('Symbols', { exact: true }).last().click();
  await page.getByLabel('Names').fill('BTCUSDT, ETHUSDT, SOLUSDT');
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('Live rules, standard weights');
  await choose(page, 'Run or search', 'Search sets');
  await field(page, 'Sets').fill('40');
}

/** Searches with the form. @returns the request, once its own result is on screen */
async function search(page: Page): Promise<Sent> {
  const sending = page.waitForRequest(isSearch);
  const responding = page.waitForResponse((response) => isSearch(response.request()));
  await page.getByRole('button', { name: /^Search \d+ sets$/ }).click();
  const sent = (await sending).postDataJSON() as Sent;
  expect((await responding).status()).toBe(200);
  await expect(result(page)).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByText('This is the last search.')).toHaveCount(0);
  return sent;
}

test('RULE-092 searches sets of one account, every control changes the search, and a set goes into the form', async ({
  page,
}) => {
  await openSearch(page);
  await expect(page.getByText('Search thresholds, levels and slots of one account')).toBeVisible();
  const first = await search(page);
  expect(first).toMatchObject({
    ranges: {
      entryThreshold: { min: 0.1, max: 0.6 },
      stopFactor: { min: 0.5, max: 2 },
      targetFactor: { min: 0.5, max: 2 },
      positionsMax: { min: 1, max: 10 },
    },
    samples: 40,
    seed: 1,
    target: 'pnl',
  });
  const figures = page.getByTestId('search-figures');
  for (const name of ['Best in training', 'Best unseen', 'Yours in training', 'Yours unseen'])
    await expect(figures.getByRole('columnheader', { name, exact: true })).toBeVisible();
  for (const name of ['Net PnL, USDT', 'Fees, USDT', 'Slippage, USDT'])
    await expect(figures.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell')).toHaveCount(4);
  await expect(result(page).getByRole('heading', { name: 'Verdict' })).toBeVisible();
  const luck = page.getByTestId('search-luck');
  for (const name of [/Luck ceiling/i, /Deflated Sharpe/i, /overfitting/i]) await expect(luck).toContainText(name);

  // Each range is sent as typed, or left out.
  await page.getByRole('checkbox', { name: 'Openings in one candle' }).check();
  await page.getByRole('checkbox', { name: 'Target, × yours' }).uncheck();
  for (const [name, value] of [
    ['Entry threshold, from', '0.15'],
    ['Entry threshold, to', '0.4'],
    ['Stop, × yours, from', '0.8'],
    ['Stop, × yours, to', '1.2'],
    ['Open positions, from', '2'],
    ['Open positions, to', '4'],
    ['Openings in one candle, from', '1'],
    ['Openings in one candle, to', '2'],
    ['Sets', '30'],
    ['Seed', '7'],
  ] as const)
    await field(page, name).fill(value);
  await page.getByRole('combobox', { name: 'Best by' }).selectOption('Sharpe ratio');
  await expect(page.getByText('This is the last search.')).toBeVisible();
  const second = await search(page);
  expect({ ...second, run: null }).toMatchObject({
    ranges: {
      entryThreshold: { min: 0.15, max: 0.4 },
      stopFactor: { min: 0.8, max: 1.2 },
      positionsMax: { min: 2, max: 4 },
      openingsMax: { min: 1, max: 2 },
    },
    samples: 30,
    seed: 7,
    target: 'sharpe',
  });
  expect(second.ranges).not.toHaveProperty('targetFactor');
  await field(page, 'Open positions, from').fill('9');
  await expect(page.getByText('Set From to at most To.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Search \d+ sets$/ })).toBeDisabled();
  await field(page, 'Open positions, from').fill('2');

  // The first set of the list that is not the account as it is.
  const use = result(page).locator('button[aria-label^="Use set "]:enabled').first();
  await use.click();
  await expectMessage(page, 'Set applied. Run it for every figure.');
  await expect(page.getByTestId('portfolio-set')).toContainText(/threshold 0\.\d\d, stop [\d.]+ ATR/);
  const sending = page.waitForRequest(isRun);
  await page.getByRole('button', { name: 'Run portfolio' }).click();
  const sent = (await sending).postDataJSON() as { set: object; limits: { positionsMax: number } };
  expect(Object.keys(sent.set).sort()).toEqual(['entryThreshold', 'stop']);
  expect([2, 3, 4]).toContain(sent.limits.positionsMax);
  await expect(runResult(page)).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByText('Showing the last run.')).toHaveCount(0);
  await page.getByRole('button', { name: "Use the strategy's levels" }).click();
  await expect(page.getByText('Showing the last run.')).toBeVisible();
  await expect(page.getByTestId('portfolio-set')).toHaveCount(0);
});

test('RULE-195 ranges of own rules are searched with the slots, and a set of values runs', async ({ page }) => {
  await signUp(page, 'account');
  const rules =
    'fast = 14 [6..20 step 2]\nlong when rsi(fast) < 40\nshort when rsi(fast) > 60\nstop 2 * atr(14); target 3R';
  const headers = { origin: new URL(page.url()).origin };
  const saved = await page.request.post('/api/strategies', {
    headers,
    data: { name: 'Ranged', rules, interval: '1h' },
  });
  expect(saved.status(), await saved.text()).toBeLessThan(300);
  await openTab(page, 'Backtest');
  await page.getByRole('tab', { name: 'Portfolio' }).click();
  await page.getByText('Symbols', { exact: true }).last().click();
  await page.getByLabel('Names').fill('BTCUSDT, ETHUSDT, SOLUSDT');
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('Ranged');
  await choose(page, 'Run or search', 'Search sets');
  await field(page, 'Sets').fill('20');
  await expect(page.getByTestId('text-ranges')).toHaveText('From the text: fast 6 to 20 step 2');
  await page.getByRole('checkbox', { name: 'Open positions' }).uncheck();
  const sent = await search(page);
  expect(sent.ranges).toEqual({});
  await expect(page.getByTestId('search-luck')).toContainText('Luck ceiling');
  await result(page).locator('button[aria-label^="Use set "]:enabled').first().click();
  await expectMessage(page, 'Set applied. Run it for every figure.');
  await expect(page.getByTestId('portfolio-set')).toContainText(/^From a search: fast (6|8|10|12|14|16|18|20)/);
  const sending = page.waitForRequest(isRun);
  await page.getByRole('button', { name: 'Run portfolio' }).click();
  const run = (await sending).postDataJSON() as { set: { values: object } };
  expect(Object.keys(run.set.values)).toEqual(['fast']);
  await expect(runResult(page)).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByText('Showing the last run.')).toHaveCount(0);
});

test('RULE-092 shows progress, stops, and says why a search failed', async ({ page, context }) => {
  await openSearch(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/backtest/portfolio/search', async (route) => {
    await held;
    await route.abort().catch(() => undefined);
  });
  const start = page.getByRole('button', { name: 'Search 40 sets' });
  // The lab's own run may load, too.
  const form = page.getByRole('form', { name: 'Portfolio' });
  await start.click();
  await expect(form.getByText('Loading candles…')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Searching…' })).toBeDisabled();
  await form.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(start).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await page.unroute('**/api/backtest/portfolio/search');

  // The progress arrives beside the response.
  let show = (): void => undefined;
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  await page.route('**/api/backtest/portfolio/search', async (route) => {
    const response = await route.fetch();
    await shown;
    await route.fulfill({ response });
  });
  await start.click();
  await expect(form.getByRole('progressbar', { name: 'Sets searched' })).toBeVisible();
  await expect(form.getByText('40 of 40 sets')).toBeVisible();
  show();
  await expect(result(page)).toHaveAttribute('data-status', 'fresh');
  await page.unroute('**/api/backtest/portfolio/search');

  await context.setOffline(true);
  await start.click();
  await expect(page.getByRole('alert')).toContainText('No response from the server');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(result(page)).toHaveAttribute('data-status', 'fresh');
});

test('RULE-092 RULE-093 a search and compared accounts are accessible at both widths and in both themes', async ({
  page,
}, info) => {
  await openSearch(page);
  await search(page);
  const shoot = async (name: string) => {
    for (const theme of ['dark', 'light'] as const) {
      await page.evaluate((each) => document.documentElement.setAttribute('data-theme', each), theme);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 2400 });
        await page.screenshot({ path: info.outputPath(`${name}-${theme}-${width}.png`), fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await shoot('search');
  await expectAccessibleAtBothWidths(page, 'portfolio search');

  // Two accounts that differ in one limit, beside the run of one symbol.
  await choose(page, 'Run or search', 'One run');
  const add = async (count: number) => {
    const responding = page.waitForResponse((response) => isRun(response.request()));
    await page.getByRole('button', { name: 'Run portfolio' }).click();
    expect((await responding).status()).toBe(200);
    await expect(runResult(page)).toHaveAttribute('data-status', 'fresh');
    await runResult(page).getByRole('button', { name: 'Compare' }).click();
    await expect(comparison(page)).toContainText(`${count} of 4 runs`);
  };
  await add(1);
  await page.getByLabel('Open positions').fill('1');
  await add(2);
  const row = (name: RegExp) => comparison(page).getByRole('row', { name });
  await expect(row(/^Open positions/)).toHaveAttribute('data-different', 'true');
  await expect(row(/^Daily loss limit/)).toHaveAttribute('data-different', 'false');
  await expect(comparison(page).locator('polyline')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Results & Analytics', exact: true }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await page.getByTestId('run').getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(comparison(page)).toContainText('3 of 4 runs');
  await expect(comparison(page)).toContainText('compare rates, not totals');
  await expect(comparison(page).locator('polyline')).toHaveCount(3);
  await comparison(page).getByRole('button', { name: 'Rename 3 symbols 1h, Rules', exact: true }).click();
  const name = comparison(page).getByLabel('New name of 3 symbols 1h, Rules', { exact: true });
  await name.fill('Five slots');
  await name.press('Enter');
  await comparison(page).scrollIntoViewIfNeeded();
  await shoot('comparison');
  await page.reload();
  await expect(comparison(page)).toContainText('3 of 4 runs');
  await expect(comparison(page).getByRole('columnheader', { name: /^Five slots/ })).toBeVisible();
  await comparison(page).getByRole('button', { name: 'Remove Five slots from the comparison' }).click();
  await expect(comparison(page)).toContainText('2 of 4 runs');
});
