import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { movePrice } from './support/prices.ts';

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const results = (page: Page) => page.getByRole('grid', { name: 'Arbitrage results' });
const scanButton = (page: Page) => page.getByRole('button', { name: 'Scan exchanges (1 credit)' });

interface LastScan {
  scanId: string;
  items: { symbol: string; spreadPct: number; badge: string; bestBuy: string; bestSell: string; prices: object }[];
  scan: { results: { riskLevel: string; averageSpreadPct: number } };
}
const lastScan = async (page: Page): Promise<LastScan> =>
  (await (await page.request.get('/api/arbitrage/last')).json()) as LastScan;

/** Raises one exchange above the others, and waits until every older quote is too old for a scan (1.5 s). */
async function raiseOnOkx(page: Page, symbol: string): Promise<void> {
  await movePrice(page, symbol, 1.01, 'okx');
  await page.waitForTimeout(1600);
}

/** Every traded symbol and a minimum spread of 0: the scan always finds something. */
async function openScanner(page: Page): Promise<void> {
  await openTab(page, 'Arbitrage');
  await tabNamed(page, 'Scanner').click();
  await page.getByLabel('Minimum spread').fill('0');
  await expect(page.getByRole('button', { name: /^All traded \(1\d\d\)$/ })).toBeEnabled();
}

async function scan(page: Page): Promise<void> {
  await openScanner(page);
  await scanButton(page).click();
  await expect(results(page)).toBeVisible();
}

/** Records every value of the scan's progress bar inside the page: a scan is faster than the test's polling. */
const recordProgress = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seenProgress: seen });
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Scan progress"]');
      if (bar !== null) seen.push(bar.value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
const seenProgress = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { seenProgress: number[] }).seenProgress);

