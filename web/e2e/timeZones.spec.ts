import { expect, type Page, test } from '@playwright/test';
import { signUp } from './support/users.ts';
import { sampleCsv } from './support/sampleCsv.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function runFile(page: Page, name: string, text: string): Promise<void> {
  await signUp(page, 'backtest');
  await page.getByText('Own CSV file').click();
  await page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  // The lab opened with a result of its own.
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
}

/** Texts of the readout and of the axis label while the pointer moves over every candle. */
async function readCandles(page: Page): Promise<{ readout: string[]; tag: string[] }> {
  const pane = page.locator('.chart-pane').first();
  await pane.scrollIntoViewIfNeeded();
  const collect = page.evaluate(async () => {
    const of = (selector: string) => document.querySelector(selector)?.textContent ?? '';
    const [readout, tag] = [new Set<string>(), new Set<string>()];
    const watch = setInterval(() => {
      readout.add(of('.chart-readout > span'));
      tag.add(of('.chart-axis-label.is-time'));
    }, 1);
    await new Promise((resolve) => {
      document.addEventListener('keydown', resolve, { once: true });
    });
    clearInterval(watch);
    return { readout: [...readout].filter((text) => text !== ''), tag: [...tag].filter((text) => text !== '') };
  });
  const box = await pane.boundingBox();
  if (box === null) throw new Error('no pane');
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  await page.mouse.move(box.x + box.width - 90, box.y + box.height / 2, { steps: 400 });
  await page.keyboard.press('Shift');
  return collect;
}

const utcDate = /^\d{4}-\d\d-\d\d$/;

// Browsers still call Kolkata by its older name.
for (const [timezoneId, named, place = timezoneId] of [
  ['America/New_York', /^2025-10-31 \d\d:00 EDT$/],
  ['Asia/Kolkata', /^2025-10-31 \d\d:30 GMT\+5:30$/, 'Asia/Calcutta'],
  ['Australia/Lord_Howe', /^2025-10-31 \d\d:00 GMT\+11$/],
] as const)
  test.describe(timezoneId, () => {
    test.use({ timezoneId });

    test('a daily candle bears its UTC date in the readout, at the axis and in the trade table', async ({ page }) => {
      await runFile(page, 'daily.csv', sampleCsv(7, 120, { startMs: Date.UTC(2025, 4, 1), stepMs: DAY }));
      const { readout, tag } = await readCandles(page);
      expect(readout).toContain('2025-07-02');
      expect(readout.length).toBeGreaterThan(60);
      expect([...readout, ...tag].filter((text) => !utcDate.test(text))).toEqual([]);
      const cells = page.getByRole('grid', { name: 'Trades' }).locator('time');
      await expect(cells.first()).toHaveText(utcDate);
      for (const cell of await cells.all()) {
        const title = (await cell.getAttribute('title')) ?? '';
        expect(title).toBe(`${await cell.innerText()} 00:00 UTC`);
      }
      await expect(page.getByText('Dates in UTC', { exact: true })).toBeVisible();
    });

    test('hourly candles have the local time with its zone, and no two read alike', async ({ page }) => {
      await runFile(page, 'hourly.csv', sampleCsv(7, 120, { startMs: Date.UTC(2025, 9, 30, 6) }));
      const { readout, tag } = await readCandles(page);
      expect(readout.some((text) => named.test(text))).toBe(true);
      expect(tag.some((text) => named.test(text))).toBe(true);
      await expect(page.getByText(`Times in ${place}`, { exact: true })).toBeVisible();
      // Each candle has a different time: as many distinct texts as candles.
      expect(readout.length).toBeGreaterThan(110);
      if (timezoneId === 'America/New_York')
        expect(readout).toEqual(expect.arrayContaining(['2025-11-02 01:00 EDT', '2025-11-02 01:00 EST']));
    });
  });
