import type { Page } from '@playwright/test';

/** Counts the user's presses on this page from now on, until it is left. The count does not depend on the machine. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const presses = { count: 0 };
    Object.assign(window, { presses });
    document.addEventListener('click', ({ isTrusted }) => (presses.count += isTrusted ? 1 : 0), true);
  });
  return () => page.evaluate(() => (window as unknown as { presses: { count: number } }).presses.count);
}
