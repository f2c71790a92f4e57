import { expect, type Locator, type Page, test } from '@playwright/test';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import { symbolsOf } from '../src/format/symbolList.ts';
import { dropFile } from './support/files.ts';
import { hasRun, hostileTexts, joined } from './support/hostileTexts.ts';
import { openTab, signUp } from './support/users.ts';

/** Faults of the page: violations of the content security policy, errors, dialogs. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) faults.push(line.text());
  });
  page.on('pageerror', (fault) => faults.push(fault.message));
  page.on('dialog', (dialog) => {
    // The browser confirms leaving a page whose settings hold a rejected text.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    faults.push(dialog.message());
    void dialog.dismiss();
  });
  return faults;
}

const nameOf = (text: string): string => text.slice(0, 50).trim();
const headers = (page: Page) => ({ origin: new URL(page.url()).origin });

test('text becomes no HTML and no script: the browser blocks it, and pages, charts and the engine work', async ({
  page,
}) => {
  const faults = faultsOf(page);
  await signUp(page, 'backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  for (const tab of ['Dashboard', 'News', 'Help', 'API Docs']) await openTab(page, tab);
  expect(faults).toEqual([]);
  const rejected = await page.evaluate(() => {
    const isRejected = (act: () => unknown): boolean => {
      try {
        act();
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    };
    const script = document.createElement('script');
    return {
      html: isRejected(() => (document.createElement('p').innerHTML = '<b>text</b>')),
      parsed: isRejected(() => new DOMParser().parseFromString('<b>text</b>', 'text/html')),
      inline: isRejected(() => (script.textContent = 'window.wasRun = true')),
      address: isRejected(() => (script.src = 'https://elsewhere.example/a.js')),
      worker: isRejected(() => new Worker('https://elsewhere.example/a.js')),
    };
  });
  expect(rejected).toEqual({ html: true, parsed: true, inline: true, address: true, worker: true });
});

/** Simulates a return to the page, which fetches again what is shown. */
const lookAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

async function inProfile(page: Page): Promise<void> {
  await openTab(page, 'Profile');
  const panel = page.getByRole('tabpanel');
  // A profile that is still loading is not requested again.
  await expect(panel.getByRole('heading', { level: 2 }).first()).toBeVisible();
  for (const bio of joined(hostileTexts, 1000)) {
    const sent = await page.request.put('/api/profile', { headers: headers(page), data: { bio } });
    expect(sent.status()).toBe(200);
    await lookAgain(page);
    for (const line of bio.split('\n')) await expect(panel).toContainText(line);
  }
  for (const text of hostileTexts) {
    const data = { display_name: nameOf(text), bio: '' };
    expect((await page.request.put('/api/profile', { headers: headers(page), data })).status(), text).toBe(200);
    await lookAgain(page);
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(nameOf(text));
  }
}

async function inSettings(page: Page): Promise<void> {
  await openTab(page, 'Signals');
  await page.getByRole('tab', { name: 'Symbol Filters' }).click();
  for (const text of hostileTexts) {
    await page.getByLabel('Whitelist').fill(text);
    await page.getByRole('button', { name: 'Save settings' }).click();
    const wrong = symbolsOf(text).find((symbol) => !isSymbol(symbol));
    await expect(page.getByText(`${wrong} is not a symbol`)).toBeVisible();
  }
  await openTab(page, 'Account');
  await page.getByRole('tab', { name: 'Security' }).click();
  for (const text of hostileTexts) {
    // The message of the previous text disappears.
    await page.getByLabel('Username').fill(text);
    await expect(page.getByText(/Failed to update username/)).toHaveCount(0);
    await page.getByLabel('Username').press('Enter');
    await expect(page.getByText(/Failed to update username/)).toBeVisible();
  }
}

