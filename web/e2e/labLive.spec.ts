import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';

const netPnl = (page: Page): Locator => page.getByTestId('net-pnl');
const run = (page: Page): Locator => page.getByTestId('run');
const hashOf = async (page: Page): Promise<string> =>
  (await page.getByTestId('browser-result').getAttribute('data-hash')) ?? '';
const inputPage = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const isStatePut = (response: { url: () => string; request: () => { method: () => string } }) =>
  response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT';

async function chooseSymbol(page: Page, symbol: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Symbol', exact: true }).fill(symbol.slice(0, 3));
  await page.getByRole('option', { name: symbol, exact: true }).click();
}

const expectFresh = (page: Page) => expect(run(page)).toHaveAttribute('data-status', 'fresh');

test('RULE-120 opening the tab runs the default on BTCUSDT 1h; on a slow network an outline says what it waits for; the last run comes back', async ({
  page,
}) => {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/api/klines**', async (route) => {
    await held;
    await route.continue();
  });
  let puts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/backtest/state') && request.method() === 'PUT') puts += 1;
  });
  await signUp(page, 'backtest');
  await expect(page.getByTestId('waits-for')).toHaveText('Loading candles of BTCUSDT 1h…');
  await expect(netPnl(page)).toHaveCount(0);
  release();
  await expect(netPnl(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  await expect(page.getByTestId('waits-for')).toHaveCount(0);
  await expectFresh(page);
  // A run that was not requested is not saved; the first change is.
  expect(puts).toBe(0);
  const saved = page.waitForResponse((response) => isStatePut(response) && response.ok());
  await inputPage(page, 'Strategy Parameters');
  await page.getByLabel('Stop loss, exact value').fill('1.3');
  await page.getByLabel('Stop loss, exact value').press('Enter');
  await saved;
  const hash = await hashOf(page);
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash);
});

test('RULE-120 the tab opened without a network shows the stored candles, or says what is missing', async ({
  page,
  context,
}) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  await openTab(page, 'Dashboard');
  await context.setOffline(true);
  // After Clear nothing is left to restore: the setup is run on the candles that are there.
  await openTab(page, 'Backtest');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: 'Run this setup' })).toBeVisible();
  await openTab(page, 'Dashboard');
  await openTab(page, 'Backtest');
  await expect(page.getByText('Offline: used the candles of your last connection', { exact: false })).toBeVisible();
  await expect(netPnl(page)).toBeVisible();
  await chooseSymbol(page, 'ETHUSDT');
  await expect(page.getByRole('alert').filter({ hasText: 'Backtest failed' })).toContainText(
    'this browser has no candles of ETHUSDT 1h. Check your connection',
  );
  await context.setOffline(false);
});

test('RULE-120 a phone opens the tab at the result', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, 'backtest');
  await expect(netPnl(page)).toBeVisible();
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await expect(page.getByText('500 candles', { exact: true })).toBeVisible();
});

/** Milliseconds from each input event of a slider to the frame that has painted the new figures. */
async function measureSlider(page: Page, name: string, values: readonly number[]): Promise<number[]> {
  return page.getByLabel(name, { exact: true }).evaluate(async (element, list) => {
    const slider = element as HTMLInputElement;
    const figure = () =>
      (document.querySelector('[data-testid="browser-result"]')?.getAttribute('data-hash') ?? '') +
      (document.querySelector('[aria-label="Result"]')?.textContent ?? '');
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const took: number[] = [];
    for (const value of list) {
      const before = figure();
      // The setter of the browser: React replaces that of the element.
      Reflect.set(HTMLInputElement.prototype, 'value', String(value), slider);
      const startMs = performance.now();
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      const untilMs = startMs + 5000;
      while (figure() === before && performance.now() < untilMs) await frame();
      // The callback runs before its frame is painted: a message posted in it runs after.
      await new Promise<void>((done) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done();
        requestAnimationFrame(() => channel.port2.postMessage(0));
      });
      if (figure() !== before) took.push(performance.now() - startMs);
      for (let rest = 0; rest < 6; rest++) await frame();
    }
    return took;
  }, values);
}

