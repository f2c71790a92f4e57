import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Drops a file on the page as a hand does it: with a DataTransfer that holds it. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], fileName, { type: 'text/csv' }));
      return data;
    },
    [name, text] as const,
  );
  const zone = page.getByRole('button', { name: 'Drop a CSV file' });
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await zone.dispatchEvent('drop', { dataTransfer: transfer });
}

/** Real candles beside the repository, where a machine has them; undefined elsewhere, and the test says that it was skipped. */
export function realCandles(name: string): string | undefined {
  const path = join(import.meta.dirname, '../../../../shared/data', name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
