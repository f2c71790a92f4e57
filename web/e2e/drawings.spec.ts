import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

interface Point {
  time: number;
  price: number;
}

interface Drawing {
  id: string;
  kind: string;
  anchors: Point[];
  text: string;
  is_locked: boolean;
  is_hidden: boolean;
}

const HOUR = 3_600_000;
const chart = (page: Page) => page.getByRole('group', { name: /^Price chart/ }).first();
const bar = (page: Page) => page.getByRole('group', { name: 'Selected drawing' });

async function symbolOf(page: Page): Promise<string> {
  const heading = page.getByRole('heading', { name: /USDT$/ }).first();
  await expect(heading).toBeVisible();
  return heading.innerText();
}

async function stored(page: Page, symbol: string): Promise<Drawing[]> {
  const response = await page.request.get(`/api/charts/drawings/${encodeURIComponent(symbol)}`);
  return ((await response.json()) as { drawings: Drawing[] }).drawings;
}

/** A point of the plot, as shares of its width and height. */
async function pointOf(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const plot = page.locator('.chart .u-over').first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  return { x: Math.round(box.x + box.width * x), y: Math.round(box.y + box.height * y) };
}

async function choose(page: Page, tool: string): Promise<void> {
  await page.getByRole('button', { name: /^Draw/ }).click();
  await page.getByRole('menuitem', { name: tool }).click();
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 4; step++)
    await page.mouse.move(from.x + ((to.x - from.x) * step) / 4, from.y + ((to.y - from.y) * step) / 4);
  await page.mouse.up();
}

async function open(page: Page): Promise<string> {
  await signUp(page);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await expect(page.getByRole('button', { name: /^Draw/ })).toBeVisible();
  return symbolOf(page);
}

/** The trend line through a point, which is selected. */
async function lockAndHide(page: Page, symbol: string, middle: { x: number; y: number }): Promise<void> {
  // Locked it is selected and not moved; hidden it is found in the list.
  await bar(page).getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(bar(page).getByRole('button', { name: 'Unlock it to delete it' })).toBeDisabled();
  const locked = (await stored(page, symbol))[0]?.anchors;
  await drag(page, middle, { x: middle.x, y: middle.y + 40 });
  await expect.poll(async () => (await stored(page, symbol))[0]).toMatchObject({ is_locked: true, anchors: locked });
  await bar(page).getByRole('button', { name: 'Hide' }).click();
  await expect.poll(async () => (await stored(page, symbol))[0]?.is_hidden).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Draw (1)' }).click();
  await page.getByRole('menuitem', { name: /Trend line hidden locked/ }).click();
  await bar(page).getByRole('button', { name: 'Show' }).click();
  await bar(page).getByRole('button', { name: 'Unlock', exact: true }).click();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => stored(page, symbol)).toEqual([]);
}

test('DESK-092 DESK-093 DESK-097 DESK-099 drawings are placed, moved, resized, locked, hidden, undone and stored', async ({
  page,
}) => {
  const symbol = await open(page);
  // A trend line by two clicks.
  await choose(page, 'Trend line');
  await expect(page.getByRole('status').filter({ hasText: 'Trend line: place two points' })).toBeVisible();
  const [a, b] = [await pointOf(page, 0.3, 0.6), await pointOf(page, 0.6, 0.4)];
  await page.mouse.click(a.x, a.y);
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.click(b.x, b.y);
  await expect(bar(page)).toContainText('Trend line');
  await expect.poll(async () => (await stored(page, symbol)).map(({ kind }) => kind)).toEqual(['trend']);
  const [first] = await stored(page, symbol);
  expect(first?.anchors).toHaveLength(2);
  if (first === undefined) throw new Error('nothing is stored');
  const [from, to] = first.anchors.map(({ time, price }) => ({ time, price })) as [Point, Point];
  expect(to.price).toBeGreaterThan(from.price);

  // Its end is dragged, then all of it; each is one step of undo.
  const c = await pointOf(page, 0.7, 0.3);
  await drag(page, b, c);
  await expect.poll(async () => (await stored(page, symbol))[0]?.anchors[0]).toEqual(from);
  await expect.poll(async () => (await stored(page, symbol))[0]?.anchors[1]?.time).toBeGreaterThan(to.time);
  const middle = { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 };
  await drag(page, middle, { x: middle.x, y: middle.y + 40 });
  await expect.poll(async () => (await stored(page, symbol))[0]?.anchors[0]?.price).toBeLessThan(from.price);
  await page.getByRole('button', { name: 'Undo drawing' }).click();
  await page.getByRole('button', { name: 'Undo drawing' }).click();
  await expect.poll(() => stored(page, symbol)).toEqual([first]);
  await page.getByRole('button', { name: 'Redo drawing' }).click();
  await expect.poll(async () => (await stored(page, symbol))[0]?.anchors[1]?.time).toBeGreaterThan(to.time);
  await lockAndHide(page, symbol, middle);
});

