// Long because each test is a way through the one editor of own rules.
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { openSharedRun } from './support/sharedLink.ts';
import { openTab, signUp } from './support/users.ts';

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const figure = (page: Page) => page.getByTestId('net-pnl');
const rulesShown = (page: Page) => page.getByTestId('live-rules');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Rules', exact: true });
const problems = (page: Page) => page.getByRole('region', { name: 'Problems of the rules' });
const honesty = (page: Page) => page.getByRole('region', { name: 'Honesty' });

/** Text of the editor, line by line. */
const textOf = async (page: Page): Promise<string> =>
  (await editor(page).locator('.cm-line').allInnerTexts()).map((line) => line.replace('\n', '')).join('\n');

/** The rule of docs/rules.md. */
const documented = [
  'fast = 12 [5..50 step 1]; slow = 26 [20..200 step 2]',
  'long when crossover(ema(close, fast), ema(close, slow)) and rsi(14) < 70 and 4h(close > ema(close, 200))',
  'short when crossunder(ema(close, fast), ema(close, slow)) and hour in 8..20',
  'exit long when close < ema(close, slow)',
  'stop 2 * atr(14); target 3R; risk 1 %',
].join('\n');

const hasEditorFile = (page: Page): Promise<boolean> =>
  page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('RuleEditor')));

/** The response to the next save of the screen. */
const saved = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT' && response.ok(),
  );

async function openEditor(page: Page): Promise<void> {
  await choose(page, 'Strategy', 'Own rules');
  await tabNamed(page, 'Strategy Parameters').click();
  await expect(editor(page)).toBeVisible();
}

async function write(page: Page, text: string): Promise<void> {
  // A text that the page sets between selecting and typing, such as a template, leaves the rest of it.
  await expect(async () => {
    await editor(page).fill(text);
    expect(await textOf(page)).toBe(text);
  }).toPass();
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(figure(page)).toHaveText(/\d/);
}

test('RULE-030 RULE-031 RULE-034 the documented rule is typed and runs as it is typed, an error leaves the result and is fixed, and sliders change the text', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await choose(page, 'Strategy', 'Own rules');
  await run(page);
  expect(await hasEditorFile(page), 'the lab loads the editor before it is opened').toBe(false);
  await openEditor(page);
  expect(await hasEditorFile(page)).toBe(true);
  await write(page, documented);
  await expect(problems(page)).toContainText('No errors.');
  await run(page);
  await expect(rulesShown(page)).toContainText('your rules');
  await expect(page.getByTestId('rules-text')).toHaveText(documented);
  await expect(page.getByText('BTCUSDT, 1h, Own rules')).toBeVisible();
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  const before = await figure(page).innerText();

  // A text with an error is said to be one, and the result stays.
  await write(page, documented.replace('rsi(14)', 'rsii(14)'));
  await expect(problems(page)).toContainText('1 error. Showing the result of the last valid version.');
  await expect(problems(page)).toContainText('Line 2, column 61: rsii is not known. Fix: write rsi.');
  await expect(page.getByText('Your rules have an error. Showing the result of the last valid version.')).toBeVisible();
  await expect(figure(page)).toHaveText(before);
  await expectAccessibleAtBothWidths(page, 'rules with an error');
  await page.getByRole('button', { name: 'Show in the editor: Line 2, column 61' }).click();
  await expect(editor(page)).toBeFocused();
  await page.getByRole('button', { name: 'Use this fix: Line 2, column 61' }).click();
  await expect(problems(page)).toContainText('No errors.');
  await expect.poll(() => textOf(page)).toBe(documented);

  // The result follows what is typed, without the button.
  await write(page, documented.replace('target 3R', 'target 1R'));
  await expect(figure(page)).not.toHaveText(before);
  await write(page, documented);
  await expect(figure(page)).toHaveText(before);

  // A slider changes its number in the text, and the result.
  const slow = page.getByRole('textbox', { name: 'slow, exact value' });
  await slow.fill('60');
  await slow.press('Enter');
  await expect.poll(() => textOf(page)).toBe(documented.replace('slow = 26', 'slow = 60'));
  await expect(page.getByTestId('rules-text')).toContainText('slow = 60 [20..200 step 2]');
  await expectAccessibleAtBothWidths(page, 'own rules');
});

