// Long because a strategy is followed from a signal through the lab, the search and the scanner, each with the same helpers.
import { expect, type Page, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessible, expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { dropFile } from './support/files.ts';
import { expectMessage } from './support/messages.ts';
import { createAccount, openTab, signUp } from './support/users.ts';
import { openAllResults } from './support/results.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const figure = (page: Page) => page.getByTestId('net-pnl');
const rules = (page: Page) => page.getByTestId('live-rules');
const honesty = (page: Page) => page.getByRole('region', { name: 'Honesty' });
const hashOf = (page: Page) => page.getByTestId('browser-result').getAttribute('data-hash');

/** The response to the next save of the screen. */
const saved = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );

async function saveAs(page: Page, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByLabel('Name of the rules').fill(name);
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expectMessage(page, `Saved as ${name}`);
}

/** Live rules on the market that is chosen. */
async function runLive(page: Page): Promise<void> {
  await choose(page, 'Strategy', 'Live rules');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(rules(page)).toBeVisible();
}

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();
}

test('a signal is backtested with the rules that made it and judged, an exit is changed, a search is applied and saved as rules, they are scanned with, and all is there after a reload', async ({
  page,
  baseURL,
}) => {
  await createAccount(page);
  // Of 4h alone: a candle of 15m may close between the runs that are compared.
  const response = await page.request.put('/api/preferences', {
    data: { interval_opts: { '15m': false, '1h': false, '4h': true } },
    headers: { origin: baseURL ?? '' },
  });
  expect(response.status()).toBe(200);
  await page.goto('/?tab=signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await openAllResults(page);
  const grid = page.getByRole('grid', { name: 'Scan results' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const drawer = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  const [symbol = '', interval = ''] = (await drawer.getByRole('heading').first().innerText()).split(' ');
  await drawer.getByRole('button', { name: 'Backtest this signal' }).click();

  await expect(figure(page)).toHaveText(/\d/);
  await expect(page.getByText(`${symbol}, ${interval}, Live rules`)).toBeVisible();
  await expect(rules(page)).toContainText('2 ATR, 4 ATR');
  await expect(rules(page)).toContainText(/1\.00\s% of the balance at the stop/);
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await expect(page.getByTestId('honesty-trials')).toHaveText('1 set tested on these candles');
  await expectAccessible(page, 'a run of Live rules');

  // A changed exit runs at once, and counts as one more set.
  await tabNamed(page, 'Strategy Parameters').click();
  await expect(page.getByTestId('detectable')).toContainText(/^You have tested 1 setting here\. Use fresh dates\./);
  const before = await figure(page).innerText();
  await choose(page, 'Opposite signal', 'Reverse');
  await page.getByLabel('Longest hold, candles, exact value').fill('12');
  await page.keyboard.press('Enter');
  await expect(rules(page)).toContainText('reverses a position');
  await expect(rules(page)).toContainText('at most 12 candles');
  await expect(figure(page)).not.toHaveText(before);
  await expect(page.getByTestId('honesty-trials')).toContainText(/of them earlier/);

  // A search over Classic on the same candles counts the rules among its earlier sets.
  await tabNamed(page, 'Backtest Setup').click();
  await choose(page, 'Strategy', 'Classic');
  await tabNamed(page, 'Optimization').click();
  await expect(page.getByText(/^Varies 13 vote weights/)).toBeVisible();
  await expect(rules(page)).toHaveCount(0);
  // The best signal may be of a young coin with too few candles before the scored ones.
  await choose(page, 'Search window', 'Scored candles');
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(page.getByText('The best parameters are active.')).toBeVisible();
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await saveAs(page, 'Save the best set as my rules', 'Found');

  // Scans trade the saved rules, after a reload too.
  await openTab(page, 'Signals');
  await tabNamed(page, 'Signal Scanner').click();
  const traded = page.getByLabel('Scans and Auto trade');
  await traded.selectOption('Found');
  await expectMessage(page, 'Scans and Auto trade Found');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByText(/^Found, [0-9a-f]{8}$/).first()).toBeVisible();
  await expectAccessible(page, 'a scan by saved rules');
  // By now the minutes that settle exits of the applied set are loaded: they may change its result once more.
  await openTab(page, 'Backtest');
  await expect(page.getByText(/^Loading 1-minute data of/)).toHaveCount(0);
  const result = await figure(page).innerText();
  await openTab(page, 'Signals');
  await page.reload();
  await expect(traded.locator('option:checked')).toHaveText('Found');

  // In the lab the applied set is restored; as rules it gives the same result.
  await openTab(page, 'Backtest');
  await expectMessage(page, 'Backtest restored');
  await expect(figure(page)).toHaveText(result);
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await tabNamed(page, 'Backtest Setup').click();
  await page.getByRole('button', { name: 'Open Found' }).click();
  await expect(page.getByText(`${symbol}, ${interval}, Found`)).toBeVisible();
  await expect(figure(page)).toHaveText(result);
  await expect(rules(page)).toContainText(`${interval} alone`);
});

test('a run of rules is judged, tried on other markets, repeated by the server and restored on its window after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  const stored = saved(page);
  await runLive(page);
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await stored;
  await honesty(page)
    .getByRole('button', { name: /^All \d+ figures$/ })
    .click();
  await expect(page.getByText(/^Run a search to see unseen candles, overfitting/)).toBeVisible();
  const figures = page.getByLabel('All honesty figures');
  const judged = await figures.locator('dt, dd').allInnerTexts();
  expect(judged.join(' ')).toContain('Random entries');
  await page.getByRole('button', { name: 'Try 200 generated markets' }).click();
  await expect(page.getByTestId('made-markets')).toContainText(/n = 200 generated markets/);
  await verify(page);
  await expectAccessibleAtBothWidths(page, 'a judged run of rules');

  // The saved window is requested, whatever candles have closed since.
  const hash = await hashOf(page);
  const facts = await page.getByText(/loaded, 500 scored/).innerText();
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/klines'))
      requested.push(new URL(request.url()).searchParams.get('endTime') ?? 'now');
  });
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash ?? '');
  expect(requested.length).toBeGreaterThan(1);
  expect(requested).not.toContain('now');
  const windowOf = (text: string): string => text.split(' · ').slice(0, 2).join();
  expect(windowOf(await page.getByText(/loaded, 500 scored/).innerText())).toBe(windowOf(facts));
  await expect(page.getByText(/^Partly restored/)).toHaveCount(0);
  await expect(page.getByText('BTCUSDT, 1h, Live rules')).toBeVisible();
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await honesty(page)
    .getByRole('button', { name: /^All \d+ figures$/ })
    .click();
  expect(await figures.locator('dt, dd').allInnerTexts()).toEqual(judged);

  // Clear works for rules too.
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h', exact: true })).toBeVisible();
});

