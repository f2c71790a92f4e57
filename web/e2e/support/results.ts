import type { Page } from '@playwright/test';

/**
 * Shows all results of a scan, by the key: the line about the first automatic opening may move the page between the two halves of a click.
 */
export const openAllResults = (page: Page, options?: { timeout: number }): Promise<void> =>
  page.getByRole('button', { name: /^Show all/ }).press('Enter', options);
