import { expect, type Locator } from '@playwright/test';

/** More stops than any page has. */
const STOPS_MAX = 400;

/** Moves the focus to an element by Tab alone, as a user without a pointer does. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  await expect(target).toBeEnabled();
  const isThere = () => target.evaluate((element) => element === document.activeElement).catch(() => false);
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} is not reached by Tab`);
}
