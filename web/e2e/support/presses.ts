import type { Page } from '@playwright/test';

/** From now on the presses of a person on this page are counted, until it is left. What they take depends on no machine. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const presses = { count: 0 };
    Object.assign(window, { presses });
    document.addEventListener('click', ({ isTrusted }) => (presses.count += isTrusted ? 1 : 0), true);
  });
  return () => page.evaluate(() => (window as unknown as { presses: { count: number } }).presses.count);
}