test('RULE-032 RULE-037 a template is completed and explained in the editor, and Tab leaves it', async ({ page }) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await page.getByLabel('Start from a template').selectOption({ index: 1 });
  await expect(problems(page)).toContainText('No errors.');
  await write(page, 'long when ');
  await editor(page).press('End');
  await page.keyboard.type('cross');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option', { name: /^crossover/ })).toBeVisible();
  await expect(page.locator('.cm-completionInfo')).toContainText('crossover(a, b)');
  await expectAccessible(page, 'completion');
  await page.keyboard.press('Enter');
  await expect.poll(() => textOf(page)).toContain('crossover()');
  await write(page, 'long when macd(12, 26, 9)');
  await editor(page).press('End');
  await page.keyboard.type('.');
  await expect(list.getByRole('option')).toHaveCount(3);
  await page.keyboard.press('Escape');
  await write(page, 'long when supertrend(10, 3).direction > 0');
  await page.getByText('supertrend', { exact: true }).hover();
  await expect(page.locator('.cm-rule-hover')).toContainText('Example:');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
});

test('RULE-095 a row of the builder takes a series so many candles ago, and reads it back from the text', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'long when close > close[2]');
  await choose(page, 'Write rules as', 'Builder');
  const ago = (side: string) => page.getByRole('textbox', { name: `Long when, condition 1, ${side}, candles ago` });
  await expect(ago('left')).toHaveValue('0');
  await expect(ago('right')).toHaveValue('2');
  await ago('left').fill('1');
  await page.getByRole('combobox', { name: 'Long when, condition 1, right', exact: true }).selectOption('rsi.rsi');
  await expect(ago('right')).toHaveValue('2');
  await expectAccessibleAtBothWidths(page, 'the builder with candles ago');
  await choose(page, 'Write rules as', 'Text');
  await expect.poll(() => textOf(page)).toBe('long when close[1] > rsi(close, 14)[2]');
  await choose(page, 'Write rules as', 'Builder');
  await ago('left').fill('0');
  await choose(page, 'Write rules as', 'Text');
  await expect.poll(() => textOf(page)).toBe('long when close > rsi(close, 14)[2]');
});

test('RULE-033 the builder writes rules by clicks and reads the text back, or says why it cannot', async ({ page }) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'long when close > close[1][2]');
  await choose(page, 'Write rules as', 'Builder');
  await expect(page.getByText('Rows cannot show close[1][2]: edit the text instead.')).toBeVisible();
  await page.getByRole('button', { name: 'Show text' }).click();
  await write(page, 'long when rsi(14) < 30; stop 2 %');
  await choose(page, 'Write rules as', 'Builder');
  const long = page.getByRole('region', { name: 'Long when', exact: true });
  await expect(long.getByLabel('Long when, condition 1, left', { exact: true })).toHaveValue('rsi.rsi');
  await long.getByRole('button', { name: 'Add condition: Long when' }).click();
  await long.getByLabel('Long when, condition 2, comparison').selectOption('crossover');
  await choose(page, 'Long when: conditions', 'One holds');
  await long.getByLabel('Long when, condition 2, candles').selectOption('4h');
  await page.getByLabel('Target by').selectOption('R');
  await expectAccessibleAtBothWidths(page, 'the builder');
  await choose(page, 'Write rules as', 'Text');
  await expect
    .poll(() => textOf(page))
    .toBe('long when rsi(14) < 30 or 4h(crossover(close, ema(close, 50)))\nstop 2 %\ntarget 3R');
  await run(page);
  await expect(rulesShown(page)).toContainText('long only');
});

