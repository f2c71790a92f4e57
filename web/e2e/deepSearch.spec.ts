import { readFile } from 'node:fs/promises';
import { expect, type Page, type Response, test } from '@playwright/test';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { defaultCosts, defaultWeights, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { choose } from './support/choose.ts';
import { dropFile } from './support/files.ts';
import { signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const text = sampleCsv(20_240_101, 1200);
const SAMPLES = 10_000;
const SEED = 77;
/** Searches of other tests may be ahead in the server's queue, and all share its processors. */
const LONG_MS = 180_000;
test.setTimeout(600_000);

const judged = (page: Page) => page.locator('[aria-label=Honesty][data-status=judged]');
const searches = (page: Page) => page.getByRole('region', { name: 'Searches on the server' });

async function openForm(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Optimization' }).click();
}

interface SetsFile {
  hashes: { result: string };
  minutes: object;
  best: object;
  columns: Record<string, string>;
  trials: (number | string | null)[][];
}

async function setsOf(page: Page): Promise<SetsFile> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sets JSON' }).click();
  return JSON.parse(await readFile(await (await waiting).path(), 'utf8')) as SetsFile;
}

function expectSameSets(result: SetsFile, expected: SetsFile): void {
  expect({ ...result, trials: null }).toEqual({ ...expected, trials: null });
  // The first row that differs and not a difference of twenty thousand lines.
  const other = expected.trials.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(result.trials[i]));
  expect([result.trials[other], result.trials.length]).toEqual([expected.trials[other], expected.trials.length]);
}

/** Runs with stop and target so near to the entry that many candles of an hour hold both. */
async function runTight(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  for (const name of ['Stop loss', 'Take profit']) {
    await page.getByLabel(`${name}, exact value`).fill('0.5');
    await page.getByLabel(`${name}, exact value`).blur();
  }
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  // All tests together may have used up the exchange's rate limit: waits for its next minute, for candles and again for their minutes.
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh', { timeout: LONG_MS });
}

