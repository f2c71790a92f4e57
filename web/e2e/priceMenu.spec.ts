import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

const chart = (page: Page) => page.getByRole('group', { name: /^Price chart/ }).first();
const menu = (page: Page) => page.getByRole('menu', { name: /^At price / });
const valueLabel = (page: Page) => page.locator('.chart-axis-label.is-value').first();

/** The middle of the plot of the candles, in the window. */
async function middle(page: Page): Promise<{ x: number; y: number }> {
  const plot = page.locator('.chart .u-over').first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function copiedPrice(page: Page): Promise<string> {
  const item = menu(page).getByRole('menuitem', { name: /^Copy price / });
  const price = (await item.innerText()).replace('Copy price ', '');
  await item.click();
  await expectMessage(page, 'Price copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(String(Number(price.replaceAll(',', ''))));
  return price;
}

test('DESK-090 DESK-091 right click, long press and keyboard open the price menu at the price of the crosshair', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  // It stands above the chart, which moves when it comes.
  await expect(page.getByText(/^Your first hour/)).toBeVisible();

  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await expect(valueLabel(page)).toBeVisible();
  const pointed = await valueLabel(page).innerText();
  await page.mouse.click(x, y, { button: 'right' });
  expect(await copiedPrice(page)).toBe(pointed);
  await expect(menu(page)).toHaveCount(0);

  // By keyboard: the crosshair moves by candles and by price, Enter opens the menu there.
  await page.mouse.move(2, 2);
  await chart(page).focus();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowUp'])
    await page.keyboard.press(`Shift+${key}`);
  const crossed = await valueLabel(page).innerText();
  expect(crossed).not.toBe(pointed);
  await page.keyboard.press('Enter');
  await expect(menu(page)).toHaveAccessibleName(`At price ${crossed}`);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(chart(page)).toBeFocused();

  // A finger that rests.
  const touched = await middle(page);
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await tools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [touched] });
  await expect(menu(page)).toBeVisible();
  await tools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(menu(page)).toBeVisible();
});