test('RULE-035 own rules beside Classic are saved, scanned with, verified, restored after a reload and shared', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await run(page);
  const classic = await figure(page).innerText();
  const keep = async (name: string) => {
    await page.getByLabel('Name of the run').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectMessage(page, 'Run saved');
  };
  await keep('Plain');
  await openEditor(page);
  await write(page, documented);
  await expect(page.getByText('BTCUSDT, 1h, Own rules')).toBeVisible();
  // The text that was there before has been run too.
  await expect(page.getByTestId('rules-text')).toHaveText(documented);
  await expect(figure(page)).not.toHaveText(classic);
  await expect(page.getByText(/^Loading 1-minute data of/)).toHaveCount(0);
  const own = await figure(page).innerText();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();
  await page.getByRole('button', { name: 'Save as my rules', exact: true }).click();
  await page.getByLabel('Name of the rules').fill('Crossing');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expectMessage(page, 'Saved as Crossing');
  await page.keyboard.press('Escape');
  await expect(page.getByText('BTCUSDT, 1h, Crossing')).toBeVisible();
  await keep('First try');
  await page.getByLabel('Compare Plain').check();
  await page.getByLabel('Compare First try').check();
  await expect(page.getByRole('row', { name: /^Entry/ })).toContainText('your rules');
  await expect(page.getByRole('row', { name: /^Own rules/ })).toContainText('slow = 26 [20..200 step 2]');
  await expectAccessibleAtBothWidths(page, 'own rules beside Classic');

  await tabNamed(page, 'Backtest Setup').click();
  await page.getByLabel('Scans and Auto trade').selectOption('Crossing');
  await expectMessage(page, 'Scans and Auto trade Crossing');
  await choose(page, 'Strategy', 'Classic');
  await expect(figure(page)).toHaveText(classic);
  const stored = saved(page);
  await page.getByRole('list', { name: 'My rules' }).getByRole('button', { name: 'Open Crossing' }).click();
  await expect(figure(page)).toHaveText(own);
  await stored;

  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(figure(page)).toHaveText(own);
  await expect(page.getByTestId('rules-text')).toHaveText(documented);
  await tabNamed(page, 'Strategy Parameters').click();
  await expect.poll(() => textOf(page)).toBe(documented);
  const context = await browser.newContext();
  const stranger = await openSharedRun(page, context);
  await expect(stranger.getByTestId('rules-text')).toHaveText(documented);
  await context.close();

  await write(page, 'long when rsi(14) < 30');
  await expect(page.getByText('BTCUSDT, 1h, Crossing, changed')).toBeVisible();
  await page.getByRole('group', { name: 'Saved runs' }).getByRole('button', { name: 'Open First try' }).click();
  await expectMessage(page, 'Backtest restored');
  await expect(figure(page)).toHaveText(own);
  await openTab(page, 'Signals');
  await expect(page.getByLabel('Scans and Auto trade').locator('option:checked')).toHaveText('Crossing');
});

test('RULE-036 a search shows the ranges of the text, and says how to write one', async ({ page }) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'long when rsi(14) < 30');
  await tabNamed(page, 'Optimization').click();
  await expect(page.getByText('Varies the ranges of your rules.')).toBeVisible();
  const ranges = page.getByRole('region', { name: 'Ranges of the search' });
  await expect(ranges).toContainText('fast = 12 [5..50 step 1]');
  await expect(page.getByRole('button', { name: /^Optimize / })).toBeDisabled();
  await ranges.getByRole('button', { name: 'Edit rules' }).click();
  await write(page, documented);
  await tabNamed(page, 'Optimization').click();
  await expect(ranges.getByRole('row', { name: 'slow' })).toContainText('20');
  await expect(ranges).toContainText('4,186 sets in all.');
  await expect(page.getByRole('button', { name: /^Optimize / })).toBeEnabled();
  await expectAccessibleAtBothWidths(page, 'ranges of own rules');
});

test('RULE-036 a sweep over own rules is judged, applies its best set as text and is there after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, documented);
  await run(page);
  await tabNamed(page, 'Optimization').click();
  const stored = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/backtest/state') &&
      (response.request().postData() ?? '').includes('"search_sets"') &&
      response.ok(),
  );
  await page.getByRole('button', { name: /^Optimize / }).click();
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await expect(page.getByRole('img', { name: /as colour/ })).toBeVisible();
  await stored;
  await expect(honesty(page)).toHaveAttribute('data-status', 'judged');
  await tabNamed(page, 'Table').click();
  await expect(page.getByRole('columnheader', { name: 'slow' })).toBeVisible();
  // The best set may be yours, by market: another one is opened first, whose text is neither.
  const shown = page.getByTestId('rules-text');
  const openOther = async (): Promise<void> => {
    const rows = page.getByRole('grid', { name: 'Trials' }).getByRole('row');
    await rows.nth(2).click();
    await expect(rows.nth(2)).toHaveAttribute('aria-selected', 'true');
    if ((await shown.innerText()) === documented) await rows.nth(3).click();
    await expect(shown).not.toHaveText(documented);
  };
  await openOther();
  const other = await shown.innerText();
  await tabNamed(page, 'Walk-forward').click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sets CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/sets\.csv$/);
  await page.getByRole('button', { name: 'Apply the best set' }).click();
  await expect(page.getByText('The best parameters are active.')).toBeVisible();
  await expect(shown).not.toHaveText(other);
  await expect(page.getByText(/^Loading 1-minute data of/)).toHaveCount(0);
  const best = await page.getByTestId('rules-text').innerText();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Verified: the server got the same result, bit for bit.')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'a search over own rules');
  await page.waitForTimeout(1500);
  await page.reload();
  await expectMessage(page, 'Backtest restored');
  await expect(page.getByTestId('search-facts')).toBeVisible();
  await expect(page.getByTestId('rules-text')).toHaveText(best);
  await tabNamed(page, 'Table').click();
  await openOther();
  await page.getByRole('button', { name: 'Back to my set' }).click();
  await expect(page.getByTestId('rules-text')).toHaveText(documented);
});