test('ARB-001 ARB-002 ARB-003 ARB-004 ARB-006 ARB-008 ARB-010 ARB-011 ARB-012 ARB-013 ARB-014 ARB-015 ARB-016 ARB-017 ARB-018 CONST-027 X47 a scan shows its work, opens its results, and a pair is computed at any size', async ({
  page,
}) => {
  await signUp(page, 'arb');
  // One exchange is 1 % above the others: selling there is profitable.
  await raiseOnOkx(page, 'ZILUSDT');
  await openScanner(page);
  for (const name of ['Scanner', 'Results', 'Analytics']) await expect(tabNamed(page, name)).toBeVisible();
  await expect(page.getByText('No scan yet.')).toBeVisible();
  for (const [name, fee] of [
    ['Binance', '0.05'],
    ['Bybit', '0.055'],
    ['OKX', '0.05'],
  ] as const)
    await expect(page.getByLabel(`Taker fee of ${name}, percent`)).toHaveValue(fee);
  await page.getByRole('button', { name: 'Clear' }).click();
  await scanButton(page).click();
  await expectMessage(page, 'Please enter at least one symbol');
  await page.getByRole('textbox', { name: 'Symbols' }).fill('zilusdt, btcusdt');
  await page.getByRole('textbox', { name: 'Symbols' }).blur();
  await expect(page.getByRole('textbox', { name: 'Symbols' })).toHaveValue('ZILUSDT, BTCUSDT');
  await page.getByRole('button', { name: /^All traded/ }).click();

  await page.route('**/api/arbitrage-scan', async (route) => {
    await expect(page.getByRole('button', { name: 'Scanning...' })).toBeDisabled();
    const sent = route.request().postDataJSON() as { symbols: string[] };
    expect(sent).toMatchObject({ minSpreadPct: 0, exchanges: ['binance', 'bybit', 'okx'], maxCount: 100 });
    expect(sent.symbols).toContain('ZILUSDT');
    expect(route.request().headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    await route.continue();
  });
  await recordProgress(page);
  await scanButton(page).click();
  await expect(tabNamed(page, 'Results')).toHaveAttribute('aria-selected', 'true');
  await expectMessage(page, '1 credit consumed for arbitrage scan');
  await expect(page.getByRole('button', { name: '9 credits' })).toBeVisible();
  const progress = await seenProgress(page);
  expect(progress.at(-1)).toBe(100);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.filter((pct) => pct > 90 && pct < 100)).toEqual([]);

  const last = await lastScan(page);
  expect(last.scanId).toMatch(/^[0-9a-f-]{36}$/);
  expect(last.items.length).toBeLessThanOrEqual(100);
  await expect(page.getByText(`Pairs (${last.items.length})`)).toBeVisible();
  const average = last.scan.results.averageSpreadPct;
  const risk = average > 0.5 ? 'HIGH' : average > 0.2 ? 'MEDIUM' : 'LOW';
  await expect(page.getByText('Risk level').locator('..')).toContainText(risk);
  const zil = last.items.find(({ symbol }) => symbol === 'ZILUSDT');
  expect(zil).toMatchObject({ badge: 'high', bestSell: 'okx' });
  expect(Object.keys(zil?.prices ?? {})).toEqual(expect.arrayContaining(['okx']));

  await results(page).getByRole('columnheader', { name: 'Symbol' }).click();
  const symbols = await results(page).getByRole('row').locator('> :first-child').allInnerTexts();
  const named = symbols.filter((text) => text.endsWith('USDT'));
  expect(named).toEqual([...named].sort());
  await page.getByLabel('Symbol contains').fill('zil');
  const row = results(page).getByRole('row').nth(1);
  await expect(row).toContainText('ZILUSDT');
  await expect(row).toContainText('high');
  // Gross: 1,000 USDT times the spread.
  await expect(row).toContainText(((1000 * (zil?.spreadPct ?? 0)) / 100).toFixed(2));
  await choose(page, 'Spread badge', 'low');
  await expect(page.getByText('No pairs match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Symbol contains').fill('ZIL');
  await expect(row).toContainText('ZILUSDT');

  await row.click();
  const drawer = page.getByRole('complementary', { name: 'ZILUSDT' });
  const net = drawer.getByTestId('net');
  await expect(net).toHaveText(/^\+\d/);
  await expect(drawer.getByTestId('verdict')).toContainText('This pays');
  await expect(drawer.getByRole('img', { name: /^Order books by size/ })).toBeVisible();
  await expect(drawer.getByRole('row', { name: /^Long/ })).toBeVisible();
  await expect(drawer.getByText(/Above 0\.02.% net/)).toBeVisible();
  // A larger size has another net; the largest uses up the books.
  const before = await net.innerText();
  await drawer.getByRole('slider', { name: 'Size of each leg' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(net).not.toHaveText(before);
  await drawer.getByRole('button', { name: /^Best size/ }).click();
  await drawer.getByLabel('Net spread alert, percent').fill('0.7');
  await drawer.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(drawer.getByRole('list', { name: 'Alert levels' })).toContainText('Net above 0.70');

  await page.reload();
  await expect(results(page)).toBeVisible();
  await tabNamed(page, 'Scanner').click();
  await expect(page.getByLabel('Minimum spread')).toHaveValue('0');
  const watched = page.getByRole('list', { name: 'Watched pairs' });
  await expect(watched).toContainText('ZILUSDT');
  await watched.getByRole('button', { name: /^Stop watching ZILUSDT/ }).click();
  await expect(watched).toHaveCount(0);
});

test('ARB-007 ARB-009 ARB-019 ARB-020 ARB-021 ARB-022 ERR-023 X11 X13 X14 a scan that finds nothing or fails says so and costs nothing', async ({
  page,
}) => {
  await signUp(page, 'arb');
  await openScanner(page);
  for (const [field, typed, stored] of [
    ['Notional', '-5', '0'],
    ['Minimum spread', '-1', '0'],
    ['Minimum spread', '100', '100'],
  ] as const) {
    await page.getByLabel(field).fill(typed);
    await page.getByLabel(field).blur();
    await expect(page.getByLabel(field)).toHaveValue(stored);
  }
  await scanButton(page).click();
  await expectMessage(page, 'No arbitrage opportunities found with current settings');
  await expect(page.getByText(/no credit spent/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/no credit spent/)).toBeVisible();
  await expect(tabNamed(page, 'Scanner')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: '10 credits' })).toBeVisible();

  await page.route('**/api/arbitrage-scan', (route) => route.abort(), { times: 1 });
  await scanButton(page).click();
  await expectMessage(page, 'Arbitrage scan failed');
  await expect(page.getByRole('alert')).toHaveText(/Arbitrage scan failed\. No response from the server\./);
  for (const [status, code, text] of [
    [402, 'insufficient_credits', 'No credits available'],
    [503, 'charge_failed', 'Failed to consume credit'],
  ] as const) {
    const problem = { code, message: text, status, title: 'No' };
    const response = { status, contentType: 'application/problem+json', json: problem };
    await page.route('**/api/arbitrage-scan', (route) => route.fulfill(response), { times: 1 });
    await scanButton(page).click();
    await expectMessage(page, text);
  }
  const known = (await (await page.request.get('/api/credits')).json()) as object;
  // Credits are whole: a balance below one does not pay a scan.
  let balance = 1;
  await page.route('**/api/credits', (route) => route.fulfill({ json: { ...known, balance } }));
  await page.reload();
  await expect(page.getByRole('button', { name: '1 credit', exact: true })).toBeVisible();
  await expect(scanButton(page)).toBeEnabled();
  balance = 0;
  await page.reload();
  await expect(page.getByRole('button', { name: 'No credits available' })).toBeDisabled();
  await page.getByRole('button', { name: 'Add Credits' }).click();
  await expect(tabNamed(page, 'Scanner')).toHaveCount(0);
});

test('ARB-005 ARB-021 X48 auto-refresh scans every 30 s while there are results, says what it costs, and stops without credits', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'arb');
  await scan(page);
  const response = await lastScan(page);
  let scans = 0;
  let credits = 9;
  const known = (await (await page.request.get('/api/credits')).json()) as object;
  await page.route('**/api/credits', (route) => route.fulfill({ json: { ...known, balance: credits } }));
  await page.route('**/api/arbitrage-scan', (route) => {
    scans++;
    const { scanId, items, scan: last } = response;
    const message = '1 credit consumed for arbitrage scan';
    return route.fulfill({ json: { scanId, items, scan: last, charged: true, credits, message } });
  });
  await tabNamed(page, 'Scanner').click();
  await expect(page.getByText('up to 120 credits per hour')).toBeVisible();
  await page.getByRole('switch', { name: 'Auto-refresh' }).click();
  for (const count of [1, 2]) {
    await page.clock.runFor(31_000);
    await expect.poll(() => scans).toBe(count);
    // A turn during a running scan is skipped.
    await expect(scanButton(page)).toBeEnabled();
  }
  await page.getByRole('switch', { name: 'Auto-refresh' }).click();
  await page.clock.runFor(65_000);
  expect(scans).toBe(2);
  await page.getByRole('switch', { name: 'Auto-refresh' }).click();
  credits = 0;
  await page.clock.runFor(31_000);
  await expect(page.getByRole('button', { name: 'No credits available' })).toBeDisabled();
  await page.clock.runFor(31_000);
  await expectMessage(page, 'No credits available');
  await expect(page.getByRole('switch', { name: 'Auto-refresh' })).not.toBeChecked();
});

