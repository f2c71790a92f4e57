import { expect, test } from '@playwright/test';
import { openTab, signUp } from './support/people.ts';

for (const width of [390, 1440]) {
  for (const symbol of ['BTCUSDT', 'PEPEUSDT']) {
    test(`BT-025 at ${width} px the readout of ${symbol} shows open, high, low and close, and the plot begins below`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await signUp(page);
      await openTab(page, 'Backtest');
      const field = page.getByRole('combobox', { name: 'Symbol' });
      await field.fill(symbol);
      await field.press('Tab');
      await page.getByRole('button', { name: /^Run/ }).first().click();
      await expect(page.getByTestId('net-pnl')).toBeVisible();
      const pane = page.locator('.chart-pane').first();
      await pane.scrollIntoViewIfNeeded();
      const readout = pane.locator('.chart-readout');
      await expect(readout).toHaveText(/C [\d,.]+O [\d,.]+H [\d,.]+L [\d,.]+$/);
      const inside = await pane.evaluate((box) => {
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
      expect(inside).toHaveLength(5);
      for (const part of inside) expect(part).toEqual({ isInside: true, isAbovePlot: true });
    });
  }
}