test('DESK-092 DESK-096 DESK-099 DESK-100 every tool draws, and drawings keep their time and price on another interval', async ({
  page,
}) => {
  const symbol = await open(page);
  await page.getByRole('button', { name: /^Draw/ }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Magnet/ }).click();
  const tools: [name: string, kind: string, x: number][] = [
    ['Horizontal line', 'horizontal', 0.1],
    ['Text', 'text', 0.15],
    ['Ray', 'ray', 0.2],
    ['Rectangle', 'rectangle', 0.3],
    ['Fibonacci retracement', 'fibonacci', 0.4],
    ['Measure', 'measure', 0.55],
    ['Short position', 'short', 0.65],
    ['Long position', 'long', 0.8],
  ];
  for (const [name, kind, x] of tools) {
    await choose(page, name);
    const from = await pointOf(page, x, 0.4);
    if (kind === 'horizontal' || kind === 'text') await page.mouse.click(from.x, from.y);
    // A near stop: in a market that swings, the risk of a far one leaves less than the least order.
    else await drag(page, from, await pointOf(page, x + 0.08, kind === 'long' ? 0.46 : 0.65));
    await expect(bar(page)).toContainText(name === 'Text' ? 'Text' : name);
    if (kind === 'text') {
      await bar(page).getByRole('textbox', { name: 'Text' }).fill('range high');
      await page.keyboard.press('Enter');
    }
    if (kind === 'long') await expect(bar(page)).toContainText(/risk [\d.]+ %, reward [\d.]+ %, 2\.00R.*Size [\d.]+/);
  }
  await expect
    .poll(async () => (await stored(page, symbol)).map(({ kind }) => kind))
    .toEqual(tools.map(([, kind]) => kind));
  const before = await stored(page, symbol);
  expect(before.find(({ kind }) => kind === 'text')?.text).toBe('range high');
  await page.screenshot({ path: 'test-results/drawings-dark.png' });
  await expectAccessibleAtBothWidths(page, 'drawings');
  await page.getByText('4h', { exact: true }).first().click();
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  await page.screenshot({ path: 'test-results/drawings-4h.png' });
  expect(await stored(page, symbol)).toEqual(before);
});

test('DESK-092 DESK-091 a drawing is placed, resized, moved and deleted by keyboard alone', async ({ page }) => {
  const symbol = await open(page);
  await chart(page).focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Alt+t');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowRight');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await stored(page, symbol)).length).toBe(1);
  const [drawn] = await stored(page, symbol);
  expect((drawn?.anchors[1]?.time ?? 0) - (drawn?.anchors[0]?.time ?? 0)).toBe(10 * HOUR);

  // The first point, one candle to the left.
  await page.keyboard.press('Space');
  await expect(bar(page)).toContainText('arrow keys move point 1');
  await page.keyboard.press('ArrowLeft');
  await expect
    .poll(async () => (await stored(page, symbol))[0]?.anchors)
    .toEqual([{ ...drawn?.anchors[0], time: (drawn?.anchors[0]?.time ?? 0) - HOUR }, drawn?.anchors[1]]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => stored(page, symbol)).toEqual([drawn]);
  await page.keyboard.press('Escape');
  await page.keyboard.press(']');
  await expect(bar(page)).toContainText('Trend line');
  await page.keyboard.press('Delete');
  await expect.poll(() => stored(page, symbol)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => stored(page, symbol)).toEqual([drawn]);
});

test('DESK-090 DESK-094 DESK-098 offline drawings are sent later, and another page shows them', async ({
  page,
  context,
}) => {
  const symbol = await open(page);
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('button', { name: /^Draw/ })).toBeVisible();

  await page.route('**/api/charts/drawings/**', (route) => route.abort());
  const { x, y } = await pointOf(page, 0.5, 0.5);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Draw horizontal line here' }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 change of drawings stored here' })).toBeVisible();
  expect(await stored(page, symbol)).toEqual([]);
  await page.unroute('**/api/charts/drawings/**');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(async () => (await stored(page, symbol)).length).toBe(1);
  await expect(other.getByRole('button', { name: 'Draw (1)' })).toBeVisible();
});

test('DESK-092 a finger places, selects and drags a drawing', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const symbol = await open(page);
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = async (points: { x: number; y: number }[]) => {
    await tools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points.slice(0, 1) });
    for (const point of points.slice(1))
      await tools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
    await tools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await choose(page, 'Horizontal line');
  const at = await pointOf(page, 0.4, 0.4);
  await touch([at]);
  await expect.poll(async () => (await stored(page, symbol)).length).toBe(1);
  const price = (await stored(page, symbol))[0]?.anchors[0]?.price ?? 0;
  const lower = [10, 30, 60].map((px) => ({ x: at.x, y: at.y + px }));
  await touch([at, ...lower]);
  await expect.poll(async () => (await stored(page, symbol))[0]?.anchors[0]?.price).toBeLessThan(price);
});