test('a run of rules is shared, exported, saved under a name, compared with Classic and opened again', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(figure(page)).toHaveText(/\d/);
  const keep = async (name: string): Promise<void> => {
    await page.getByLabel('Name of the run').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('checkbox', { name: `Compare ${name}` })).toBeVisible();
  };
  await keep('by Classic');
  await runLive(page);
  await tabNamed(page, 'Strategy Parameters').click();
  await choose(page, 'Opposite signal', 'Exit');
  await expect(rules(page)).toContainText('ends a position');
  await keep('by rules');
  const net = await figure(page).innerText();
  const hash = await hashOf(page);

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const file = JSON.parse(await readFile(await (await waiting).path(), 'utf8')) as {
    strategy: { onOpposite: string };
    hashes: { result: string };
  };
  expect([file.strategy.onOpposite, file.hashes.result]).toEqual(['exit', hash]);

  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, /^Link copied with rules/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  const verdict = stranger.getByTestId('shared-verdict');
  await expect(verdict).toHaveText(/^Verified: server and browser got the same result/);
  await expect(figure(stranger)).toHaveText(net);
  await expect(stranger.getByText('ends a position')).toBeVisible();
  const [head, data = ''] = link.split('#share=');
  const changed = JSON.parse(Buffer.from(data, 'base64url').toString()) as {
    body: { strategy: { breakEvenR: number } };
  };
  changed.body.strategy.breakEvenR = 0.5;
  await stranger.goto(`${head}#share=${Buffer.from(JSON.stringify(changed)).toString('base64url')}`);
  await expect(verdict).toContainText('Do not rely on this link: the parameters, costs or scored window differ');
  await stranger.context().close();

  for (const name of ['by Classic', 'by rules']) await page.getByRole('checkbox', { name: `Compare ${name}` }).check();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByRole('row', { name: /^Opposite signal/ })).toContainText('is skippedends a position');
  await tabNamed(page, 'Backtest Setup').click();
  await choose(page, 'Strategy', 'Classic');
  await expect(rules(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Open by rules' }).click();
  await expectMessage(page, 'Backtest restored');
  await expect(rules(page)).toContainText('ends a position');
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash ?? '');
});

test('rules run on the rows of a file, are repeated by the server on them, and are back after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await choose(page, 'Strategy', 'Live rules');
  await page.getByText('Own CSV file').click();
  const stored = saved(page);
  await dropFile(page, 'sample-1h.csv', sampleCsv(7, 1200));
  await expect(rules(page)).toContainText('1h alone');
  await verify(page);
  await stored;
  const hash = await hashOf(page);
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash ?? '');
  await expect(page.getByText('sample-1h.csv, 1h, Live rules')).toBeVisible();
  // A link would need the rows.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, 'Runs on your own file stay in this browser.');
});

