import type { Page } from '@playwright/test';

/** Presses an option of a group of radio buttons; both by their whole names. */
export const choose = (page: Page, group: string, option: string): Promise<void> =>
  page.getByRole('radiogroup', { name: group, exact: true }).getByText(option, { exact: true }).click();
