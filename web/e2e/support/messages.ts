import { expect, type Page } from '@playwright/test';

/**
 * Waits until the messages under the bell hold the line, then clears them, so that the next wait is for a new one. A toast
 * is on screen for 3.5 s only, which a busy machine can miss; the list keeps it.
 */
export async function expectMessage(page: Page, text: string | RegExp, timeout = 30_000): Promise<void> {
  // By selector and by event: the bar may be scrolled out of sight, or lie behind a dialog.
  const bell = page.locator('button[aria-label^="Messages"]');
  await bell.dispatchEvent('click');
  await expect(page.getByRole('list', { name: 'Messages' }).getByText(text).first()).toBeVisible({ timeout });
  await page.getByRole('button', { name: /^Clear \d+ messages?$/ }).click();
  await bell.dispatchEvent('click');
  await expect(page.getByText('No messages yet.')).toHaveCount(0);
}
