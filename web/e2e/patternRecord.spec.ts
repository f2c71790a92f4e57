import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

/** The server replays its market after its start: waits until an interval has records. */
async function readSymbols(page: Page, interval: string): Promise<string[]> {
  let symbols: string[] = [];
  await expect
    .poll(
      async () => {
        const response = await page.request.get(`/api/vision/patterns?interval=${interval}`);
        ({ symbols } = (await response.json()) as { symbols: string[] });
        return symbols.length;
      },
      { timeout: 240_000, intervals: [1000] },
    )
    .toBeGreaterThan(0);
  return symbols;
}

test('HIST-125 Vision shows what followed each pattern by interval and symbol, the missing edge first', async ({
  page,
}) => {
  await signUp(page, 'vision');
  await readSymbols(page, '1h');
  const [symbol = ''] = await readSymbols(page, '4h');
  await page.getByRole('button', { name: 'Replayed', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Patterns, replayed' });
  const rows = dialog.getByRole('table', { name: 'Patterns, replayed' }).getByRole('row');
  await expect(dialog.getByText(/candles of 1h, all symbols/)).toBeVisible();
  await expect(dialog.getByText(/^(No edge: none of|No pattern has|\d+ of \d+ patterns)/)).toBeVisible();
  await expect(rows.nth(1)).toContainText(/\d+\s% \(\d+\s% to \d+\s%\), \d+\s%/);
  await expectAccessibleAtBothWidths(page, 'replayed patterns');

  await dialog.getByLabel('Interval').selectOption('4h');
  await expect(dialog.getByText(/candles of 4h, all symbols/)).toBeVisible();
  await dialog.getByLabel('Symbol').selectOption(symbol);
  await expect(dialog.getByText(new RegExp(`candles of 4h, ${symbol}`))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});
