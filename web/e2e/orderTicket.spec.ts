// Long because all of it needs the ticket's helpers, and markets that only this file moves.
import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { dragLine } from './support/dragLine.ts';
import { expectMessage } from './support/messages.ts';
import { runInPalette } from './support/palette.ts';
import { movePrice } from './support/prices.ts';
import { orderFigures, orderTicket, settledFigures } from './support/ticket.ts';
import { openTab, signUp } from './support/users.ts';

/** Markets of this file alone: it moves their prices. */
const [bought, rested] = ['SNXUSDT', 'COMPUSDT'] as const;

interface Position {
  id: string;
  symbol: string;
  side: string;
  qty: number;
  entry_price: number;
}
interface Order {
  id: string;
  symbol: string;
  price: number;
  quantity: number;
  expires_at: string | null;
  stop_loss: number;
  take_profits: { price: number; fraction: number }[];
}

const openOf = async (page: Page): Promise<Position[]> =>
  ((await (await page.request.get('/api/positions')).json()) as { positions: Position[] }).positions;
const restingOf = async (page: Page): Promise<Order[]> =>
  ((await (await page.request.get('/api/orders')).json()) as { orders: Order[] }).orders;
/** The last price. On a busy machine it is too old for a moment, which is an error. */
async function lastPrice(page: Page, symbol: string): Promise<number> {
  let price = NaN;
  await expect
    .poll(async () => {
      const response = await page.request.get(`/api/price?symbol=${symbol}`);
      ({ price = NaN } = (await response.json()) as { price?: number });
      return price;
    })
    .toBeGreaterThan(0);
  return price;
}

const ticket = orderTicket;
const field = (page: Page, name: string) => ticket(page).getByRole('textbox', { name, exact: true });
const valueOf = async (page: Page, name: string): Promise<number> => Number(await field(page, name).inputValue());
const figures = orderFigures;
const settled = settledFigures;
const orders = (page: Page) => page.getByRole('group', { name: 'Resting orders' });

async function fromPalette(page: Page, typed: string, match: string): Promise<void> {
  await runInPalette(page, typed, match);
  await expect(ticket(page)).toBeVisible();
}

async function showPositions(page: Page): Promise<void> {
  // The bar hides while the page scrolls down.
  await page.evaluate(() => scrollTo(0, 0));
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'Positions', exact: true }).click();
}

/** Handles of the prices of resting orders, not of their stops and targets. */
const orderHandles = (page: Page) => page.locator('.chart-handle:not([data-level*=":"])');

