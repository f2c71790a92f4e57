import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { dragLine } from './support/dragLine.ts';
import { expectMessage } from './support/messages.ts';
import { openByApi } from './support/positions.ts';
import { movePrice } from './support/prices.ts';
import { openTab, signUp } from './support/users.ts';

/** Markets of this file alone: it moves their prices. */
const [managed, winner, loser, short, split] = ['EGLDUSDT', 'CHZUSDT', 'IOTAUSDT', 'BATUSDT', 'ENJUSDT'] as const;
const compared = 'DASHUSDT';

interface Stored {
  id: string;
  symbol: string;
  entry_price: number;
  stop_loss: number;
  initial_stop_loss: number;
  take_profit: number;
  trailing_enabled: boolean;
  trail_mode: string | null;
  trail_callback_pct: number | null;
}

const openOf = async (page: Page): Promise<Stored[]> =>
  ((await (await page.request.get('/api/positions')).json()) as { positions: Stored[] }).positions;
async function stored(page: Page): Promise<Stored> {
  const match = (await openOf(page)).find(({ symbol }) => symbol === managed);
  if (match === undefined) throw new Error('the position is not open');
  return match;
}
const form = (page: Page) => page.getByRole('form', { name: 'Stop and target' });
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true });
const fieldValue = async (page: Page, name: string): Promise<number> => Number(await field(page, name).inputValue());

const tickText = (value: number): string => String(Number(value.toPrecision(4)));

async function showPositions(page: Page, symbol: string = managed): Promise<void> {
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'Positions', exact: true }).click();
  await page.getByRole('row').filter({ hasText: symbol }).first().click();
  await expect(form(page)).toBeVisible();
}

/** Drags a line of the chart by pixels. */
async function drag(page: Page, level: 'stop' | 'target' | 'target:1', byPx: number): Promise<void> {
  await dragLine(page.locator(`.chart-handle[data-level="${level}"]`), byPx);
}

test('DESK-001 DESK-002 DESK-003 DESK-005 DESK-006 DESK-009 DESK-012 DESK-013 a position is changed by number, by dragging, to break-even and to trailing', async ({
  page,
}) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page, 'account');
  await movePrice(page, managed, 1);
  await openByApi(page, managed, 'LONG');
  await showPositions(page);
  const first = await stored(page);

  // By number: the result at the level is shown, a level on the wrong side is rejected before it is sent.
  await field(page, 'Stop').fill(tickText(first.entry_price * 1.2));
  await expect(form(page).getByText(/^A stop at .* closes it at once/)).toBeVisible();
  await expect(form(page).getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await field(page, 'Stop').fill(tickText(first.entry_price * 0.98));
  await expect(form(page).getByText(/^\u2212[\d.]+ USDT, \u22120\.\d\dR$/)).toBeVisible();
  await field(page, 'Target').fill(tickText(first.entry_price * 1.06));
  await form(page).getByRole('switch', { name: 'Trailing stop' }).click();
  await field(page, 'Target').press('Enter');
  await expectMessage(page, new RegExp(`^LONG ${managed} changed: stop .* trailing off`));
  const second = await stored(page);
  expect(second.stop_loss / first.entry_price).toBeCloseTo(0.98, 2);
  expect(second.take_profit / first.entry_price).toBeCloseTo(1.06, 2);
  expect(second.initial_stop_loss).toBe(first.stop_loss);
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('You moved the stop from');

  // By dragging: the loss follows while the button is down, and a bar with Save appears.
  const bar = page.getByRole('group', { name: 'Moved levels' });
  await expect(page.locator('.chart-handle')).toHaveCount(2);
  await drag(page, 'stop', 24);
  await expect(bar.getByRole('status')).toHaveText(/^Stop [\d.,]+: \u2212[\d.]+ USDT, \u2212\d\.\d\dR$/);
  await page.mouse.up();
  expect(await fieldValue(page, 'Stop')).toBeLessThan(second.stop_loss);
  await bar.getByRole('button', { name: 'Discard' }).click();
  await expect(bar).toHaveCount(0);
  expect(await fieldValue(page, 'Stop')).toBeCloseTo(second.stop_loss, 6);
  await drag(page, 'target', 12);
  await page.mouse.up();
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, new RegExp(`^LONG ${managed} changed`));
  const third = await stored(page);
  expect(third.take_profit).toBeLessThan(second.take_profit);
  expect(third.stop_loss).toBe(second.stop_loss);

  // Another tab changes the stop while this one edits with what it saw.
  await page.route('**/api/positions?*', (route) => route.abort());
  await field(page, 'Target').fill(tickText(first.entry_price * 1.07));
  const elsewhere = await page.request.patch(`/api/positions/${first.id}`, {
    data: { stop_loss: first.entry_price * 0.975 },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(elsewhere.status(), await elsewhere.text()).toBe(200);
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(form(page).getByRole('alert')).toContainText('Changed meanwhile: the stop is');
  await page.unroute('**/api/positions?*');
  await form(page).getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => fieldValue(page, 'Stop')).toBeCloseTo(first.entry_price * 0.975, 2);

  // Break-even once the price has passed it, and trailing with its values.
  await movePrice(page, managed, 1.02);
  await expect(form(page).getByRole('button', { name: /^Break-even at/ })).toBeEnabled();
  await form(page)
    .getByRole('button', { name: /^Break-even at/ })
    .click();
  await form(page).getByRole('switch', { name: 'Trailing stop' }).click();
  await field(page, 'Callback (%)').fill('1.5');
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expectMessage(page, /trailing 1\.5 %, step 0\.25 %/);
  expect(await stored(page)).toMatchObject({ trailing_enabled: true, trail_mode: 'percent', trail_callback_pct: 1.5 });
  expect((await stored(page)).stop_loss).toBeGreaterThan(first.entry_price);

  await page.reload();
  await showPositions(page);
  expect(await fieldValue(page, 'Stop')).toBeGreaterThan(first.entry_price);
  await expect(form(page).getByRole('switch', { name: 'Trailing stop' })).toBeChecked();
  await expect(field(page, 'Callback (%)')).toHaveValue('1.5');
  await expectAccessibleAtBothWidths(page, 'a position that is changed');
});