/** Each text finds something or nothing, after a search that finds all. */
async function searchEach(page: Page, field: Locator, noMatch: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const all = dialog.getByText(/^60 of \d+ shown$/);
  for (const text of hostileTexts) {
    await field.fill('');
    await expect(all).toBeVisible();
    await field.fill(text);
    await expect(all, text).toHaveCount(0);
    await expect(dialog.getByText(noMatch).or(dialog.getByRole('option')).first(), text).toBeVisible();
    await expect(field).toHaveValue(text);
  }
}

async function inSearch(page: Page): Promise<void> {
  await openTab(page, 'Dashboard');
  await page.getByRole('button', { name: 'Add symbol' }).click();
  const symbol = page.getByRole('combobox', { name: 'Symbol to watch' });
  await searchEach(page, symbol, 'No matching perpetual.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Search tabs, symbols and commands' });
  await searchEach(page, palette, 'No match.');
  await page.keyboard.press('Escape');
  for (const text of hostileTexts) {
    const data = { symbol: text };
    const sent = await page.request.post('/api/watchlist', { headers: headers(page), data });
    expect(sent.status(), text).toBe(400);
  }
}

/** Names of tuning versions: at most fifty are stored, so two rounds. */
async function inTuning(page: Page): Promise<void> {
  for (const round of [hostileTexts.slice(0, 40), hostileTexts.slice(40)]) {
    for (const text of round) {
      const data = { save_as: nameOf(text) };
      expect((await page.request.put('/api/tuning', { headers: headers(page), data })).status(), text).toBe(200);
    }
    await page.reload();
    await openTab(page, 'Signal Tuning');
    await page.getByRole('tab', { name: 'Presets' }).click();
    const panel = page.getByRole('tabpanel');
    for (const text of round) await expect(panel).toContainText(nameOf(text));
    const { versions } = (await (await page.request.get('/api/tuning')).json()) as { versions: { id: string }[] };
    for (const { id } of versions) await page.request.delete(`/api/tuning/versions/${id}`, { headers: headers(page) });
  }
}

/** Names of files, names of columns and cells of a CSV: rejections report line and column. */
async function inFiles(page: Page): Promise<void> {
  await openTab(page, 'Backtest');
  await page.getByText('Own CSV file').click();
  const perFile = 20;
  for (let from = 0; from < hostileTexts.length; from += perFile) {
    const texts = hostileTexts.slice(from, from + perFile);
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = texts.map((text) => `${cell(text)},1,1,1,1,1`);
    await dropFile(page, `${texts[0]!}.csv`, ['time,open,high,low,close,volume', ...rows].join('\n'));
    await expect(page.getByRole('alert')).toContainText(`${texts[0]!}.csv was not read`);
    await expect(page.getByRole('alert').getByRole('listitem').first()).toContainText(texts[0]!.slice(0, 12));
  }
}

async function inAddresses(page: Page): Promise<void> {
  const all = encodeURIComponent(hostileTexts.join(' '));
  for (const path of [`/?tab=${all}`, `/login#${all}`, `/reset-password#${all}`, `/confirm-email#${all}`]) {
    await page.goto(path);
    await expect(page.locator('#root')).not.toBeEmpty();
    expect(await page.evaluate(hasRun), path.slice(0, 20)).toBe(false);
  }
}

test('eighty hostile texts in every field that takes text are shown as they are, and none of them runs', async ({
  page,
}) => {
  // Nearly a thousand texts, each typed or sent: room for a slow machine.
  test.setTimeout(600_000);
  expect(new Set(hostileTexts).size).toBe(80);
  const faults = faultsOf(page);
  await signUp(page, 'profile');
  for (const walk of [inProfile, inSettings, inSearch, inTuning, inFiles, inAddresses]) {
    const startedAtMs = Date.now();
    await walk(page);
    expect(await page.evaluate(hasRun), walk.name).toBe(false);
    process.stdout.write(`hostile texts ${walk.name} ${hostileTexts.length} texts, ${Date.now() - startedAtMs} ms\n`);
  }
  expect(faults).toEqual([]);
});