test('RULE-203 a search over few sets counts each of them once', async ({ page }) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'n = 12 [5..15 step 1]\nlong when crossover(close, ema(close, n))\nstop 2 %');
  await run(page);
  await tabNamed(page, 'Optimization').click();
  await expect(page.getByRole('region', { name: 'Ranges of the search' })).toContainText('11 sets in all.');
  const said = 'Your ranges have 11 sets: a repeated draw is no new trial';
  await expect(page.getByTestId('trials-planned')).toContainText(said);
  await expect(page.getByTestId('detectable')).toContainText(' for 11 sets.');
  await page.getByRole('button', { name: /^Optimize / }).click();
  await expect(page.getByTestId('search-facts')).toContainText(said);
  await expect(page.getByText('Search of 11 sets')).toBeVisible();
});

test('RULE-199 RULE-200 the builder gives a number a range, shares it, turns it back into its number, and averages another series', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'long when close > ema(close, 50) and volume > sma(close, 20)\nstop 2 %');
  await choose(page, 'Write rules as', 'Builder');
  const field = (row: number, what: string) =>
    page.getByRole('combobox', { name: `Long when, condition ${row}, right, ${what}`, exact: true });
  await field(2, 'of').selectOption('volume');
  await field(1, 'Period: number or range').selectOption('New range');
  await expect(page.getByRole('textbox', { name: 'ema_period, exact value' })).toHaveValue('50');
  await field(2, 'Period: number or range').selectOption('ema_period');
  await page.getByRole('combobox', { name: 'Stop, distance: number or range' }).selectOption('New range');
  // Parts of a candle are not offered to a period.
  await expect(field(2, 'Period: number or range').getByRole('option')).toHaveText(['Number', 'ema_period']);
  await expectAccessibleAtBothWidths(page, 'the builder with ranges');
  const slider = page.getByRole('textbox', { name: 'ema_period, exact value' });
  await slider.fill('60');
  await slider.press('Enter');
  await field(2, 'Period: number or range').selectOption('Number');
  await choose(page, 'Write rules as', 'Text');
  await expect
    .poll(() => textOf(page))
    .toBe(
      [
        'ema_period = 60 [25..100 step 5]',
        'stop_distance = 2 [1..4 step 0.2]',
        'long when close > ema(close, ema_period) and volume > sma(volume, 60)',
        'stop stop_distance %',
      ].join('\n'),
    );
  await expect(problems(page)).toContainText('No errors.');
});

test('RULE-199 a new range of the builder keeps the order and the step of its field, and goes with its last use', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'long when macd(20, 26, 9) > 0 and funding > 0.0005 and hour > 8');
  await choose(page, 'Write rules as', 'Builder');
  const field = (row: number, what: string) =>
    page.getByRole('combobox', { name: `Long when, condition ${row}, ${what}: number or range`, exact: true });
  await field(1, 'left, Fast EMA').selectOption('New range');
  await field(1, 'left, Slow EMA').selectOption('New range');
  await field(1, 'left, Slow EMA').selectOption('Number');
  await field(1, 'left, Slow EMA').selectOption('New range');
  await field(2, 'right, value').selectOption('New range');
  await field(3, 'right, value').selectOption('New range');
  await choose(page, 'Write rules as', 'Text');
  await expect
    .poll(() => textOf(page))
    .toBe(
      [
        'macd_fast = 20 [10..24 step 2]',
        'macd_slow = 26 [26..46 step 2]',
        'level = 0.0005 [0.00025..0.001 step 0.00005]',
        'level2 = 8 [3..18 step 1]',
        'long when macd(macd_fast, macd_slow, 9) > 0 and funding > level and hour > level2',
      ].join('\n'),
    );
  await expect(problems(page)).toContainText('No errors.');
});

