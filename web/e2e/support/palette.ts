import { expect, type Page } from '@playwright/test';

/** Types into the palette, waits until the selected line is the one meant, and runs it. Symbols load after the page. */
export async function runInPalette(page: Page, typed: string, selected: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search tabs, symbols and commands' }).fill(typed);
  await expect(page.getByRole('option', { selected: true })).toHaveText(selected);
  await page.keyboard.press('Enter');
}
