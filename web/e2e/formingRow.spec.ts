import { expect, test } from '@playwright/test';
import { signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';

for (const [interval, stepMs] of [
  ['1h', 3_600_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
] as const)
  test(`the last row of a ${interval} file whose candle has not closed is left out and named, and 239 candles are run`, async ({
    page,
  }) => {
    await signUp(page, 'backtest');
    await page.getByText('Own CSV file').click();
    const last = Math.floor(Date.now() / stepMs) * stepMs;
    const text = sampleCsv(3, 240, { startMs: last - 239 * stepMs, stepMs });
    await page
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name: 'running.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const named = new Date(last).toISOString().slice(0, 16).replace('T', ' ');
    await expect(
      page.getByText(`Skipped the last row, ${named} UTC: its candle is still open.`, { exact: true }),
    ).toBeVisible();
    await expect(page.getByText(`239 of ${interval}`, { exact: true })).toBeVisible();
    await expect(page.getByText(/239 loaded/)).toBeVisible();
  });