test('DESK-158 DESK-159 DESK-184 an open position gets up to three targets with shares, by form and by dragging each line', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openByApi(page, split, 'LONG');
  await showPositions(page, split);
  const targets = async () => {
    const [own] = (await openOf(page)) as (Stored & { take_profits: { price: number; fraction: number }[] | null })[];
    // Shares are normalised by their sum.
    return own?.take_profits?.map(({ price, fraction }) => ({ price, fraction: Number(fraction.toFixed(6)) })) ?? null;
  };
  expect(await targets()).toBeNull();
  const add = form(page).getByRole('button', { name: 'Add target' });
  await add.click();
  await add.click();
  await expect(add).toHaveCount(0);
  await expect(field(page, 'Share 3')).toHaveValue('34');
  await field(page, 'Share 1').fill('60');
  await field(page, 'Share 2').fill('50');
  await expect(form(page).getByText('Lower the shares', { exact: false })).toBeVisible();
  await expect(form(page).getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await field(page, 'Share 2').fill('30');
  await page.screenshot({ path: 'test-results/position-targets.png' });
  await expectAccessibleAtBothWidths(page, 'targets of a position');
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expectMessage(page, new RegExp(`^LONG ${split} changed: stop .* targets `));
  const three = (await targets()) ?? [];
  expect(three.map(({ fraction }) => fraction)).toEqual([0.6, 0.3, 0.1]);

  // Each has its line; the second is dragged.
  await expect(page.locator('.chart-handle')).toHaveCount(4);
  await drag(page, 'target:1', 10);
  await page.mouse.up();
  const bar = page.getByRole('group', { name: 'Moved levels' });
  await expect(bar.getByRole('status')).toContainText(/Target 2 [\d.,]+: \+/);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, new RegExp(`^LONG ${split} changed`));
  const moved = (await targets()) ?? [];
  expect(moved[1]?.price).toBeLessThan(three[1]?.price ?? 0);
  expect([moved[0], moved[2]]).toEqual([three[0], three[2]]);

  // A chart that is there from the first moment has each line once too.
  await page.reload();
  await expect(form(page)).toBeVisible();
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await expect(page.locator('.chart-handle')).toHaveCount(4);

  await form(page).getByRole('button', { name: 'Remove target 3' }).click();
  await form(page).getByRole('button', { name: 'Remove target 2' }).click();
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(targets).toBeNull();
});