test('RULE-121 a slider, a symbol and an interval compute again at once, without a request where the candles are there, and nothing jumps', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  await expect(page.getByRole('region', { name: 'Honesty' })).toHaveAttribute('data-status', 'judged');
  await inputPage(page, 'Strategy Parameters');
  const values = Array.from({ length: 24 }, (_, at) => Number((1 + at * 0.1).toFixed(1)));
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable');
  const busyMs = async () => {
    const { metrics } = await tools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN);
  };
  const before = await busyMs();
  const took = (await measureSlider(page, 'Stop loss', values)).sort((a, b) => a - b);
  const ofThread = ((await busyMs()) - before) / took.length;
  expect(took.length).toBeGreaterThan(12);
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0).toFixed(1);
  // Printed, not asserted: the machine may be busy. The processor time is that of the page's thread, drawing included.
  process.stdout.write(
    `input to painted figures, 1,200 candles: least ${at(0)} ms, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, n = ${took.length}; ` +
      `processor time of the page's thread ${ofThread.toFixed(1)} ms a change\n`,
  );

  await inputPage(page, 'Backtest Setup');
  await choose(page, 'Interval', '4h');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 4h' })).toBeVisible();
  await expectFresh(page);
  const box = async () => page.locator('.chart-pane').first().boundingBox();
  const placed = await box();
  // Back to candles of a minute ago: no request, and the chart stays where it is.
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/klines')) requests.push(request.url());
  });
  await choose(page, 'Interval', '1h');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  await expectFresh(page);
  expect(requests.filter((url) => !url.includes('interval=1m'))).toEqual([]);
  expect(await box()).toEqual(placed);
  // Run stays, and loads again.
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect.poll(() => requests.length).toBeGreaterThan(0);
});

test('RULE-121 a superseded load is cancelled: the last choice is shown', async ({ page }) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  const aborted: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.url().includes('/api/klines')) aborted.push(request.url());
  });
  let isHeld = true;
  await page.route('**/api/klines**', async (route) => {
    if (isHeld && route.request().url().includes('interval=4h')) return;
    await route.continue();
  });
  await choose(page, 'Interval', '4h');
  await expect(
    page
      .getByRole('button', { name: 'Cancel' })
      .or(run(page).and(page.locator('[data-status=stale]')))
      .first(),
  ).toBeVisible();
  await choose(page, 'Interval', '15m');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 15m' })).toBeVisible();
  await expectFresh(page);
  expect(aborted.some((url) => url.includes('interval=4h'))).toBe(true);
  isHeld = false;
  await page.unroute('**/api/klines**');
});

test('RULE-094 the symbols of the heat map are searched names, the largest by turnover or the watch list, and are remembered', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  const openMap = () => page.getByRole('tab', { name: 'Heat map', exact: true }).click();
  await openMap();
  const names = page.getByLabel('Symbols', { exact: true });
  await names.fill('BTCUSDT');
  // A search by keyboard: the first match is added.
  const search = page.getByRole('combobox', { name: 'Add a symbol' });
  await search.fill('solus');
  await expect(page.getByRole('option', { name: 'SOLUSDT', exact: true })).toBeVisible();
  await search.press('Enter');
  await expect(names).toHaveValue('BTCUSDT, SOLUSDT');
  await expect(search).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Run 6 cells' })).toBeEnabled();

  await choose(page, 'Symbols of the map', 'Watch list');
  const chosen = page.getByTestId('map-symbols');
  await expect(chosen).toContainText(/^\d+ symbols: .*BTCUSDT/);
  await choose(page, 'Symbols of the map', 'Largest turnover');
  const count = page.getByRole('textbox', { name: 'How many' });
  await count.fill('3');
  await expect(chosen).toContainText(/^3 symbols: /);
  const largest = ((await chosen.textContent()) ?? '').replace('3 symbols: ', '').split(', ');
  await page.getByRole('checkbox', { name: '15m', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: '4h', exact: true }).uncheck();
  const start = page.getByRole('button', { name: 'Run 3 cells' });
  await start.click();
  for (const symbol of largest)
    await expect(page.getByRole('button', { name: new RegExp(`^Open ${symbol} 1h: `) })).toBeVisible();
  await expect(start).toBeEnabled();
  await expectAccessibleAtBothWidths(page, 'heat map of the largest');

  await page.reload();
  await openMap();
  await expect(chosen).toContainText(/^3 symbols: /);
  await expect(start).toBeEnabled();
  await choose(page, 'Symbols of the map', 'Names');
  await expect(names).toHaveValue('BTCUSDT, SOLUSDT');
});

