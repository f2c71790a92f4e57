import { expect, type Page, test } from '@playwright/test';
import { signUp } from './support/users.ts';

/** Every part of the readout lies inside the pane and above the plot. */
async function expectReadoutFits(page: Page): Promise<void> {
  const pane = page.locator('.chart-pane').first();
  // The chart of a run is redrawn once its minutes are loaded.
  await expect(() => pane.scrollIntoViewIfNeeded()).toPass();
  const readout = pane.locator('.chart-readout');
  await expect(readout).toHaveText(/O [\d,.]+H [\d,.]+L [\d,.]+C [\d,.]+V [\d,.]+$/);
  const readParts = () =>
    pane.evaluate((box) => {
      const { left, right, top } = box.getBoundingClientRect();
      const plot = box.querySelector('.u-over')?.getBoundingClientRect();
      return [...box.querySelectorAll('.chart-readout > span')].map((part) => {
        const rect = part.getBoundingClientRect();
        return {
          isInside: rect.left >= left && rect.right <= right && rect.top >= top,
          isAbovePlot: rect.bottom <= (plot?.top ?? 0),
        };
      });
    });
  // A chart follows a new width one frame later.
  await expect.poll(readParts).toEqual(Array.from({ length: 6 }, () => ({ isInside: true, isAbovePlot: true })));
}

test('BT-025 at 390 and 1440 px the readout shows open, high, low, close and volume, and the plot starts below', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await signUp(page, 'backtest');
  const field = page.getByRole('combobox', { name: 'Symbol', exact: true });
  for (const symbol of ['BTCUSDT', '1000PEPEUSDT']) {
    await page.getByRole('tab', { name: 'Backtest Setup' }).click();
    await field.fill(symbol);
    await field.press('Tab');
    await expect(field).toHaveValue(symbol);
    await page.getByRole('button', { name: 'Run Backtest' }).click();
    await expect(page.getByRole('heading', { name: `${symbol}, 1h` })).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectReadoutFits(page);
    }
  }
});