test('DESK-163 targets that another tab changed are not overwritten unseen; saving again replaces them', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openByApi(page, split, 'LONG');
  await showPositions(page, split);
  const [own] = await openOf(page);
  if (own === undefined) throw new Error('no position is open');
  const pricesOf = async (): Promise<number[]> => {
    const [now] = (await openOf(page)) as (Stored & { take_profits: { price: number }[] | null })[];
    return now?.take_profits?.map(({ price }) => price) ?? [];
  };
  await form(page).getByRole('button', { name: 'Add target' }).click();
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await pricesOf()).length).toBe(2);
  await expect(form(page).getByRole('button', { name: 'Save changes' })).toBeDisabled();
  const [first = 0, second = 0] = await pricesOf();
  const nearer = tickText((own.entry_price + first) / 2);
  await field(page, 'Target 1').fill(nearer);
  // The second target moves elsewhere, and this page reads it before it saves.
  const later = tickText(second * 1.01);
  const isReread = page.waitForResponse(
    async (response) => response.url().includes('/api/positions?') && (await response.text()).includes(later),
  );
  const elsewhere = await page.request.patch(`/api/positions/${own.id}`, {
    data: {
      take_profits: [
        { price: first, fraction: 0.5 },
        { price: Number(later), fraction: 0.5 },
      ],
    },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(elsewhere.status(), await elsewhere.text()).toBe(200);
  await isReread;
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(form(page).getByRole('alert')).toContainText('Changed meanwhile: target 2 is');
  expect((await pricesOf())[1]).toBeGreaterThan(second);
  await form(page).getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(pricesOf).toEqual([Number(nearer), second]);
});

/** The net result of closing in the table, then in each list of figures on screen, read at one moment: the price moves on. */
const readNets = (page: Page, name: string): Promise<(string | null)[]> =>
  page.evaluate((label) => {
    const row = document.querySelector(`button[aria-label="${label}"]`)?.closest('[role="row"]');
    const terms = [...document.querySelectorAll('dt')].filter((term) => term.textContent === 'Net if closed now, USDT');
    const cell = row?.querySelectorAll('[role="gridcell"]')[6];
    return [cell?.textContent ?? null, ...terms.map((term) => term.nextElementSibling?.textContent ?? null)];
  }, name);

test('DESK-176 table, detail, close dialog and closing together show one net result for one moment', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openByApi(page, compared, 'LONG');
  await showPositions(page, compared);
  const name = `Close LONG ${compared}`;
  const money = /^[+\u2212][\d.,]+$/;
  await expect.poll(async () => (await readNets(page, name))[0]).toMatch(money);
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `${name}?` });
  await expect(dialog).toContainText(/Fill with spread and slippage[\d.,]+Net if closed now, USDT[+\u2212][\d.]+/);
  const [table, ...others] = await readNets(page, name);
  expect(table).toMatch(money);
  expect(others).toEqual([table, table]);
  await dialog.getByText('50 %', { exact: true }).click();
  await expect(dialog).toContainText(/Net of this part, USDT[+\u2212][\d.]+/);
  await dialog.getByRole('button', { name: 'Keep it open' }).click();
  await page.getByRole('button', { name: 'Close all' }).click();
  await page.getByRole('menuitem', { name: 'All 1' }).click();
  await expect(page.getByRole('dialog', { name: 'Close 1 position?' })).toContainText(/now, USDT[+\u2212][\d.]+/);
  const [again, ...together] = await readNets(page, name);
  expect(together).toEqual([again, again]);
});

test('DESK-010 DESK-011 losers close together, after a question with their number and result', async ({ page }) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page, 'account');
  await openByApi(page, winner, 'LONG');
  await openByApi(page, loser, 'LONG');
  await openByApi(page, short, 'SHORT');
  await showPositions(page, winner);
  await movePrice(page, winner, 1.01);
  await movePrice(page, loser, 0.99);
  await movePrice(page, short, 0.99);
  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole('button', { name: 'Close all' });
  await expect(async () => {
    await page.keyboard.press('Escape');
    await menu.click();
    await expect(page.getByRole('menuitem', { name: 'Losers 1' })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await page.getByRole('menuitem', { name: 'Losers 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close 1 loser?' });
  await expect(dialog).toContainText(loser);
  await expect(dialog).toContainText(/Net if closed now, USDT\u2212\d/);
  await dialog.getByRole('button', { name: 'Close 1 loser' }).click();
  await expectMessage(page, /^1 position closed, net \u2212[\d.]+ USDT/);
  expect((await openOf(page)).map(({ symbol }) => symbol).sort()).toEqual([short, winner].sort());
  await menu.click();
  await page.getByRole('menuitem', { name: 'Shorts 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close 1 short' }).click();
  await expectMessage(page, /^1 position closed, net/);
  expect((await openOf(page)).map(({ symbol }) => symbol)).toEqual([winner]);
});