test('RULE-124 the heat map runs the rules on symbols and intervals, counts its cells as one family, is cancelled, and opens a run', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  await page.getByRole('tab', { name: 'Heat map', exact: true }).click();
  const symbols = page.getByLabel('Symbols', { exact: true });
  await symbols.fill(Array.from({ length: 129 }, (_, n) => `S${n}USDT`).join(' '));
  await expect(page.getByText('129 symbols, at most 128')).toBeVisible();
  await symbols.fill('BTCUSDT, ETHUSDT, NOSUCHUSDT');
  await page.getByRole('checkbox', { name: '15m', exact: true }).uncheck();
  const start = page.getByRole('button', { name: 'Run 6 cells' });

  // Cancelled: what has run stays.
  await page.route('**/api/klines**ETHUSDT**', () => undefined);
  await start.click();
  const cell = (name: string) => page.getByRole('button', { name: new RegExp(`^Open ${name}: `) });
  await expect(cell('BTCUSDT 1h')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(start).toBeEnabled();
  await page.unroute('**/api/klines**ETHUSDT**');

  await start.click();
  await expect(cell('ETHUSDT 4h')).toBeVisible();
  await expect(start).toBeEnabled();
  await expect(page.getByTestId('heat-map-summary')).toHaveText(
    /^Gained in \d of 4 cells, median [+\u2212]?[\d,.]+ USDT\.$/,
  );
  await expect(page.getByTestId('heat-map-family')).toContainText('4 results on the same dates');
  // The unknown symbol says why it has no figure.
  await expect(page.getByRole('row', { name: /^NOSUCHUSDT/ })).toContainText(/unknown|not/i);
  const net = (await cell('ETHUSDT 4h').textContent()) ?? '';
  expect(net).toMatch(/^[+\u2212]?[\d,]+\.\d\d$/);

  await choose(page, 'Cells show', 'Drawdown');
  await expect(cell('ETHUSDT 4h')).toHaveText(/^[\d.]+.%$/);
  await choose(page, 'Cells show', 'Verdict');
  await expect(cell('ETHUSDT 4h')).toHaveText(/^(Holds up|Unclear|Luck|Too little data)$/);
  await expect(start).toBeEnabled();
  const verdict = (await cell('ETHUSDT 4h').textContent()) ?? '';
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessibleAtBothWidths(page, 'heat map');

  // The run of a cell, with the same verdict: it counts the other cells.
  await cell('ETHUSDT 4h').click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT, 4h' })).toBeVisible();
  await expectFresh(page);
  const honesty = page.getByRole('region', { name: 'Honesty' });
  await expect(honesty).toHaveAttribute('data-status', 'judged');
  await expect(page.getByTestId('honesty-trials')).toContainText('3 of them on 3 other markets over the same dates');
  expect(['Too little data', await page.getByTestId('honesty-level').textContent()]).toContain(verdict);

  // Other rules: the cells say that they are of earlier ones.
  await inputPage(page, 'Strategy Parameters');
  await page.getByLabel('Stop loss, exact value').fill('1.7');
  await page.getByLabel('Stop loss, exact value').press('Enter');
  await page.getByRole('tab', { name: 'Heat map', exact: true }).click();
  await expect(page.getByText('Rules, costs or dates changed since these cells. Run again.')).toBeVisible();
});

test('RULE-125 the map of a search starts with the medians of its cells, and a press applies the set of a cell', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  await inputPage(page, 'Optimization');
  await page.getByRole('button', { name: /^Optimize / }).click();
  await expect(page.getByTestId('search-facts')).toBeVisible();
  const map = page.getByRole('img', { name: /as colour/ });
  await expect(map).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByRole('radio', { name: 'Median', exact: true })).toBeChecked();
  const { width, height } = (await map.boundingBox())!;
  const words = page.getByText(/ sets\. Click to apply /);
  // Most cells have no set: the first one that has.
  let place = { x: 0, y: 0 };
  search: for (let y = height / 2; y < height - 40; y += 11)
    for (let x = 80; x < width - 20; x += 23) {
      place = { x, y };
      await map.hover({ position: place });
      if ((await words.count()) > 0) break search;
    }
  const said = (await words.textContent()) ?? '';
  expect(said).toMatch(/^Median .* of \d+ sets\. Click to apply (refined )?set \d/);
  const before = await hashOf(page);
  await map.click({ position: place });
  await inputPage(page, 'Strategy Parameters');
  const [, stop = ''] = /Stop loss ([\d.]+)/.exec(said) ?? [];
  await expect
    .poll(async () => Number(await page.getByLabel('Stop loss, exact value').inputValue()))
    .toBeCloseTo(Number(stop), 1);
  await expect.poll(() => hashOf(page)).not.toBe(before);
  await map.hover({ position: place });
  await choose(page, 'Cell shows', 'Worst');
  await map.hover({ position: { x: place.x + 1, y: place.y } });
  await expect(page.getByText(/^Worst .* of \d+ sets\. Click to apply /)).toBeVisible();
  await choose(page, 'Show', 'Every set');
  await expect(page.getByRole('radiogroup', { name: 'Cell shows' })).toHaveCount(0);
});

test('RULE-126 trade marks of 500 candles are drawn at 1440 and 390 px', async ({ page }) => {
  await signUp(page, 'backtest');
  await expectFresh(page);
  await expect(page.getByText('▲ long, ▼ short.', { exact: false })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Results & Analytics' }).click();
  await expect(page.locator('.chart-pane').first()).toBeVisible();
});