const share = { of: 40, count: 30, share: 0.75, low: 0.6, high: 0.86 };
const left = { mean: 0.05, low: 0.02, high: 0.08 };
const figures = {
  episodes: 42,
  cutShort: 2,
  medianLifetimeS: 6,
  medianLifetimeLowS: 4,
  medianLifetimeHighS: 9,
  captured: { s1: share, s5: share, s30: { ...share, count: 4, share: 0.1, low: 0.04, high: 0.23 } },
  leftPct: { s1: left, s5: left, s30: { mean: -0.01, low: null, high: null } },
};

test('ARB-001 analytics says what is missing, shows rates with counts and intervals, and every page is accessible', async ({
  page,
}) => {
  await signUp(page, 'arb');
  await scan(page);
  const measured = (await (await page.request.get('/api/arbitrage/persistence')).json()) as object;
  await page.route('**/api/arbitrage/history**', (route) => {
    const fromMs = Date.now() - 6 * 3_600_000;
    const points = Array.from({ length: 360 }, (_, i) => ({
      atMs: fromMs + i * 60_000,
      grossPct: i % 50 === 0 ? null : 0.1 + 0.05 * Math.sin(i / 30),
    }));
    return route.fulfill({ json: { stepMs: 60_000, points, fromMs, toMs: fromMs + 360 * 60_000 } });
  });
  await tabNamed(page, 'Scanner').click();
  await expect(page.getByRole('heading', { name: 'Watched pairs' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'arbitrage scanner');
  await tabNamed(page, 'Results').click();
  await results(page).getByRole('row').nth(1).click();
  await expect(page.getByTestId('net')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Gross spread in each of the last/ })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'arbitrage results');
  await page.getByRole('button', { name: 'Close details' }).click();
  await tabNamed(page, 'Analytics').click();
  await expect(page.getByText('Funding differences').first()).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'arbitrage analytics');
  await page.route('**/api/arbitrage/persistence**', (route) =>
    route.fulfill({
      json: {
        ...measured,
        verdict: 'edge',
        missing: null,
        sampledSeconds: 7200,
        sinceMs: Date.now() - 7_200_000,
        overall: figures,
        bySymbol: [{ symbol: 'ZILUSDT', ...figures }],
        byPair: [{ buy: 'binance', sell: 'okx', ...figures }],
        byHour: [{ hour: 13, ...figures }],
      },
    }),
  );
  await page.reload();
  await expect(page.getByText('Spreads above costs can be reached')).toBeVisible();
  await expect(page.getByText('75 % of 40 (60 to 86 %)').first()).toBeVisible();
  await expect(page.getByText('10 % of 40 (4 to 23 %)').first()).toBeVisible();
  await expect(page.getByText('4 s to 9 s, 95 % interval')).toBeVisible();
  await page.getByText('Exchanges', { exact: true }).click();
  await expect(page.getByRole('row', { name: /^Binance to OKX 42/ })).toBeVisible();
  await page.getByText('Hour, UTC', { exact: true }).click();
  await expect(page.getByRole('row', { name: /^13:00 42/ })).toBeVisible();
  await expectAccessible(page, 'arbitrage analytics with measurements');
});

