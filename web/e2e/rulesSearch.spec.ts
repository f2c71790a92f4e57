import { expect, type Page, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const figure = (page: Page) => page.getByTestId('net-pnl');
const rules = (page: Page) => page.getByTestId('live-rules');
const honesty = (page: Page) => page.getByRole('region', { name: 'Honesty' });
const beside = (page: Page) => page.getByRole('region', { name: 'Best set beside yours', exact: true });
const cellOf = (page: Page, row: string, column: number) =>
  beside(page)
    .getByRole('row', { name: new RegExp(`^${row}`) })
    .getByRole('cell')
    .nth(column);

/** The response to the next save of the screen. */
const saved = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );

/** The response to the save of a run with this many trades; awaited from before the run, because it may be saved at once. */
const savedWith = (page: Page, trades: string) =>
  page.waitForResponse((response) => {
    const request = response.request();
    if (!response.url().endsWith('/api/backtest/state') || request.method() !== 'PUT' || !response.ok()) return false;
    const { metrics } = request.postDataJSON() as { metrics: { trades: number } };
    return metrics.trades === Number(trades);
  });

/** Live rules on the market of the setup. */
async function runLive(page: Page): Promise<void> {
  await choose(page, 'Strategy', 'Live rules');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(rules(page)).toBeVisible();
  await tabNamed(page, 'Optimization').click();
}

async function search(page: Page, samples: number): Promise<void> {
  await page.getByLabel('Samples', { exact: true }).fill(String(samples));
  await page.getByRole('button', { name: /^Optimize/ }).click();
  await expect(page.getByTestId('search-facts')).toContainText('sets a second');
}