test('DESK-054 DESK-056 DESK-058 DESK-062 DESK-173 buy from the palette, each size follows the others, close half, reverse, Back', async ({
  page,
}) => {
  await signUp(page);
  await expect(page.getByRole('row', { name: /ETHUSDT/ })).toBeVisible();
  await fromPalette(page, 'buy snx 500', `Buy ${bought} 500 USDTOrder`);
  await expect(page).toHaveURL(new RegExp(`ticket=buy-${bought}`));
  await settled(page);
  await expect(field(page, 'Notional')).toHaveValue('500');
  await expect(field(page, 'Notional')).toBeFocused();
  for (const name of ['Loss at the stop', 'Gain at the target', 'Liquidation', 'Next funding', 'Free equity after it'])
    await expect(
      figures(page)
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${name}$`) }),
    ).toBeVisible();
  await expect(ticket(page).getByRole('img', { name: /^Price ladder.*Stop.*Entry.*Target/ })).toBeVisible();
  const price = await lastPrice(page, bought);
  expect((await valueOf(page, 'Quantity')) * price).toBeCloseTo(500, -1);

  // Each field leads in turn: half of the size in one is half in the others. Quantities have steps.
  const sizes = ['Notional', 'Quantity', 'Share of equity', 'Loss at the stop'];
  const before = await Promise.all(sizes.map((name) => valueOf(page, name)));
  for (const [at, name] of sizes.entries()) {
    await field(page, name).fill(String(Number(((before[at] ?? 0) / 2).toPrecision(2))));
    for (const [other, follower] of sizes.entries()) {
      const shareOf = async () => (await valueOf(page, follower)) / (before[other] ?? 1);
      await expect.poll(shareOf, { message: `${follower} after ${name}` }).toBeCloseTo(0.5, 1);
    }
    await field(page, name).fill(String(before[at]));
    await settled(page);
  }
  await field(page, 'Notional').fill('500');
  await settled(page);

  // Two targets with shares, trailing of its own.
  await ticket(page).getByRole('button', { name: 'Add target' }).click();
  await settled(page);
  await expect(figures(page).getByText('Gain at target 2 (50 %)')).toBeVisible();
  await ticket(page).getByRole('button', { name: 'Trailing stop: As set' }).click();
  await choose(page, 'Trailing stop', 'Percent');
  await expect(ticket(page).getByRole('button', { name: 'Trailing stop: Percent' })).toBeVisible();
  await expect(field(page, 'Callback (%)')).toBeVisible();
  await choose(page, 'Trailing stop', 'As set');

  // A double click opens once.
  const submit = ticket(page).getByRole('button', { name: 'Buy now' });
  await expect(submit).toBeEnabled();
  await submit.dblclick();
  await expectMessage(page, new RegExp(`^Bought [\\d,.]+ ${bought} at`));
  await expect(ticket(page)).toHaveCount(0);
  const opened = await openOf(page);
  expect(opened.map(({ symbol, side }) => [symbol, side])).toEqual([[bought, 'LONG']]);

  // Half of it is closed; the fills say so.
  await showPositions(page);
  await page.getByRole('button', { name: `Close LONG ${bought}` }).click();
  await choose(page, 'Part to close', '50 %');
  await expect(page.getByRole('dialog').getByText('Fill with spread and slippage')).toBeVisible();
  await expect(
    page
      .getByRole('dialog')
      .getByText(/^[\u2212+]?[\d,.]+$/)
      .last(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Close this part' }).click();
  await expectMessage(page, new RegExp(`of LONG ${bought} closed at`));
  await expect.poll(async () => (await openOf(page))[0]?.qty).toBeCloseTo((opened[0]?.qty ?? 0) / 2, -1);
  const fills = page.getByRole('table', { name: 'Fills' });
  // A head, and two lines of each fill.
  await expect(fills.getByRole('row')).toHaveCount(5);
  await expect(fills).toContainText('Buy Opened');
  await expect(fills).toContainText('Sell Closed a part');
  // Both are market orders: each states what it paid beside the fee.
  await expect(fills.getByText(/^Market [\d,.]+(, half spread [\d,.]+)?, slippage [\d,.]+$/)).toHaveCount(2);

  // Turned round.
  await page.getByRole('button', { name: 'Reverse', exact: true }).click();
  await page.getByRole('button', { name: 'Open the SHORT' }).click();
  await expectMessage(page, `Reversed: SHORT ${bought} opened at`);
  await expect.poll(async () => (await openOf(page)).map(({ side }) => side)).toEqual(['SHORT']);

  // The ticket adds; Back closes it, Forward opens it with what was typed.
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(ticket(page)).toBeVisible();
  await field(page, 'Notional').fill('123');
  await page.goBack();
  await expect(ticket(page)).toHaveCount(0);
  await page.goForward();
  await expect(field(page, 'Notional')).toHaveValue('123');
  await page.reload();
  await expect(field(page, 'Notional')).toHaveValue('123');
  await ticket(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(ticket(page)).toHaveCount(0);
});

test('DESK-059 DESK-060 DESK-061 by keyboard alone: a limit order rests, is edited and cancelled, and two tabs agree', async ({
  page,
  context,
}) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page, 'help');
  await movePrice(page, rested, 1);
  await page.goto(`/?tab=dashboard&symbol=${rested}`);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await page.locator('#main').focus();
  await page.keyboard.press('b');
  await expect(ticket(page)).toBeVisible();
  await expect(field(page, 'Notional')).toBeFocused();
  await page.keyboard.type('300');
  await ticket(page).getByRole('radio', { name: 'Market', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Limit price')).toBeFocused();
  const price = await lastPrice(page, rested);
  const limit = Number((price * 0.99).toPrecision(3));

  // On the wrong side of the market it would not rest: the field says so, with the fix.
  await page.keyboard.type(String(Number((price * 1.05).toPrecision(3))));
  await expect(ticket(page).getByText(/would fill at once: .*Set it below/)).toBeVisible();
  await expect(ticket(page).getByRole('button', { name: 'Place buy limit' })).toBeDisabled();
  await field(page, 'Limit price').fill(String(limit));
  await settled(page);
  await field(page, 'Limit price').press('Enter');
  await expectMessage(page, new RegExp(`^Buy limit for [\\d,.]+ ${rested} rests at`));
  await expect.poll(async () => (await restingOf(page)).map((order) => order.price)).toEqual([limit]);

  // A line of the chart, a row in Positions, and the same in another tab.
  await expect(orderHandles(page)).toHaveCount(1);
  const other = await context.newPage();
  await other.goto('/?tab=dashboard&page=positions');
  await showPositions(page);
  for (const on of [page, other]) await expect(orders(on)).toContainText(rested);
  await page.getByRole('button', { name: `Edit buy limit ${rested}` }).press('Enter');
  const edited = page.getByRole('form', { name: `Change buy limit ${rested}` }).getByLabel('Price', { exact: true });
  const lower = Number((price * 0.98).toPrecision(3));
  await edited.fill(String(lower));
  await edited.press('Enter');
  await expectMessage(page, `Changed: buy limit ${rested}`);
  expect((await restingOf(page))[0]?.price).toBe(lower);
  await expect(orders(other)).toContainText(String(lower));
  await other.getByRole('button', { name: `Cancel buy limit ${rested}` }).click();
  await expect(orders(page)).toHaveCount(0);
  expect(await restingOf(page)).toEqual([]);
});

test('DESK-066 a limit order fills when the price trades through it, and every open page says so', async ({ page }) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page);
  await movePrice(page, rested, 1);
  await fromPalette(page, 'buy comp 250', `Buy ${rested} 250 USDTOrder`);
  await choose(page, 'Order type', 'Limit');
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expectMessage(page, new RegExp(`^Buy limit for .* ${rested} rests at`));
  await expect.poll(async () => (await restingOf(page)).length).toBe(1);
  await movePrice(page, rested, 0.97);
  await expectMessage(page, new RegExp(`^Buy limit ${rested} filled: `));
  expect((await openOf(page)).map(({ symbol, side }) => [symbol, side])).toEqual([[rested, 'LONG']]);
  expect(await restingOf(page)).toEqual([]);
});

test('DESK-057 DESK-063 DESK-196 a lost connection and a moved price: nothing is sent twice, the draft stays', async ({
  page,
}) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page);
  await movePrice(page, rested, 1);
  await page.goto(`/?tab=dashboard&symbol=${rested}`);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await page.locator('#main').focus();
  await page.keyboard.press('s');
  await field(page, 'Notional').fill('200');
  await settled(page);
  await page.route('**/api/orders', (route) => route.abort());
  await ticket(page).getByRole('button', { name: 'Sell now' }).click();
  const unconfirmed = ticket(page).getByText(`Not confirmed: sell market order for ${rested}.`);
  await expect(unconfirmed).toBeVisible();
  // An edit is another order; the one that was sent stays named until it is dismissed.
  await field(page, 'Notional').fill('210');
  await settled(page);
  await expect(unconfirmed).toHaveCount(0);
  const left = ticket(page).getByText(/^An order sent at .* is not confirmed/);
  await expect(left).toBeVisible();
  await ticket(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(left).toHaveCount(0);
  await ticket(page).getByRole('button', { name: 'Sell now' }).click();
  await expect(unconfirmed).toBeVisible();
  await page.unroute('**/api/orders');
  expect(await openOf(page)).toEqual([]);
  await page.reload();
  await expect(field(page, 'Notional')).toHaveValue('210');
  await expect(unconfirmed).toBeVisible();
  await settled(page);

  const quoted = await lastPrice(page, rested);
  // The preview is held at the old price, the order meets the new one.
  await page.route('**/api/orders/preview', (route) => route.abort());
  await movePrice(page, rested, 1.03);
  await expect.poll(() => lastPrice(page, rested)).toBeGreaterThan(quoted * 1.02);
  await ticket(page).getByRole('button', { name: 'Sell now' }).click();
  await expect(ticket(page).getByText(/^The price moved/)).toBeVisible();
  await expect(ticket(page).getByRole('button', { name: 'Sell now' })).toBeDisabled();
  expect(await openOf(page)).toEqual([]);
  await page.unroute('**/api/orders/preview');
  await expect(ticket(page).getByRole('button', { name: 'Sell now' })).toBeEnabled();
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Sell now' }).click();
  await expectMessage(page, new RegExp(`^Sold [\\d,.]+ ${rested} at`));
  expect((await openOf(page)).map(({ side }) => side)).toEqual(['SHORT']);
});

test('DESK-190 an order whose response was lost is sent again as it was, and is placed once', async ({ page }) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page);
  await movePrice(page, rested, 1);
  await page.goto(`/?tab=dashboard&symbol=${rested}`);
  await page.locator('#main').focus();
  await page.keyboard.press('b');
  await field(page, 'Notional').fill('200');
  await settled(page);
  // The server places it; the response is that of a proxy.
  await page.route('**/api/orders', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
  });
  await ticket(page).getByRole('button', { name: 'Buy now' }).click();
  await expect(ticket(page).getByText(`Not confirmed: buy market order for ${rested}.`)).toBeVisible();
  await page.unroute('**/api/orders');
  const [placed] = await openOf(page);
  expect(placed?.side).toBe('LONG');
  // The price of the figures moves on.
  const quoted = await lastPrice(page, rested);
  await movePrice(page, rested, 1.001);
  await expect.poll(() => lastPrice(page, rested)).not.toBe(quoted);
  const polled = page.waitForResponse('**/api/orders/preview');
  await polled;
  await ticket(page).getByRole('button', { name: 'Buy now' }).click();
  await expectMessage(page, new RegExp(`^Bought [\\d,.]+ ${rested} at`));
  const open = await openOf(page);
  expect(open.map(({ id, qty }) => [id, qty])).toEqual([[placed?.id, placed?.qty]]);
});

test('DESK-059 B buys the symbol of the address while the page of its chart still loads', async ({ page }) => {
  await signUp(page);
  await page.goto(`/?tab=dashboard&symbol=${rested}`);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/DashboardTab-*.js', async (route) => {
    await held;
    await route.continue();
  });
  const requested = page.waitForRequest('**/assets/DashboardTab-*.js');
  await page.reload({ waitUntil: 'commit' });
  await requested;
  await page.locator('#main').focus();
  await page.keyboard.press('b');
  await expect(ticket(page)).toHaveAccessibleName(`Buy ${rested}`);
  release();
});

test('DESK-059 what is typed while the figures arrive replaces them', async ({ page }) => {
  await signUp(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/orders/preview', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await expect(field(page, 'Notional')).toBeFocused();
  await expect(field(page, 'Notional')).toHaveValue('');
  release();
  await expect(field(page, 'Notional')).not.toHaveValue('');
  await page.keyboard.type('400');
  await expect(field(page, 'Notional')).toHaveValue('400');
  await settled(page);
  await expect(field(page, 'Notional')).toHaveValue('400');
});

test('DESK-060 DESK-064 an order is dragged; ticket and orders are accessible at both widths and in both themes', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await choose(page, 'Order type', 'Limit');
  await field(page, 'Notional').fill('400');
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Add target' }).click();
  await settled(page);
  await expectAccessibleAtBothWidths(page, 'order ticket');
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expectMessage(page, /rests at/);

  // Its line is dragged; the new price is saved from the bar.
  await dragLine(orderHandles(page), 16);
  await page.mouse.up();
  const bar = page.getByRole('group', { name: 'Moved order' });
  await expect(bar.getByRole('status')).toContainText('BTCUSDT buy limit');
  const before = (await restingOf(page))[0]?.price ?? 0;
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, /^BTCUSDT buy limit [\d.]+ moved to/);
  await expect(bar).toHaveCount(0);
  expect((await restingOf(page))[0]?.price).toBeLessThan(before);

  await showPositions(page);
  await expect(orders(page)).toBeVisible();
  await page.getByRole('button', { name: 'Edit buy limit BTCUSDT' }).click();
  await expectAccessibleAtBothWidths(page, 'resting orders');
});

test('DESK-160 DESK-161 stop and targets of a resting order are changed by form, and each by dragging its line', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await choose(page, 'Order type', 'Limit');
  await field(page, 'Notional').fill('400');
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Add target' }).click();
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expectMessage(page, /rests at/);
  const resting = async () => (await restingOf(page))[0] as Order;
  const before = await resting();
  expect(before.take_profits.map(({ fraction }) => fraction)).toEqual([0.5, 0.5]);

  // Price, stop and two targets have a line each. The first target is dragged towards the price.
  await expect(page.locator('.chart-handle')).toHaveCount(4);
  const bar = page.getByRole('group', { name: 'Moved order' });
  const dragged = async (part: string, byPx: number) => {
    await dragLine(page.locator(`.chart-handle[data-level$=":${part}"]`), byPx);
    await page.mouse.up();
  };
  await dragged('0', 8);
  await expect(bar.getByRole('status')).toContainText(/buy limit [\d.]+, target 1: /);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, /^BTCUSDT buy limit [\d.]+, target 1 moved to/);
  await expect(bar).toHaveCount(0);
  const second = await resting();
  expect(second.take_profits[0]?.price).toBeLessThan(before.take_profits[0]?.price ?? 0);
  expect(second.take_profits[1]).toEqual(before.take_profits[1]);
  await dragged('stop', -6);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, /^BTCUSDT buy limit [\d.]+, stop moved to/);
  expect((await resting()).stop_loss).toBeGreaterThan(before.stop_loss);
  expect((await resting()).take_profits).toEqual(second.take_profits);

  await showPositions(page);
  await page.getByRole('button', { name: 'Edit buy limit BTCUSDT' }).click();
  const form = page.getByRole('form', { name: 'Change buy limit BTCUSDT' });
  await form.getByRole('button', { name: 'Add target' }).click();
  await expect(form.getByLabel('Share 3', { exact: true })).toHaveValue('34');
  await form.getByLabel('Share 1', { exact: true }).fill('90');
  await expect(form.getByText('Lower the shares', { exact: false })).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Share 1', { exact: true }).fill('50');
  await page.screenshot({ path: 'test-results/order-targets.png' });
  await expectAccessibleAtBothWidths(page, 'targets of a resting order');
  await form.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, 'Changed: buy limit BTCUSDT');
  const third = await resting();
  expect(third.take_profits.map(({ fraction }) => Number(fraction.toFixed(6)))).toEqual([0.5, 0.33, 0.17]);
});

test('DESK-179 DESK-182 DESK-183 DESK-187 DESK-194 an expiry stays in the ticket, is changed in the row, and the chart cancels the order', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await choose(page, 'Order type', 'Limit');
  await field(page, 'Notional').fill('400');
  const expiry = ticket(page).getByLabel('Expires');
  await expiry.selectOption('1 day');
  await choose(page, 'Order type', 'Market');
  await choose(page, 'Order type', 'Limit');
  await expect(expiry).toHaveValue('day');
  await page.reload();
  await expect(expiry).toHaveValue('day');
  await settled(page);
  const beforeMs = Date.now();
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expectMessage(page, /rests at/);
  const restMs = async () => {
    const at = (await restingOf(page))[0]?.expires_at;
    return at == null ? null : Date.parse(at) - beforeMs;
  };
  const DAY_MS = 86_400_000;
  expect(await restMs()).toBeGreaterThan(DAY_MS - 60_000);
  expect(await restMs()).toBeLessThan(DAY_MS + 300_000);

  await showPositions(page);
  await page.getByRole('button', { name: 'Edit buy limit BTCUSDT' }).click();
  const form = page.getByRole('form', { name: 'Change buy limit BTCUSDT' });
  // Each field is in sight on a phone, though its table scrolls sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const each of await form.locator('input, select, button').all()) {
    await each.scrollIntoViewIfNeeded();
    const box = await each.boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390);
  }
  await expect.poll(() => orders(page).evaluate((table) => table.scrollLeft)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByLabel('Expires').selectOption('Until cancelled');
  await form.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, 'Changed: buy limit BTCUSDT');
  expect(await restMs()).toBeNull();

  await page.goto('/?tab=dashboard&symbol=BTCUSDT');
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await expect(orderHandles(page)).toHaveCount(1);
  await page
    .locator('.chart .u-over')
    .first()
    .click({ button: 'right', position: { x: 300, y: 150 } });
  // In a low window its entries scroll.
  const menu = page.getByRole('menu', { name: /^At price/ });
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 220 });
  await expect
    .poll(async () => ((await menu.boundingBox())?.y ?? -1) >= 0 && (await menu.boundingBox())!.height <= 220)
    .toBe(true);
  expect(await menu.evaluate((each) => each.scrollHeight > each.clientHeight)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('menuitem', { name: /^Cancel buy limit [\d.]+ at [\d,.]+$/ }).click();
  await expectMessage(page, 'Cancelled: buy limit BTCUSDT');
  expect(await restingOf(page)).toEqual([]);
  await expect(page.locator('.chart-handle')).toHaveCount(0);
});
