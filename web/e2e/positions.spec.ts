import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { movePrice, unmovedSymbols } from './support/prices.ts';
import { openAllResults } from './support/results.ts';

interface Opened {
  symbol: string;
  side: 'LONG' | 'SHORT';
  entry_price: number;
  stop_loss: number;
  take_profit: number;
  opened_at: string;
}

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const positionsOf = async (page: Page, state: 'open' | 'closed') =>
  ((await (await page.request.get(`/api/positions?state=${state}`)).json()) as { positions: Opened[] }).positions;

/** The auto tab before anything is open: conditions, bounds of trailing, guards off. Trailing is left off. */
async function walkAutoSettings(page: Page): Promise<void> {
  await openTab(page, 'Auto');
  for (const name of ['Overview', 'Trailing Settings', 'Active Positions', 'Performance'])
    await expect(tabNamed(page, name)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Armed' })).toBeVisible();
  await expect(page.getByText('10x').first()).toBeVisible();
  await expect(page.getByText('No run yet.')).toBeVisible();
  for (const guard of ['Daily loss limit', 'Stop streak', 'Max drawdown'])
    await expect(page.getByRole('switch', { name: guard })).not.toBeChecked();
  await tabNamed(page, 'Trailing Settings').click();
  await expect(page.getByLabel('Callback (%)')).toHaveValue('0.5');
  await expect(page.getByLabel('Step (%)')).toHaveValue('0.25');
  await expect(page.getByLabel('Activation (stop distances)')).toHaveValue('1');
  await expect(page.getByText('at 101.49', { exact: false })).toBeVisible();
  await page.getByLabel('Activation (stop distances)').fill('2');
  await expect(page.getByText('It trails once the price reaches 104.00.', { exact: false })).toBeVisible();
  await page.getByLabel('Callback (%)').fill('0.01');
  await expect(page.getByText('0.05 to 20', { exact: true })).toBeVisible();
  await page.getByText('ATR', { exact: true }).click();
  await expect(page.getByLabel('ATR multiplier')).toHaveValue('2');
  await page.getByLabel('ATR period').fill('3');
  await expect(page.getByText('5 to 200', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('switch', { name: 'Trailing enabled' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expectMessage(page, 'Automatic trading settings saved');
}

/** Runs a scan that opens only its best result, after the AI check. */
async function scanAndOpen(page: Page): Promise<Opened> {
  const status = await page.evaluate(async (blacklist) => {
    const headers = { 'content-type': 'application/json' };
    // Rejects open too, smaller; on 4h a stop may be too far for 10x. The best result changes with the hour.
    const settings = {
      positions_wanted: 1,
      ai_soft_approval: true,
      // The test moves the price of the opened symbol.
      blacklist,
      interval_opts: { '15m': true, '1h': true, '4h': false },
    };
    const request = { method: 'PUT', headers, body: JSON.stringify(settings) };
    return (await fetch('/api/preferences', request)).status;
  }, unmovedSymbols.join(','));
  expect(status).toBe(200);
  await openTab(page, 'Signals');
  // On a busy machine the price may have moved by the end of the check: then nothing opens, and the scan is repeated.
  for (let tries = 1; tries <= 3; tries += 1) {
    await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
    await expectMessage(page, /^(Auto position opened: (LONG|SHORT) [A-Z0-9]+USDT|No position opened)/, 90_000);
    const [opened] = await positionsOf(page, 'open');
    if (opened === undefined) continue;
    expect(await page.evaluate(() => document.body.dataset['changed'])).toBe('yes');
    return opened;
  }
  throw new Error('nothing is open');
}

/** Opens another result by hand, by the order ticket that it fills in, and closes it by hand, after the question. */
async function openAndCloseByHand(page: Page): Promise<void> {
  await openAllResults(page);
  const grid = page.getByRole('grid', { name: 'Scan results' });
  const confirm = page.getByRole('button', { name: /^(Buy|Sell) now$/ });
  const figures = page.getByRole('region', { name: 'Figures of the order' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(async () => {
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Open a position' }).click();
    await expect(figures.getByText('Loss at the stop', { exact: true })).toBeVisible();
    await expect(figures).toHaveAttribute('aria-busy', 'false');
    // A symbol that is open already would be added to.
    const isAdded = (await figures.getByText('Average entry after it').count()) > 0;
    if (!isAdded && (await confirm.isEnabled())) return;
    await page.getByRole('button', { name: 'Cancel' }).click();
    throw new Error('this one may not be opened');
  }).toPass({ timeout: 90_000 });
  for (const name of ['Gain at the target', 'Liquidation', 'Fees, in and out at the stop'])
    await expect(figures.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })).toBeVisible();
  await confirm.click();
  await expect.poll(async () => (await positionsOf(page, 'open')).length).toBe(2);
  const [{ symbol, side } = { symbol: '', side: '' }] = await positionsOf(page, 'open');
  // The bar hides while the page scrolls down.
  await page.evaluate(() => scrollTo(0, 0));
  await openTab(page, 'Dashboard');
  await page.getByRole('button', { name: `Close ${side} ${symbol}` }).click();
  await expect(page.getByRole('dialog').getByText(/This is final\.$/)).toBeVisible();
  // The close event may remove the row before the response arrives: the closing is reported anyway.
  const row = page.locator(`button[aria-label="Close ${side} ${symbol}"]`);
  await expect(row).toHaveCount(1);
  await page.route('**/api/positions/*/close', async (route) => {
    const response = await route.fetch();
    await expect(row).toHaveCount(0);
    await route.fulfill({ response });
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expectMessage(page, new RegExp(`^Position closed: ${side} ${symbol} at`));
  await expect(page.getByRole('button', { name: `Close ${side} ${symbol}` })).toHaveCount(0);
}

test('AUTO-001 AUTO-002 AUTO-003 AUTO-005 AUTO-010 AUTO-018 AUTO-021 AUTO-022 AUTO-025 AUTO-027 AUTO-035 AUTO-036 AUTO-038 POS-001 POS-002 POS-003 POS-004 POS-006 POS-007 POS-008 POS-009 POS-010 POS-011 POS-012 POS-016 SHELL-019 CONST-030 CONST-022 X8 X9 X53 X16 a signal becomes a position, is seen live, and reaches its target while the tab is shut', async ({
  page,
  context,
}) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  test.setTimeout(480_000);
  await signUp(page);
  for (const name of ['Overview', 'Positions', 'History', 'Analytics'])
    await expect(tabNamed(page, name)).toBeVisible();
  await expect(page.getByText(/^No open positions\. Scans/)).toBeVisible();
  await expect(page.getByText(/^No trades in the last 24 hours\./)).toBeVisible();
  await page.evaluate(() =>
    window.addEventListener('positions-changed', () => (document.body.dataset['changed'] = 'yes')),
  );
  await walkAutoSettings(page);
  const { symbol, side, entry_price: entry, stop_loss: stop, ...opened } = await scanAndOpen(page);
  const way = side === 'LONG' ? 1 : -1;

  await openAndCloseByHand(page);

  // Live: the price moves, and the result with it.
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: `Close ${side} ${symbol}` }) });
  await expect(row).toBeVisible();
  const net = row.getByRole('gridcell').nth(6);
  // Half the way to the stop at most: on a slow machine the position may be armed by now.
  const step = Math.min(0.006, Math.abs(1 - stop / entry) / 2);
  await movePrice(page, symbol, 1 + way * step);
  await expect(net).toHaveText(/^\+/);
  await movePrice(page, symbol, 1 - way * step);
  await expect(net).toHaveText(/^\u2212/);
  await movePrice(page, symbol, 1);

  // The shock, walked in the browser.
  const shock = page.getByRole('textbox', { name: 'Market shock, exact value' });
  await expect(shock).toHaveValue('3');
  await shock.fill('20');
  const verdict = page.getByRole('table', { name: 'What the shock does' });
  await expect(verdict.getByRole('row', { name: /^Stopped/ })).toContainText(symbol);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('switch', { name: 'Jump over the stops' }).click();
  await expect(verdict.getByRole('row', { name: /^Liquidated/ })).toContainText(symbol);
  await tabNamed(page, 'Positions').click();
  await page.getByText('High confidence', { exact: true }).click();
  await page.getByText(side === 'LONG' ? 'Short' : 'Long', { exact: true }).click();
  await expect(page.getByText('No positions match this filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('Opened at');

  await openTab(page, 'Auto');
  await tabNamed(page, 'Overview').click();
  await expect(page.getByRole('cell', { name: 'Opened', exact: true })).toBeVisible();

  // No page is open; a minute after the opening the price reaches the target.
  const waiting = await context.newPage();
  await page.close();
  await waiting.waitForTimeout(Math.max(0, Date.parse(opened.opened_at) + 62_000 - Date.now()));
  let beyond = 0;
  await expect(async () => {
    // The simulated market keeps moving: if the target is not reached, the price is moved further.
    beyond += 0.004;
    await movePrice(waiting, symbol, (opened.take_profit / entry) * (1 + way * beyond));
    const closed = await positionsOf(waiting, 'closed');
    expect(closed.find((each) => each.symbol === symbol)).toMatchObject({ close_reason: 'TP' });
  }).toPass({ timeout: 60_000, intervals: [2000] });

  await waiting.goto('/');
  await openTab(waiting, 'Dashboard');
  await tabNamed(waiting, 'History').click();
  const ended = waiting.getByRole('row', { name: new RegExp(symbol) });
  await expect(ended).toContainText('TP target');
  await ended.click();
  await expect(waiting.getByRole('list', { name: 'Events' })).toContainText('TP target');
  await waiting.getByRole('button', { name: 'Replay' }).click();
  // A life of less than a whole minute cannot be replayed yet, and the page says so.
  await expect(
    waiting.getByRole('table', { name: 'What if, compared' }).or(waiting.getByText('No whole minute has passed')),
  ).toBeVisible();
  await tabNamed(waiting, 'Analytics').click();
  await expect(waiting.getByRole('table', { name: 'By reason' })).toContainText('TP target');
});
