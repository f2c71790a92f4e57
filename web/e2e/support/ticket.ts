import { expect, type Locator, type Page } from '@playwright/test';

export const orderTicket = (page: Page): Locator => page.getByRole('dialog', { name: /^(Buy|Sell) [A-Z0-9]+USDT$/ });

export const orderFigures = (page: Page): Locator =>
  orderTicket(page).getByRole('region', { name: 'Figures of the order' });

/** Waits until the figures are those of the order as it stands in the fields. */
export const settledFigures = (page: Page): Promise<void> =>
  expect(orderFigures(page)).toHaveAttribute('aria-busy', 'false');