test('the votes of rules have weights of either sign that run at once on the page, and go back', async ({ page }) => {
  await page.addInitScript(() => {
    // How often a run of rules went to a worker.
    const counted = { count: 0 };
    const withoutColumns = (_: string, value: unknown) => (ArrayBuffer.isView(value) ? 0 : value);
    class CountedWorker extends Worker {
      override postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions): void {
        if (JSON.stringify(message, withoutColumns).includes('"backtestStrategy"')) counted.count += 1;
        super.postMessage(message, options as StructuredSerializeOptions);
      }
    }
    Object.assign(window, { rulesSent: counted, Worker: CountedWorker });
  });
  const sent = () => page.evaluate(() => (window as unknown as { rulesSent: { count: number } }).rulesSent.count);
  await signUp(page, 'backtest');
  await runLive(page);
  const hash = (await hashOf(page)) ?? '';
  await tabNamed(page, 'Strategy Parameters').click();
  const summary = page.getByText('Vote weights, 17 of 18 in use');
  await summary.click();
  const rsi = page.getByLabel('RSI weight, exact value', { exact: true });
  await expect(rsi).toHaveValue('1.5');
  // The votes of these candles move to the page's thread once it is idle; from then on no run uses a worker.
  let value = 0;
  await expect(async () => {
    const before = await sent();
    const earlier = (await hashOf(page)) ?? '';
    value = value === 0.5 ? 0.6 : 0.5;
    await rsi.fill(String(value));
    await expect(page.getByText('BTCUSDT, 1h, Live rules, changed')).toBeVisible();
    // Waits for its result: before that nothing may have been sent yet, wherever it runs.
    await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', earlier);
    expect(await sent()).toBe(before);
  }).toPass();
  const before = await sent();
  expect(before).toBeGreaterThan(0);
  // Each change gives other scores; whether it gives other trades depends on the candles.
  const lowered = (await hashOf(page)) ?? '';
  await rsi.fill('-1.25');
  await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', lowered);
  const negative = (await hashOf(page)) ?? '';
  await page.getByLabel('MACD weight', { exact: true }).fill('0');
  await expect(page.getByText('Vote weights, 16 of 18 in use')).toBeVisible();
  await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', negative);
  expect(await sent()).toBe(before);
  await verify(page);
  await expect(page.getByText('Scanner votes with your own weights.')).toBeVisible();

  await page.getByRole('button', { name: 'Reset weights' }).click();
  await expect(page.getByText('BTCUSDT, 1h, Live rules', { exact: true })).toBeVisible();
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', hash);
  await expect(summary).toBeVisible();
});

test('the votes of rules have parameters: one is changed, gives another result, is saved with the rules and opened again', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await runLive(page);
  const plain = await hashOf(page);
  await tabNamed(page, 'Strategy Parameters').click();
  await page.getByText('Vote weights, 17 of 18 in use').click();
  await page.getByText('RSI parameters: 14, 30/70').click();
  const period = page.getByLabel('RSI Period', { exact: true });
  await expect(period).toHaveValue('14');
  await period.fill('5');
  await expect(page.getByText('BTCUSDT, 1h, Live rules, changed')).toBeVisible();
  await expect(page.getByText('Scanner votes with your own parameters.')).toBeVisible();
  await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', plain ?? '');
  // Values beyond the registry and the other level are rejected, with a message at the field.
  await period.fill('500');
  await expect(page.getByText('1 to 200', { exact: true })).toBeVisible();
  await period.fill('5');
  await page.getByLabel('RSI Oversold below', { exact: true }).fill('90');
  await expect(page.getByText('0 to 69', { exact: true })).toBeVisible();
  await page.getByLabel('RSI Oversold below', { exact: true }).fill('40');
  await expect(page.getByText('RSI parameters: 5, 40/70')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'the parameters of a vote');
  // An unfolded section stays open when the window was narrow in between.
  await expect(page.getByLabel('RSI Oversold below', { exact: true })).toHaveValue('40');
  await expect(rules(page)).toContainText('RSI 5, 40/70');
  await verify(page);
  const retuned = await hashOf(page);
  await saveAs(page, 'Save as my rules', 'Quick RSI');

  await page.getByRole('button', { name: 'Defaults of RSI' }).click();
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', plain ?? '');
  await expect(page.getByText('BTCUSDT, 1h, Live rules', { exact: true })).toBeVisible();
  await tabNamed(page, 'Backtest Setup').click();
  await page.getByRole('button', { name: 'Open Quick RSI' }).click();
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', retuned ?? '');
  await expect(rules(page)).toContainText('RSI 5, 40/70');
});

test('the rules of automatic trading open the lab', async ({ page }) => {
  await signUp(page, 'auto');
  await page.getByRole('button', { name: 'Backtest my Auto rules' }).click();
  await expect(figure(page)).toHaveText(/\d/);
  await expect(rules(page)).toContainText('15m, with 1h and 4h at half weight');
});