test('ARB-002 ARB-014 ARB-020 a hung exchange is named while the others are compared, and without a network the pair is still computed', async ({
  page,
  context,
}) => {
  await signUp(page);
  const control = `http://127.0.0.1:${process.env.E2E_EXCHANGES_PORT ?? ''}/__control`;
  // With its streams cut, Bybit is polled for prices, and does not respond.
  await page.request.post(`${control}/stream-faults`, { data: { fault: 'drop', venue: 'bybit' } });
  await page.request.post(`${control}/faults`, { data: { fault: 'hang', venue: 'bybit', endpoint: 'price' } });
  try {
    await expect(async () => {
      await scan(page);
      await expect(page.getByText(/^Bybit was not compared\./)).toBeVisible({ timeout: 2000 });
    }).toPass();
    const { items } = await lastScan(page);
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ bestBuy, bestSell }) => [bestBuy, bestSell].includes('bybit'))).toEqual([]);
  } finally {
    for (const path of ['faults', 'stream-faults']) await page.request.delete(`${control}/${path}`);
  }

  const { balance } = (await (await page.request.get('/api/credits')).json()) as { balance: number };
  const shows = (credits: number) => expect(page.getByRole('button', { name: `${credits} credits` })).toBeVisible();
  await shows(balance);
  // The file of the history chart fails to load: the rest of the pair is shown anyway.
  const points = [1, 2, 3].map((at) => ({ atMs: at * 60_000, grossPct: at / 10 }));
  const json = { stepMs: 60_000, points, fromMs: 0, toMs: 240_000 };
  await page.route('**/api/arbitrage/history?*', (route) => route.fulfill({ json }));
  await page.route(/\/assets\/LinePlot-/, (route) => route.abort());
  await results(page).getByRole('row').nth(1).click();
  const net = page.getByTestId('net');
  await expect(net).toHaveText(/\d/);
  await context.setOffline(true);
  await expect(page.getByText('This part of the page did not load: you are offline.')).toBeVisible();
  const before = await net.innerText();
  const slider = page.getByRole('slider', { name: 'Size of each leg' });
  await slider.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(net).not.toHaveText(before);
  await tabNamed(page, 'Scanner').click();
  await scanButton(page).click();
  await expectMessage(page, 'Arbitrage scan failed');
  await expect(page.getByText(/^Arbitrage scan failed\. No response from the server\./)).toBeVisible();
  await shows(balance);
  await context.setOffline(false);
  await scanButton(page).click();
  await shows(balance - 1);
});
