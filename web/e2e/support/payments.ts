import { expect, type Page } from '@playwright/test';
import { openTab } from './users.ts';

interface Invoice {
  is_existing: boolean;
  payment: { id: string; order_id: string; pay_address: string; pay_amount: string; payment_url: string };
}

/** Opens Funds at the purchase. */
export async function openFunds(page: Page): Promise<void> {
  await openTab(page, 'Funds');
  await page.getByRole('tab', { name: 'Purchase Credits' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toBeVisible();
}

/** Checks out with the method that is chosen. */
export async function startPayment(page: Page, amount: number): Promise<Invoice> {
  await openFunds(page);
  await page.getByLabel('Amount', { exact: true }).fill(String(amount));
  const responded = page.waitForResponse('**/api/billing/now/create-payment');
  await page.getByRole('button', { name: /^Checkout/ }).click();
  const invoice = (await (await responded).json()) as Invoice;
  await expect(page.getByRole('timer')).toBeVisible();
  return invoice;
}

/** Pays the shown invoice on the page of the sandbox provider, through its screen. */
export async function payByWallet(page: Page, way: 'full' | 'half' | 'late' | 'refund' | 'expire'): Promise<void> {
  const link = page.getByRole('link', { name: 'Open the payment page' });
  const url = await link.getAttribute('href');
  expect((await page.request.post(`${url ?? ''}?way=${way}`)).ok()).toBe(true);
}
