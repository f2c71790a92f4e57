import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths, sidewaysPx } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { dragLine } from './support/dragLine.ts';
import { expectMessage } from './support/messages.ts';
import { orderFigures, orderTicket, settledFigures } from './support/ticket.ts';
import { signUp } from './support/users.ts';

const ticket = orderTicket;
const settled = settledFigures;
const plot = (page: Page) => page.locator('.chart .u-over').first();
const handles = (page: Page) => page.locator('.chart-handle:not([data-level*=":"])');

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
async function boxOf(of: Locator): Promise<Box> {
  const box = await of.boundingBox();
  if (box === null) throw new Error(`${String(of)} has no box`);
  return box;
}

/** Width of the chart's plot, px, once it stands left of the ticket. */
async function plotBesideTicket(page: Page): Promise<number> {
  await expect
    .poll(async () => {
      const [left, right] = [await boxOf(plot(page)), await boxOf(ticket(page))];
      return left.x + left.width - right.x;
    })
    .toBeLessThanOrEqual(0);
  return (await boxOf(plot(page))).width;
}

async function restingPrice(page: Page): Promise<number | undefined> {
  const { orders } = (await (await page.request.get('/api/orders')).json()) as { orders: { price: number }[] };
  return orders[0]?.price;
}

/** An order of BTCUSDT that rests, by the ticket of the watch list. */
async function restOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await choose(page, 'Order type', 'Limit');
  await ticket(page).getByRole('textbox', { name: 'Notional', exact: true }).fill('400');
  await settled(page);
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expectMessage(page, /rests at/);
  await expect(ticket(page)).toHaveCount(0);
}

test('DESK-197 at 1440 px the chart stays beside the open ticket, and a level is dragged and saved there', async ({
  page,
}) => {
  await signUp(page);
  await restOrder(page);
  await page.getByRole('button', { name: 'Sell BTCUSDT' }).click();
  await settled(page);
  expect(await plotBesideTicket(page)).toBeGreaterThan(380);
  expect(await sidewaysPx(page)).toBe(0);
  // The focus starts in the ticket and is free to leave it.
  await expect(ticket(page).getByRole('textbox', { name: 'Notional', exact: true })).toBeFocused();

  const before = (await restingPrice(page)) ?? 0;
  await dragLine(handles(page), 16);
  await page.mouse.up();
  const bar = page.getByRole('group', { name: 'Moved order' });
  await expect(bar).toBeVisible();
  const [barBox, ticketBox] = [await boxOf(bar), await boxOf(ticket(page))];
  expect(barBox.x + barBox.width).toBeLessThanOrEqual(ticketBox.x);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, /moved to/);
  expect(await restingPrice(page)).toBeLessThan(before);
  await expect(ticket(page)).toBeVisible();

  // Escape closes it, and the chart takes the width back.
  const docked = (await boxOf(plot(page))).width;
  await ticket(page).getByRole('textbox', { name: 'Notional', exact: true }).focus();
  await page.keyboard.press('Escape');
  await expect(ticket(page)).toHaveCount(0);
  await expect.poll(async () => (await boxOf(plot(page))).width).not.toBe(docked);
});

test('DESK-198 the ticket is docked from 1024 px on and a sheet below; both are accessible', async ({ page }) => {
  await signUp(page);
  for (const { width, least } of [
    { width: 1024, least: 400 },
    { width: 1100, least: 400 },
    { width: 1399, least: 400 },
    { width: 1920, least: 500 },
  ]) {
    await page.setViewportSize({ width, height: 900 });
    if ((await ticket(page).count()) === 0) await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
    await settled(page);
    expect(await plotBesideTicket(page), `plot at ${width} px`).toBeGreaterThan(least);
    await expect.poll(() => sidewaysPx(page), { message: `at ${width} px` }).toBe(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await plotBesideTicket(page);
  await expectAccessibleAtBothWidths(page, 'docked ticket');
  for (const theme of ['light', 'dark'])
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      await settled(page);
      if (width === 390) {
        const box = await boxOf(ticket(page));
        expect([box.x, box.width, Math.round(box.y + box.height)]).toEqual([0, 390, 844]);
      }
      await page.screenshot({ path: `test-results/ticket-${width}-${theme}.png` });
    }
});

test('DESK-201 at 1440 x 900 px each figure of a default market order is in sight beside the chart', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Buy BTCUSDT' }).click();
  await settled(page);
  const figures = orderFigures(page);
  await expect(figures.getByRole('term')).toHaveText([
    'Loss at the stop',
    'Gain at the target',
    'Liquidation',
    /^Fill price/,
    /^Fees/,
    'Next funding',
    'Margin',
    'Free equity after it',
  ]);
  const submit = await boxOf(ticket(page).getByRole('button', { name: 'Buy now' }));
  for (const each of await figures.getByRole('definition').all()) {
    // What the scrolling part clips is out of sight, though it has a box.
    await expect(each).toBeInViewport({ ratio: 0.99 });
    const box = await boxOf(each);
    expect(box.y + box.height).toBeLessThan(submit.y);
  }
  // Trailing is folded; its line names the choice.
  const trailing = ticket(page).getByRole('button', { name: 'Trailing stop: As set' });
  await expect(trailing).toHaveAttribute('aria-expanded', 'false');
  await trailing.click();
  await choose(page, 'Trailing stop', 'Off');
  await expect(ticket(page).getByRole('button', { name: 'Trailing stop: Off' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
});
