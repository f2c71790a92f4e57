import { expect, type Page, test } from '@playwright/test';
import { signUp } from './support/users.ts';

const HOUR = 3_600_000;
const readout = (page: Page) => page.locator('.chart-readout').first();

/** Open times of the candles at the left and at the right edge of the plot. */
async function stretch(page: Page): Promise<string[]> {
  const plot = page.locator('.u-over').first();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  const times: string[] = [];
  for (const x of [box.x + 3, box.x + box.width - 3]) {
    await page.mouse.move(x, box.y + box.height / 2);
    times.push(await readout(page).locator('span').first().innerText());
  }
  return times;
}

test('a zoomed chart keeps its time range when 12 candles arrive, and its prices have the decimals of the tick', async ({
  page,
}) => {
  await page.clock.install();
  let isLater = false;
  const responded: number[] = [];
  // The tab was suspended: its last data ended 12 hours ago.
  await page.route(/\/api\/klines\?/, async (route) => {
    const url = new URL(route.request().url());
    const end = Math.floor(Date.now() / HOUR) * HOUR - (isLater ? 0 : 12 * HOUR);
    url.searchParams.set('endTime', String(end));
    await route.continue({ url: url.href });
    responded.push(end);
  });
  await signUp(page);
  await expect(readout(page)).toContainText('C');
  const chart = page.getByRole('group', { name: /^Price chart/ }).first();
  await chart.focus();
  // Some 120 candles in the middle: none of them leaves when 12 arrive.
  for (const key of ['+', '+', '+', '+', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await page.clock.runFor(200);
  const before = await stretch(page);
  expect(before[0]).not.toBe(before[1]);

  isLater = true;
  const [, came] = await Promise.all([
    page.clock.runFor(21_000),
    page.waitForResponse((response) => response.url().includes('/api/klines?')),
  ]);
  expect(came.status()).toBe(200);
  await page.clock.runFor(500);
  expect(new Set(responded).size).toBe(2);
  // The chart is built again on the new candles.
  await expect(async () => expect(await stretch(page)).toEqual(before)).toPass();

  // BTCUSDT moves by 0.1.
  await expect(readout(page)).toHaveText(/O [\d,]+\.\dH [\d,]+\.\dL [\d,]+\.\dC [\d,]+\.\dV/);
});
