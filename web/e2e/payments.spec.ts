import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { openTab, signUp } from './support/users.ts';
import { payByWallet, startPayment } from './support/payments.ts';

const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const rows = (page: Page) => page.getByRole('region', { name: 'Payments', exact: true }).getByRole('row');

async function cancelPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await expect(page.getByRole('button', { name: /^Checkout/ })).toBeVisible();
}

test('PAY-001 PAY-004 PAY-005 PAY-006 PAY-007 PAY-008 PAY-010 X32 X34 CONST-016 the history lists payments newest first, each with its way', async ({
  page,
}) => {
  await signUp(page, 'payments');
  await expect(page.getByText('No payments yet.', { exact: false })).toBeVisible();
  await page.getByRole('tabpanel').getByRole('button', { name: 'Add Credits' }).click();
  await startPayment(page, 20);
  await cancelPayment(page);
  await startPayment(page, 30);
  await payByWallet(page, 'full');
  await expect(page.getByText('30 credits added')).toBeVisible();
  await startPayment(page, 40);

  const response = page.waitForRequest((request) => request.url().includes('/api/billing/payments?limit=50'));
  await openTab(page, 'Payments');
  await response;
  await expect(rows(page)).toHaveCount(4);
  for (const [at, status, tone] of [
    [1, 'PENDING', 'warning'],
    [2, 'COMPLETED', 'success'],
    [3, 'CANCELLED', 'neutral'],
  ] as const) {
    const word = rows(page).nth(at).getByText(status, { exact: true });
    await expect(word).toBeVisible();
    await expect(word).toHaveAttribute('data-tone', tone);
  }
  await rows(page)
    .nth(2)
    .getByRole('button', { name: /^Details of USDT on TRON/ })
    .click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem').first()).toContainText('Order stored');
  await expect(timeline.getByText('Paid in full')).toBeVisible();
  await expect(timeline.getByText('+30 credits')).toBeVisible();
  await expect(page.getByText('1 USDT = 1 USD')).toBeVisible();
  await rows(page)
    .nth(3)
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect(timeline.getByText('Cancelled', { exact: true })).toBeVisible();
});

test('X30 PAY-010 money that comes after the end is credited, and a refund is shown', async ({ page }) => {
  await signUp(page, 'funds');
  await startPayment(page, 20);
  await payByWallet(page, 'late');
  await openTab(page, 'Payments');
  await expect(rows(page).nth(1).getByText('COMPLETED')).toBeVisible();
  await expect(page.getByRole('button', { name: '30 credits', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('+20 credits');
});

test('CONST-016 PAY-009 PAY-011 the methods show network, minimum, expiry and last use', async ({ page }) => {
  await signUp(page, 'funds');
  await startPayment(page, 20);
  const pending = await page.request.get('/api/billing/payments/latest?hours=1');
  expect(((await pending.json()) as { payment: { status: string } }).payment.status).toBe('PENDING');
  await openTab(page, 'Payments');
  await tabOf(page, 'Methods').click();
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row('USDT')).toContainText('TRON (TRC-20)');
  await expect(row('USDT')).toContainText('20.00');
  await expect(row('USDT')).toContainText('15 min');
  await expect(row('USDT')).not.toContainText('never');
  await expect(row('BNB')).toContainText('BNB Smart Chain (BEP-20)');
  await expect(row('BNB')).toContainText('never');
  // In reach on a small screen without scrolling sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ['USDT', 'Card'])
    await expect(page.getByRole('button', { name: `Pay with ${name}`, exact: true })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Pay with Card' }).click();
  await expect(tabOf(page, 'MoonPay')).toHaveAttribute('aria-selected', 'true');
});

test('PAY-001 PAY-002 PAY-003 a purchase is counted, has a numbered receipt to print or download, and every page is accessible', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
  });
  await signUp(page, 'funds');
  await startPayment(page, 30);
  await payByWallet(page, 'full');
  await expect(page.getByText('30 credits added')).toBeVisible();
  await openTab(page, 'Payments');
  for (const name of ['History', 'Methods', 'Receipts', 'Analytics']) {
    await tabOf(page, name).click();
    await expect(page.getByRole('tabpanel').getByRole('row').nth(1)).toBeVisible();
    await expectAccessibleAtBothWidths(page, name);
  }
  const totals = page.getByRole('definition');
  await expect(totals.nth(0)).toHaveText('30');
  await expect(totals.nth(1)).toHaveText('30.00');
  await expect(page.getByRole('img', { name: /^Credits bought and used/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^\d{4}-\d\d 30 30.00/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^USDT 1 1 100.00/ })).toBeVisible();

  await tabOf(page, 'Receipts').click();
  await page.getByRole('button', { name: /^Show receipt \d{4}-\d{6}$/ }).click();
  const sheet = page.getByRole('region', { name: /^Receipt \d{4}-\d{6}$/ });
  await expect(sheet).toContainText('Practice seller (no real sale)');
  await expect(sheet).toContainText('30.00');
  const downloads = [sheet.getByRole('link', { name: 'PDF' }), page.getByRole('link', { name: /^PDF of receipt/ })];
  for (const link of downloads) {
    const started = page.waitForEvent('download');
    await link.click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/^sextant-receipt-\d{4}-\d{6}\.pdf$/);
    expect(await readFile(await download.path(), 'latin1')).toMatch(/^%PDF-/);
  }
  await sheet.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  const csv = await page.getByRole('link', { name: /^CSV \d{4}$/ }).getAttribute('href');
  const file = await page.request.get(csv ?? '');
  expect(file.headers()['content-type']).toContain('text/csv');
  expect(await file.text()).toMatch(/\d{4}-\d{6}/);
});
