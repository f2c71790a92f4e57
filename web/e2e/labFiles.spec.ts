import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { formatMoney, formatQuantity } from '../src/format/number.ts';
import { formatUtc } from '../src/format/time.ts';
import { badBytes, badFiles } from '../test/features/backtest/csv/badFiles.ts';
import { readRecords } from '../test/support/readCsv.ts';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const SEED = 20_240_101;
const resultHash = (page: Page) => page.getByTestId('browser-result');

async function choose(page: Page, name: string, bytes: Uint8Array | string): Promise<void> {
  await page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
}

/** Hash of the result that the lab opens with. */
let opened = '';
test.beforeEach(async ({ page }) => {
  await signUp(page, 'backtest');
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  opened = (await resultHash(page).getAttribute('data-hash')) ?? '';
  await page.getByText('Own CSV file').click();
});

/** The hash of a run of a file. It is drawn in the time that is left, after the figures. */
async function hashOfFile(page: Page): Promise<string> {
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', opened);
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  return (await resultHash(page).getAttribute('data-hash')) ?? '';
}

test('each kind of bad file gets its own message with line and column, and nothing is run', async ({ page }) => {
  await choose(page, 'good.csv', sampleCsv(SEED, 1200));
  const hash = await hashOfFile(page);
  // The duration identifies the run: another run would hardly take as long to the tenth of a millisecond.
  const facts = await page.getByText(/1,200 loaded, 500 scored/).textContent();

  const alert = page.getByRole('alert');
  // An empty text is an empty file, which the second table contains.
  const all = [...badFiles.filter(([, text]) => text !== ''), ...badBytes];
  expect(all.length).toBeGreaterThan(30);
  for (const [at, [what, content, message]] of all.entries()) {
    const name = `bad-${at}.csv`;
    await choose(page, name, content);
    await expect(alert, what).toContainText(`${name} was not read`);
    await expect(alert.getByRole('listitem').first(), what).toHaveText(`${message}.`);
  }
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  await expect(page.getByText(/1,200 loaded, 500 scored/)).toHaveText(facts ?? '');
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');

  // The previous file is still the one that runs, and a good file removes the message.
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
  await choose(page, 'other.csv', sampleCsv(SEED + 1, 1200));
  await expect(alert).toHaveCount(0);
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', hash);

  // With a file on the form the file is run, whatever ran in between.
  const ofFile = (await resultHash(page).getAttribute('data-hash')) ?? '';
  await page.getByText('Exchange candles').click();
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(resultHash(page)).not.toHaveAttribute('data-hash', ofFile);
  await page.getByText('Own CSV file').click();
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(resultHash(page)).toHaveAttribute('data-hash', ofFile);
});

async function fileOf(page: Page, name: string): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).click();
  return readFile(await (await waiting).path(), 'utf8');
}

test('the files of a run and of its search hold what the page shows, in full and with units', async ({ page }) => {
  await choose(page, '=1+1;@now.csv', sampleCsv(SEED, 1200));
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  await expect(page.getByTestId('search-facts')).toContainText('sets a second');

  const trades = readRecords(await fileOf(page, 'Trades CSV'));
  const results = readRecords(await fileOf(page, 'Results CSV'));
  const json = JSON.parse(await fileOf(page, 'JSON')) as { trades: { netPnl: number }[]; summary: { netPnl: number } };
  const of = (name: string) => results.find((line) => line['name'] === name);
  expect(trades.map((trade) => Number(trade['netPnl (USDT)']))).toEqual(json.trades.map(({ netPnl }) => netPnl));
  expect([Number(of('netPnl')?.['value']), of('netPnl')?.['unit']]).toEqual([json.summary.netPnl, 'USDT']);
  // A file named like a formula, after each separator a spreadsheet may split at.
  expect(of('label')?.['value']).toBe("'=1+1;'@now.csv");
  await expect(resultHash(page)).toHaveAttribute('data-hash', of('hash.result')?.['value'] ?? 'none');

  await expect(page.getByTestId('net-pnl')).toHaveText(formatMoney(json.summary.netPnl, true));
  const firstRow = page.getByRole('grid', { name: 'Trades' }).getByRole('row').nth(1);
  const heads = await page.getByRole('grid', { name: 'Trades' }).getByRole('columnheader').allInnerTexts();
  const cellOf = (head: string) => firstRow.getByRole('gridcell').nth(heads.indexOf(head));
  const [first] = trades;
  await expect(cellOf('#')).toHaveText(first?.['number'] ?? '');
  await expect(cellOf('Net, USDT')).toHaveText(formatMoney(Number(first?.['netPnl (USDT)']), true));
  await expect(cellOf('Total, USDT')).toHaveText(formatMoney(Number(first?.['cumulativeNetPnl (USDT)']), true));
  await expect(cellOf('Size, coins')).toHaveText(formatQuantity(Number(first?.['quantity (coins)'])));
  await expect(cellOf('Exit time').locator('time')).toHaveAttribute('title', formatUtc(first?.['exitTime (UTC)']));

  // Screen-reader text must not make the page longer than the screen.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight))
    .toBeLessThanOrEqual(0);

  const sets = readRecords(await fileOf(page, 'Sets CSV'));
  const setsJson = JSON.parse(await fileOf(page, 'Sets JSON')) as { trials: (number | string | null)[][] };
  expect(sets.map((set) => Object.values(set))).toEqual(
    setsJson.trials.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))),
  );
  // Clicking a set runs it: on the window of the search it equals its row.
  await page.getByRole('tab', { name: 'Table' }).click();
  const shown = page.getByRole('grid', { name: 'Trials' }).getByRole('row').nth(1);
  const best = Math.max(...sets.map((set) => Number(set['netPnl (USDT)'])));
  await expect(shown).toContainText(formatMoney(best, true));
});

test('HIST-029 a file with unknown column names shows its rows, and is read once they are chosen', async ({ page }) => {
  const text = sampleCsv(SEED, 1200).replace(/^.*\n/, 'wann,auf,hoch,tief,zu,menge\n');
  await choose(page, 'foreign.csv', text);
  await expect(page.getByRole('alert')).toContainText('foreign.csv was not read');
  const form = page.getByRole('form', { name: 'Choose the columns' });
  await expect(form.getByRole('columnheader')).toHaveText(['wann', 'auf', 'hoch', 'tief', 'zu', 'menge']);
  const button = form.getByRole('button', { name: 'Read the file' });
  await expect(button).toBeDisabled();
  const names = ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'];
  const cells = ['wann', 'auf', 'hoch', 'tief', 'zu', 'menge'];
  for (const [at, name] of names.entries())
    await form.getByRole('combobox', { name }).selectOption({ label: cells[at] ?? '' });
  await expectAccessibleAtBothWidths(page, 'lab: choose the columns');
  await button.press('Enter');
  const hash = await hashOfFile(page);
  await expect(page.getByRole('alert')).toHaveCount(0);

  // The same rows newest first, without column names, in microseconds: the same run, and what was assumed is stated.
  const rows = sampleCsv(SEED, 1200).trim().split('\n').slice(1).toReversed();
  const micro = rows.map((row) => row.replace(/^\d+/, (ms) => `${ms}000`)).join('\n');
  await choose(page, 'archive.csv', micro);
  const assumed = page.getByRole('list', { name: 'Assumed about the file' }).getByRole('listitem');
  await expect(assumed).toHaveText([
    'No column names: read as time, open, high, low, close, volume.',
    'The newest row comes first: sorted oldest first.',
  ]);
  await expect(resultHash(page)).toHaveAttribute('data-hash', hash);
});