test('a search over rules is judged, its best set applied, run, verified, saved as my rules, and there after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await runLive(page);
  await expect(
    page.getByText(/^Varies 18 vote weights, threshold, stop, target and trailing of Live rules\./),
  ).toBeVisible();
  const own = await figure(page).innerText();

  await search(page, 200);
  await expect(page.getByRole('heading', { name: /^Search, 400 sets by PnL/ })).toBeVisible();
  // The rules on the sliders stay active until a set is applied.
  await expect(figure(page)).toHaveText(own);
  await expect(beside(page).getByRole('status')).toHaveText('Your parameters are active.');
  await expect(cellOf(page, 'Net PnL', 2)).toHaveText(own);
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  // The run that opened the lab, and that of the rules before the search.
  await expect(page.getByTestId('honesty-trials')).toContainText(
    /40[12] sets tested on these candles, [12] of them earlier/,
  );
  await page.getByRole('button', { name: /^All \d+ figures/ }).click();
  const figures = page.getByLabel('All honesty figures');
  for (const name of ['Deflated Sharpe ratio', 'Probability of overfitting', 'Walk-forward efficiency'])
    await expect(figures.getByText(name, { exact: true })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'a search over rules');

  // The run of the applied set equals the row shown beside the own one.
  const unseen = await cellOf(page, 'Net PnL', 1).innerText();
  const trades = await cellOf(page, 'Trades', 1).innerText();
  const stored = savedWith(page, trades);
  await beside(page).getByRole('button', { name: 'Apply the best set' }).click();
  await expect(beside(page).getByRole('status')).toHaveText('The best parameters are active.');
  await expect(figure(page)).toHaveText(unseen);
  await expect(page.getByText(/, (Set #\d+|Refined set \d+) of a search$/).first()).toBeVisible();
  await expect(page.getByTestId('plain-words')).toContainText(`${trades} trades`);
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();

  await beside(page).getByRole('button', { name: 'Save the best set as my rules' }).click();
  await page.getByLabel('Name of the rules').fill('Found rules');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expectMessage(page, 'Saved as Found rules');
  await expect(page.getByText(/, Found rules$/).first()).toBeVisible();
  await stored;

  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(figure(page)).toHaveText(unseen);
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await expect(beside(page).getByRole('status')).toHaveText('The best parameters are active.');
  // Before the search there were Live rules with two and four average true ranges.
  await beside(page).getByRole('button', { name: 'Back to my set' }).click();
  await expect(figure(page)).toHaveText(own);
  await expect(rules(page)).toContainText('2 ATR, 4 ATR');
});

test('ranges of rules hold every set, a set opens from the table, and all of them are a file', async ({ page }) => {
  await signUp(page, 'backtest');
  await runLive(page);
  await page.getByRole('button', { name: /^Ranges/ }).click();
  const fill = async (name: string, value: string) => {
    await page.getByLabel(name, { exact: true }).fill(value);
    await page.keyboard.press('Tab');
  };
  await fill('Stop, ATR, least', '3');
  await fill('Weight of every vote, least', '-1');
  await fill('RSI, weight, least', '0');
  await fill('RSI, weight, most', '0');
  await expect(page.getByRole('button', { name: 'Ranges, 3 set' })).toBeVisible();
  await search(page, 100);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sets CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const [header = [], own = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  // Refined sets lie around the best, which may be the own one.
  const drawn = rows.filter((row) => row[header.indexOf('kind')] === 'sample');
  const column = (name: string): number[] => drawn.map((row) => Number(row[header.indexOf(name)]));
  expect(own[header.indexOf('stop (ATR)')]).toBe('2');
  // The own rules have a stop of 2 and an RSI that speaks.
  await expect(page.getByTestId('outside-ranges')).toHaveText(
    /^Outside your ranges: RSI [\d.]+, Stop 2\.0 ATR\. Refined sets may be outside too: move your set inside\./,
  );
  expect(rows).toHaveLength(199);
  expect(Math.min(...column('stop (ATR)'))).toBeGreaterThanOrEqual(3);
  expect(Math.max(...column('weight.rsi (-5 to 5)').map(Math.abs))).toBe(0);
  expect(Math.min(...column('weight.pivot (-5 to 5)'))).toBeLessThan(0);

  await tabNamed(page, 'Table').click();
  const trials = page.getByRole('grid', { name: 'Trials' });
  await expect(trials.getByRole('columnheader', { name: 'Trailing distance' })).toBeAttached();
  await trials.getByRole('row').nth(2).click();
  await expect(trials.getByRole('row', { selected: true })).toHaveCount(1);
  await expect(beside(page).getByRole('status')).toHaveText(/^(Other|The best) parameters are active/);
  await expect(rules(page)).toContainText(/ATR/);
  await beside(page).getByRole('button', { name: 'Back to my set' }).click();
  await expect(rules(page)).toContainText('2 ATR, 4 ATR');
  // Classic has separate ranges and searches.
  await tabNamed(page, 'Backtest Setup').click();
  await choose(page, 'Strategy', 'Classic');
  await tabNamed(page, 'Optimization').click();
  await expect(page.getByRole('button', { name: 'Ranges', exact: true })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Deep search' })).toBeVisible();
});

test('the number of sets the server accepts for a strategy on a history is shown before a search', async ({ page }) => {
  await signUp(page, 'backtest');
  await page.getByLabel('Candles loaded').fill('20000');
  await tabNamed(page, 'Optimization').click();
  await switchOn(page, 'Deep search');
  await choose(page, 'Run on', 'Server');
  const fill = async (samples: string) => {
    await page.getByLabel('Deep search samples').fill(samples);
    await page.keyboard.press('Tab');
  };
  const start = page.getByRole('button', { name: /^Start on the server/ });
  const limit = page.getByText(/^Server limit: [\d,]+ sets on 20,000 candles\./);
  await fill('100000');
  await expect(limit).toContainText('50,000 sets');
  await expect(start).toBeDisabled();
  await fill('50000');
  await expect(start).toBeEnabled();
  await expect(limit).toHaveCount(0);
  // A set of rules counts as six of Classic.
  await tabNamed(page, 'Backtest Setup').click();
  await choose(page, 'Strategy', 'Live rules');
  await tabNamed(page, 'Optimization').click();
  await expect(limit).toContainText('8,333 sets');
  await expect(start).toBeDisabled();
  await fill('8000');
  await expect(start).toBeEnabled();
});

const switchOn = async (page: Page, name: string): Promise<void> => {
  const result = page.getByRole('switch', { name, exact: true });
  if ((await result.getAttribute('aria-checked')) !== 'true') await result.click();
};
const facts = (page: Page) => page.getByTestId('search-facts');

interface SetsFile {
  hashes: { result: string };
  minutes: { candles: number };
  best: object;
  strategy: object;
  trials: (number | string | null)[][];
}

async function setsOf(page: Page): Promise<SetsFile> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sets JSON' }).click();
  return JSON.parse(await readFile(await (await waiting).path(), 'utf8')) as SetsFile;
}

test('a deep search over rules can be cancelled and started again, counts every stage, and is there after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await runLive(page);
  await switchOn(page, 'Deep search');
  await page.getByLabel('Deep search samples').fill('100000');
  await page.getByRole('button', { name: 'Optimize 100,000 sets' }).click();
  await expect(page.getByRole('progressbar', { name: 'Sets searched' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Optimize 100,000 sets' })).toBeEnabled();
  await expect(facts(page)).toHaveCount(0);

  await page.getByLabel('Deep search samples').fill('3000');
  await switchOn(page, 'Guided second half');
  await expect(page.getByTestId('trials-planned')).toContainText('6,000 trials in all');
  await page.getByRole('button', { name: 'Optimize 3,000 sets' }).click();
  await expect(facts(page)).toContainText('3,000 random, 3,000 refined');
  // Samples, refinement and CMA-ES, and the rules on the sliders that were run before.
  await expect(page.getByTestId('honesty-trials')).toContainText(
    // The run that opened the lab counts when it ended before the next one.
    /6,00[12] sets tested on these candles, [12] of them earlier/,
  );
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  const unseen = await cellOf(page, 'Net PnL', 1).innerText();
  const stored = savedWith(page, await cellOf(page, 'Trades', 1).innerText());
  await beside(page).getByRole('button', { name: 'Apply the best set' }).click();
  await expect(figure(page)).toHaveText(unseen);
  await stored;

  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(figure(page)).toHaveText(unseen);
  await expect(page.getByRole('heading', { name: /^Search, 6,000 sets by PnL/ })).toBeVisible();
  await expect(page.getByTestId('honesty-trials')).toContainText(
    // The run that opened the lab counts when it ended before the next one.
    /6,00[12] sets tested on these candles, [12] of them earlier/,
  );
  await expect(beside(page).getByRole('status')).toHaveText('The best parameters are active.');
});

test('a deep search over rules on the server goes on over a reload, opens and is applied, bit for bit as in this browser', async ({
  page,
}) => {
  test.setTimeout(480_000);
  await signUp(page, 'backtest');
  const stored = saved(page);
  await runLive(page);
  await stored;
  await switchOn(page, 'Deep search');
  await page.getByLabel('Deep search samples').fill('5000');
  await page.getByRole('textbox', { name: 'Seed' }).fill('77');
  await choose(page, 'Walk-forward', 'Off');
  await switchOn(page, 'Guided second half');
  await choose(page, 'Run on', 'Server');
  await page.getByRole('button', { name: /^Ranges/ }).click();
  await page.getByLabel('Weight of every vote, least', { exact: true }).fill('-1');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Start on the server, 5,000 sets' }).click();
  const first = page.getByRole('region', { name: 'Searches on the server' }).getByRole('listitem').first();
  await expect(first).toContainText('5,000 samples of rules');
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await tabNamed(page, 'Optimization').click();
  // Searches of other tests may be before it in the queue of the server.
  await expect(first).toHaveAttribute('data-status', 'done', { timeout: 180_000 });
  await first.getByRole('button', { name: 'Open result' }).click();
  await expect(facts(page)).toContainText('on the server');
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await expect(page.getByTestId('honesty-trials')).toContainText(
    // The run that opened the lab counts when it ended before the next one.
    /10,00[12] sets tested on these candles/,
  );
  const ofServer = await setsOf(page);
  const unseen = await cellOf(page, 'Net PnL', 1).innerText();
  await beside(page).getByRole('button', { name: 'Apply the best set' }).click();
  await expect(figure(page)).toHaveText(unseen);
  await expect(page.getByText(/, (Set #[\d,]+|Refined set [\d,]+) of a search$/).first()).toBeVisible();

  // Its form is back, with ranges and guide; the rules on the sliders are set 0 of the next search.
  await beside(page).getByRole('button', { name: 'Back to my set' }).click();
  await tabNamed(page, 'Optimization').click();
  await expect(page.getByRole('button', { name: 'Ranges, 1 set' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Guided second half' })).toHaveAttribute('aria-checked', 'true');
  await choose(page, 'Run on', 'This browser');
  await page.getByRole('button', { name: 'Optimize 5,000 sets' }).click();
  await expect(facts(page)).toContainText('in this browser');
  const ofBrowser = await setsOf(page);
  // Both loaded the minutes of the same candles, separately.
  expect(ofServer.minutes).toMatchObject({ beyond: 0, problem: null });
  expect(ofServer.minutes.candles).toBeGreaterThan(10);
  const alike = (file: SetsFile) => ({ ...file, trials: null });
  expect(alike(ofBrowser)).toEqual(alike(ofServer));
  const other = ofServer.trials.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(ofBrowser.trials[i]));
  expect([ofServer.trials[other], ofBrowser.trials.length]).toEqual([ofBrowser.trials[other], 10_000]);
});

test('the figures of a search stay what they were: beside the current settings and Live rules, and after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(figure(page)).toBeVisible();
  const panel = honesty(page);
  const figures = async (): Promise<string[]> => {
    await expect(panel).toHaveAttribute('data-status', 'judged');
    const rows = await panel.locator('dl > div').allTextContents();
    return [...rows, (await page.getByTestId('honesty-trials').textContent()) ?? ''];
  };
  const countOf = async () => (await figures()).at(-1);
  const verdictOn = (name: string) => panel.getByRole('radio', { name }).click({ force: true });
  const isStored = saved(page);
  await tabNamed(page, 'Optimization').click();
  await search(page, 100);
  await expect(panel.getByRole('radio', { name: 'Best of the search' })).toBeChecked();
  const matches = await figures();
  expect(matches.join()).toContain('(training)');
  await verdictOn('Current settings');
  // The default was not found by a search: one set, on the scored candles.
  await expect.poll(countOf).toMatch(/^1 set tested/);
  expect((await figures()).join()).not.toContain('(training)');
  await verdictOn('Best of the search');
  await expect.poll(figures).toEqual(matches);
  await isStored;
  await page.reload();
  await expect(panel.getByRole('radio', { name: 'Best of the search' })).toBeChecked();
  await expect.poll(figures).toEqual(matches);

  await tabNamed(page, 'Backtest Setup').click();
  await choose(page, 'Strategy', 'Live rules');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(rules(page)).toBeVisible();
  await expect.poll(figures).toEqual(matches);
  // Live rules are judged among manually tried sets, not among those of a search over Classic.
  await verdictOn('Current settings');
  await expect.poll(countOf).toMatch(/^2 sets tested/);
  expect((await figures()).join()).not.toContain('(training)');
});