test('RULE-201 the builder adds trailing stop, break even, hold, opposite exit and size by clicks, and the result is another one', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  const entries = ['long when close > ema(close, 20)', 'short when close < ema(close, 20)'].join('\n');
  await write(page, entries);
  await run(page);
  const hash = page.getByTestId('browser-result');
  await choose(page, 'Write rules as', 'Builder');
  const exits = page.getByRole('region', { name: 'Exits', exact: true });
  const pick = (name: string, option: string) =>
    exits.getByRole('combobox', { name, exact: true }).selectOption({ label: option });
  const type = async (name: string, value: string) => {
    const field = exits.getByRole('textbox', { name, exact: true });
    await field.fill(value);
    await field.press('Enter');
  };
  const hashOf = async () => (await hash.getAttribute('data-hash')) ?? '';
  let before = await hashOf();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  /** The result shown is that of rules with this line, and another one than before. */
  const expectOther = async (line: string) => {
    await expect(page.getByTestId('rules-text')).toContainText(line);
    await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
    await expect(hash, line).not.toHaveAttribute('data-hash', before);
    before = await hashOf();
  };
  await pick('Longest hold', 'Candles');
  await type('Longest hold, value', '6');
  await expectOther('hold 6');
  await pick('On opposite signal', 'Reverse');
  await expectOther('on opposite reverse');
  await pick('Trailing stop by', 'Percent');
  await type('Trailing stop, distance', '0.4');
  await expectOther('trail 0.4 %');
  await type('Trailing stop, after a gain of', '0.2');
  await type('Trailing stop, in steps of', '0.1');
  await pick('Break even', 'After a gain');
  await type('Break even, value', '0.1');
  await pick('Size by', 'Whole notional');
  await expectOther('size fixed');
  await exits.getByRole('combobox', { name: 'Longest hold, value: number or range' }).selectOption('New range');
  await expectAccessibleAtBothWidths(page, 'exits of the builder');

  await choose(page, 'Write rules as', 'Text');
  const trail = 'trail 0.4 % step 0.1 % after 0.2 %';
  const written = [
    'hold_candles = 6 [1..16 step 1]',
    entries,
    trail,
    'break even after 0.1R',
    'hold hold_candles',
    'on opposite reverse',
    'size fixed',
  ].join('\n');
  await expect.poll(() => textOf(page)).toBe(written);
  // An error is said at its row.
  await write(page, written.replace(trail, 'trail 120 %'));
  await choose(page, 'Write rules as', 'Builder');
  await expect(exits).toContainText('Fix: use a number above 0 to 99 %.');
  const distance = exits.getByRole('textbox', { name: 'Trailing stop, distance', exact: true });
  await expect(distance).toHaveAttribute('aria-invalid', 'true');
  await expect(distance).toHaveAccessibleDescription(/120 %.*use a number above 0 to 99 %/);
  await expect(exits.getByRole('textbox', { name: 'Break even, value', exact: true })).toHaveAttribute(
    'aria-invalid',
    'false',
  );
  await pick('Trailing stop by', 'Off');
  await expect(problems(page)).toContainText('No errors.');
});

test('RULE-205 an error of the builder is announced at its field, and a warning is not an error', async ({ page }) => {
  await signUp(page, 'backtest');
  await openEditor(page);
  await write(page, 'n = 0 [0..20 step 1]\nlong when close > ema(close, 0) and ema(close, n) > close\nstop n %');
  await choose(page, 'Write rules as', 'Builder');
  const period = page.getByRole('textbox', { name: 'Long when, condition 1, right, Period', exact: true });
  await expect(period).toHaveAttribute('aria-invalid', 'true');
  await expect(period).toHaveAccessibleDescription(/Fix: /);
  await expect(page.getByRole('combobox', { name: 'Long when, condition 1, left', exact: true })).toHaveAttribute(
    'aria-invalid',
    'false',
  );
  // A name in place of the number: its list has the error.
  for (const name of ['Long when, condition 2, left, Period', 'Stop, distance']) {
    const list = page.getByRole('combobox', { name: `${name}: number or range`, exact: true });
    await expect(list).toHaveAttribute('aria-invalid', 'true');
    await expect(list).toHaveAccessibleDescription(/Fix: /);
  }
  // The field's own error comes before that of the text.
  await period.fill('x');
  await expect(period).toHaveAccessibleDescription(/^Enter a number .*Fix: /);
  await period.fill('20');
  await period.press('Enter');
  await expect(period).toHaveAttribute('aria-invalid', 'false');
  await expect(period).toHaveAccessibleDescription('');

  await choose(page, 'Write rules as', 'Text');
  await write(page, 'long when rsi(14) < close');
  await choose(page, 'Write rules as', 'Builder');
  for (const side of ['left', 'right']) {
    const list = page.getByRole('combobox', { name: `Long when, condition 1, ${side}`, exact: true });
    await expect(list).toHaveAttribute('aria-invalid', 'false');
    await expect(list).toHaveAccessibleDescription(/compares a value from 0 to 100 with a price/i);
  }
});