async function openFirst(page: Page): Promise<void> {
  const first = searches(page).getByRole('listitem').first();
  await expect(first).toHaveAttribute('data-status', 'done', { timeout: LONG_MS });
  await first.getByRole('button', { name: 'Open result' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('on the server');
}

/** The same search on an engine in Node, without browser and without server. */
async function inNode(): Promise<OptimizeResult> {
  const rows = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
  const column = (i: number) => Float64Array.from(rows, (row) => row[i] ?? Number.NaN);
  const [time, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map(column) as Float64Array[];
  const outcome = runTask(startEngine(await loadModule()), {
    name: 'optimize',
    input: {
      candles: { time: time!, open: open!, high: high!, low: low!, close: close!, volume: volume! },
      params: {
        weights: { ...defaultWeights },
        entryThreshold: 0.08,
        stopLossFraction: 0.02,
        takeProfitFraction: 0.04,
        trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
      },
      costs: { ...defaultCosts, ...standardLiquidity },
      scoredCount: 500,
      samples: SAMPLES,
      seed: SEED,
      target: 'pnl',
      trainOn: 'earlier',
      refine: true,
      space: { stopLossFraction: { min: 0.01, max: 0.03 } },
    },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value as OptimizeResult;
}

const isStateSave = (response: Response): boolean =>
  response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT';
const stateSaved = (page: Page) => page.waitForResponse(isStateSave);

test('BT-009 BT-014 a deep search on the server survives a reload, can be cancelled, and gives bit for bit what this browser and Node give', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await page.getByText('Own CSV file').click();
  const saved = stateSaved(page);
  await dropFile(page, 'sample-1h.csv', text);
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await saved;
  await openForm(page);
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await choose(page, 'Run on', 'Server');
  await expect(page.getByText('Keeps running after you close this tab.')).toBeVisible();

  // A long search: followed, found again after a reload, and cancelled.
  await page.getByLabel('Deep search samples').fill('100000');
  await page.getByRole('button', { name: 'Start on the server, 100,000 sets' }).click();
  const first = searches(page).getByRole('listitem').first();
  await expect(first).toContainText(/of 100,000 samples, [\d,]+ sets a second/);
  await page.reload();
  await openForm(page);
  await expect(first).toContainText(/of 100,000 samples, [\d,]+ sets a second/);
  await first.getByRole('button', { name: 'Cancel on the server' }).click();
  await expect(first).toContainText(/^sample-1h\.csv 1h, 100,000 samples.*Cancelled at [\d,]+ samples/);

  // The form after a reload is that of the last run: a search that has only been started is no run.
  const deep = page.getByRole('switch', { name: 'Deep search' });
  if ((await deep.getAttribute('aria-checked')) !== 'true') await deep.click();
  await page.getByLabel('Deep search samples').fill(String(SAMPLES));
  await page.getByRole('textbox', { name: 'Seed' }).fill(String(SEED));
  await choose(page, 'Walk-forward', 'Off');
  await choose(page, 'Run on', 'Server');
  const ranges = page.getByRole('region', { name: 'Ranges of the search' });
  await ranges.getByRole('button', { name: 'Ranges', exact: true }).click();
  await ranges.getByLabel('Stop loss, %, least').fill('1');
  await ranges.getByLabel('Stop loss, %, most').fill('3');
  await ranges.getByLabel('Stop loss, %, most').blur();
  await expect(ranges.getByRole('button', { name: 'Ranges, 1 narrowed' })).toBeVisible();
  await page.getByRole('button', { name: 'Start on the server, 10,000 sets' }).click();
  await expect(first).toContainText('10,000 samples');
  await expect(first).toHaveAttribute('data-status', 'done', { timeout: LONG_MS });
  await ranges.getByRole('button', { name: 'Reset ranges' }).click();
  await first.getByRole('button', { name: 'Open result' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('on the server');
  // The result restores its ranges.
  await expect(ranges.getByRole('button', { name: 'Ranges, 1 narrowed' })).toBeVisible();
  await expect(judged(page)).toBeVisible();
  await expect(page.getByTestId('honesty-trials')).toContainText('sets tested on these candles');
  const ofServer = await setsOf(page);
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', ofServer.hashes.result);

  // The set on the sliders is set 0 of a search: restores the same one.
  const back = page.waitForResponse(
    (response) => isStateSave(response) && !(response.request().postData() ?? '').includes(ofServer.hashes.result),
  );
  await page.getByRole('button', { name: 'Back to my set' }).click();
  await back;
  await openForm(page);
  await choose(page, 'Run on', 'This browser');
  // Awaited from before the search: it is saved a second after it arrives, which may be before the test sees it.
  const stored = stateSaved(page);
  await page.getByRole('button', { name: 'Optimize 10,000 sets' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('in this browser', { timeout: LONG_MS });
  const ofBrowser = await setsOf(page);
  expectSameSets(ofBrowser, ofServer);

  // Cached in this browser, its long columns in parts.
  await stored;
  await page.reload();
  await expect(page.getByTestId('search-facts')).toContainText('in this browser');
  const restored = await setsOf(page);
  expect(JSON.stringify(restored) === JSON.stringify(ofBrowser)).toBe(true);

  const node = await inNode();
  expect(ofServer.hashes).toEqual(node.best?.scored.hashes);
  expect(ofServer.best).toEqual(node.best?.origin);
  const names = Object.keys(ofServer.columns);
  for (const name of Object.keys(node.trials) as (keyof typeof node.trials)[]) {
    const at = names.indexOf(name);
    const known = (value: number) => (Number.isFinite(value) ? value : null);
    const wanted = [...node.trials[name], ...node.refined[name]].map(known);
    // One count instead of forty thousand lines of a diff.
    const different = ofServer.trials.filter((row, i) => row[at] !== wanted[i]).length;
    expect([name, different, wanted.length], name).toEqual([name, 0, ofServer.trials.length]);
  }
  // The best set, run again on its own, equals its row to the bit.
  const { origin, train } = node.best!;
  const row = ofServer.trials[origin.kind === 'sample' ? origin.index : SAMPLES + origin.index];
  expect(row?.[names.indexOf('netPnl')]).toBe(train.netPnl);
});

test('a deep search on the server has the minutes that one in this browser has, shows them, keeps them over a reload, and none when they are off', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await runTight(page);
  await openForm(page);
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await page.getByLabel('Deep search samples').fill('2000');
  await choose(page, 'Run on', 'Server');
  await expect(page.getByTestId('search-minutes')).toContainText(
    '1-minute data settles candles that reach both stop and target',
  );
  const start = page.getByRole('button', { name: 'Start on the server, 2,000 sets' });
  const facts = page.getByTestId('search-facts');
  const used = page.getByTestId('search-minutes-used');
  await start.click();
  await openFirst(page);
  await expect(used).toHaveText(/^\d+ unclear candles were resolved with 1-minute data\./);
  const words = await used.innerText();
  const ofServer = await setsOf(page);
  // The walk-forward was walked on the server.
  const walk = page.getByRole('tab', { name: 'Walk-forward', exact: true });
  const windows = page.getByRole('region', { name: 'Windows of the walk-forward' });
  await walk.click();
  const walkedThere = await windows.innerText();
  const stored = page.waitForResponse(
    (response) => response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT',
  );
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(page.getByTestId('browser-result')).toHaveAttribute('data-hash', ofServer.hashes.result);
  await stored;
  await page.reload();
  await expect(facts).toContainText('on the server');
  await expect(used).toHaveText(words);

  await page.getByRole('button', { name: 'Back to my set' }).click();
  await openForm(page);
  await choose(page, 'Run on', 'This browser');
  await page.getByRole('button', { name: 'Optimize 2,000 sets' }).click();
  await expect(facts).toContainText('in this browser', { timeout: LONG_MS });
  await expect(used).toHaveText(words);
  expectSameSets(await setsOf(page), ofServer);
  await walk.click();
  await expect(windows).toBeVisible();
  expect(await windows.innerText()).toBe(walkedThere);

  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await choose(page, 'Minutes and mark prices', 'Off');
  await openForm(page);
  await choose(page, 'Run on', 'Server');
  await expect(page.getByTestId('search-minutes')).toContainText('1-minute data is off in the setup.');
  await start.click();
  await expect(searches(page).getByRole('listitem')).toHaveCount(2);
  await openFirst(page);
  await expect(used).toContainText('1-minute data is off in the setup.');
  expect((await setsOf(page)).trials).not.toEqual(ofServer.trials);
});

test('a deep search on the server over more candles than it loads itself has the minutes of one in this browser, as many as there is room for', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await page.getByLabel('Candles loaded').fill('10200');
  await runTight(page);
  await openForm(page);
  await page.getByRole('switch', { name: 'Deep search' }).click();
  await page.getByLabel('Deep search samples').fill('2000');
  await choose(page, 'Walk-forward', 'Off');
  await choose(page, 'Run on', 'Server');
  await page.getByRole('button', { name: 'Start on the server, 2,000 sets' }).click();
  await openFirst(page);
  const used = page.getByTestId('search-minutes-used');
  await expect(used).toHaveText(
    /^1,000 unclear candles were resolved with 1-minute data\. [\d,]+ unclear candles take the stop first: a search loads at most 60,000 minutes/,
  );
  const ofServer = await setsOf(page);
  await choose(page, 'Run on', 'This browser');
  await page.getByRole('button', { name: 'Optimize 2,000 sets' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('in this browser', { timeout: LONG_MS });
  expectSameSets(await setsOf(page), ofServer);
});
