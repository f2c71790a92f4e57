import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { openFunds, payByWallet, startPayment } from './support/payments.ts';
import { openTab, signUp } from './support/users.ts';
import { countPresses } from './support/presses.ts';
import { changeResponses } from './support/requests.ts';

const PAID = 'Payment completed successfully! Credits added to your account.';
const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const checkoutOf = (page: Page) => page.getByRole('button', { name: /^Checkout/ });

test('CONST-004 FUND-001 FUND-008 FUND-009 FUND-010 FUND-011 FUND-012 the purchase starts at 20 and takes whole dollars from 20 on, for a coin on its network', async ({
  page,
}) => {
  await signUp(page, 'funds');
  await openFunds(page);
  for (const name of ['Purchase Credits', 'Payment Details', 'MoonPay']) await expect(tabOf(page, name)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'USDT on TRON (TRC-20)' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'BNB on BNB Smart Chain (BEP-20)' })).not.toBeChecked();
  const amount = page.getByLabel('Amount', { exact: true });
  const checkout = checkoutOf(page);
  await expect(amount).toHaveValue('20');
  await expect(checkout).toBeEnabled();

  await amount.fill('');
  await amount.pressSequentially('1a9.');
  await expect(amount).toHaveValue('19');
  await expect(checkout).toBeDisabled();
  await amount.press('Enter');
  await expect(amount).toHaveValue('20');
  await expect(page.getByText('Minimum 20 USD: 19 changed to 20.')).toBeVisible();
  // Raising is not buying.
  await expect(page.getByText(/^Open payment/)).toHaveCount(0);
  await expect(tabOf(page, 'Purchase Credits')).toHaveAttribute('aria-selected', 'true');
  await amount.fill('7');
  await expect(checkout).toBeDisabled();
  await amount.blur();
  await expect(amount).toHaveValue('20');
  await page.getByRole('button', { name: '50 USD', exact: true }).click();
  await expect(page.getByText('50 credits', { exact: true })).toBeVisible();
  await expect(page.getByText(/^about [\d.]+ USDT$/)).toBeVisible();
  // Shown before any payment.
  for (const term of ['Network', 'Too little', 'Too much', 'Too late'])
    await expect(page.getByRole('term').filter({ hasText: term }).last()).toBeVisible();
});

test('FUND-002 FUND-014 FUND-016 FUND-018 FUND-021 FUND-022 FUND-023 FUND-024 FUND-029 FUND-034 ERR-019 a newcomer buys credits through the practice wallet', async ({
  page,
}) => {
  await signUp(page, 'funds');
  const presses = await countPresses(page);
  await checkoutOf(page).click();
  await expect(tabOf(page, 'Payment Details')).toHaveAttribute('aria-selected', 'true');
  await expectMessage(page, 'Payment created successfully');
  await expect(page.getByRole('timer')).toHaveText(/^\d\d:\d\d$/);
  await expect(page.getByText('Coins sent on another network are lost.').first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^QR code: send [\d.]+ USDT to T/ })).toBeVisible();
  await payByWallet(page, 'full');
  await expect(page.getByText('20 credits added')).toBeVisible();
  expect(await presses(), 'a newcomer buys with one press').toBe(1);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(page.getByText('30 credits', { exact: true })).toBeVisible();
  await expectMessage(page, PAID);
  await expect(page.getByRole('button', { name: '30 credits', exact: true })).toBeVisible();
  // A reload repeats no message and credits nothing twice.
  await page.reload();
  await expect(page.getByRole('button', { name: '30 credits', exact: true })).toBeVisible();
});

test('X30 FUND-014 a partial payment is credited by its share, and says so', async ({ page }) => {
  await signUp(page, 'funds');
  await startPayment(page, 100);
  await payByWallet(page, 'half');
  await expect(page.getByText('50 credits added')).toBeVisible();
  await expect(page.getByText(/less than invoiced: 50 of 100 credits added/)).toBeVisible();
});

test('X31 CONST-016 FUND-021 FUND-022 credits and payments are polled five times, then the status every 5 s', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'funds');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await openFunds(page);
  // From here the clock stands still except when advanced: a slow machine would miss the first tries.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 30_000));
  await checkoutOf(page).click();
  for (let tries = 1; tries <= 5; tries += 1) {
    await expect(async () => {
      await page.clock.runFor(10);
      await expect(page.getByText(`Processing... (try ${tries}/5)`)).toBeVisible({ timeout: 100 });
    }).toPass();
    requested.length = 0;
    await page.clock.runFor(1500);
    await expect.poll(() => requested).toEqual(expect.arrayContaining(['/api/credits', '/api/billing/payments']));
  }
  await expect(page.getByText(/^Processing/)).toHaveCount(0);
  for (let round = 0; round < 2; round += 1) {
    requested.length = 0;
    // The wait starts when the previous response has arrived, which may be after the clock was advanced.
    await expect
      .poll(async () => {
        await page.clock.runFor(5000);
        return requested;
      })
      .toContain('/api/billing/now/status');
  }
});

test('FUND-017 FUND-019 FUND-020 X29 at zero the order ends as expired, and money on its way is not lost', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'funds');
  await startPayment(page, 20);
  await expect(page.getByRole('timer')).toHaveText(/^1[45]:\d\d$/);
  const ended = page.waitForRequest('**/api/billing/now/cancel');
  // Only the page's clock advances: for the server the fifteen minutes are not over, so it keeps the order open.
  await changeResponses(page, '**/api/billing/now/status*', (body: { payment: { created_at: string } }) => ({
    ...body,
    payment: { ...body.payment, expires_at: body.payment.created_at },
  }));
  await page.clock.runFor(15_000);
  const request = await ended;
  expect(request.postDataJSON()).toMatchObject({ reason: 'expired' });
  expect((await request.response())?.status()).toBe(409);
  await payByWallet(page, 'expire');
  await expect(async () => {
    await page.clock.runFor(5000);
    await expect(page.getByRole('timer')).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect(page.getByText('Payment time expired')).toBeVisible();
  await expect(page.getByText(/Coins you already sent are credited when they arrive/)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await page.getByRole('button', { name: 'Payment history' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'EXPIRED' })).toBeVisible();
});

test('a second create with another amount says for how much the open invoice is', async ({ page }) => {
  await signUp(page, 'funds');
  await openFunds(page);
  // Another window is quicker: the order of this press finds its invoice open.
  await page.route('**/api/billing/now/create-payment', async (route) => {
    const data = { amount: 20, currency: 'usdt' };
    const headers = { origin: new URL(page.url()).origin };
    expect((await page.request.post('/api/billing/now/create-payment', { data, headers })).status()).toBe(200);
    await route.continue();
  });
  await page.getByLabel('Amount', { exact: true }).fill('50');
  await checkoutOf(page).click();
  await expectMessage(page, 'Your open invoice is for 20 USD. Close it to change the amount.');
});

test('FUND-013 another method confirms before it closes the open payment', async ({ page }) => {
  await signUp(page, 'funds');
  await startPayment(page, 20);
  await tabOf(page, 'Purchase Credits').click();
  await expect(page.getByText(/^Open payment: 20 credits by USDT on TRON \(TRC-20\)/)).toBeVisible();
  await expect(page.getByLabel('Amount', { exact: true })).toBeDisabled();
  await page.getByRole('radio', { name: /^BNB/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch to BNB on BNB Smart Chain (BEP-20)?' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep the open payment' }).click();
  await expect(page.getByRole('radio', { name: /^USDT/ })).toBeChecked();
  await page.getByRole('radio', { name: /^BNB/ }).click();
  await dialog.getByRole('button', { name: 'Cancel it and switch' }).click();
  await expect(page.getByRole('radio', { name: /^BNB/ })).toBeChecked();
  await expect(page.getByText(/^Open payment/)).toHaveCount(0);
  await checkoutOf(page).click();
  await expect(page.getByRole('img', { name: /^QR code: send [\d.]+ BNB to 0x/ })).toBeVisible();
});

test('FUND-015 FUND-032 ERR-026 closing cancels the order and leads back; a failed cancel is silent and the payment stays in sight', async ({
  page,
}) => {
  await signUp(page, 'funds');
  await startPayment(page, 20);
  await page.route('**/api/billing/now/cancel', (route) => route.abort());
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await expect(tabOf(page, 'Purchase Credits')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Show payment', exact: true }).click();
  await page.unroute('**/api/billing/now/cancel');
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await expect(checkoutOf(page)).toBeEnabled();
  await expect(page.getByText(/^Open payment/)).toHaveCount(0);
});

test('FUND-022 FUND-026 FUND-027 FUND-028 FUND-030 a pending payment copies exact values, is found again after a reload, and survives a lost network', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL ?? '' });
  await signUp(page, 'funds');
  const response = await startPayment(page, 20);
  const { payment } = response;
  for (const field of ['payment_id', 'order_id', 'pay_address', 'pay_amount', 'pay_currency', 'status', 'expiresAt'])
    expect(response).toHaveProperty(field);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expectMessage(page, 'Address copied to clipboard');
  expect(await clipboard()).toBe(payment.pay_address);
  await page.getByRole('button', { name: 'Copy amount' }).click();
  await expectMessage(page, 'Amount copied to clipboard');
  expect(await clipboard()).toBe(payment.pay_amount);

  await page.reload();
  await openFunds(page);
  await tabOf(page, 'Payment Details').click();
  await expect(page.getByText(payment.pay_address)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^\d\d:\d\d$/);

  // Without a network the payment stays visible with a line that says so, and resumes automatically.
  await context.setOffline(true);
  await expect(page.getByText(/^Offline: showing the last known status/)).toBeVisible();
  await expect(page.getByText(payment.pay_address)).toBeVisible();
  await expect(page.getByRole('timer')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^Offline: showing the last known status/)).toHaveCount(0);
  await payByWallet(page, 'full');
  await expect(page.getByText('20 credits added')).toBeVisible();
});

test('FUND-025 FUND-031 ERR-018 a rejection shows the words of the provider first; a payment that fails is announced', async ({
  page,
}) => {
  await signUp(page, 'funds');
  await openFunds(page);
  const rejection = (body: object) => ({
    status: 422,
    contentType: 'application/problem+json',
    body: JSON.stringify({ code: 'payment_refused', ...body }),
  });
  for (const [body, said] of [
    [{ provider_detail: 'Currency USDTTRC20 is in maintenance', detail: 'B' }, 'Currency USDTTRC20 is in maintenance'],
    [{ detail: 'Amount is below the minimum', message: 'C' }, 'Amount is below the minimum'],
    [{ error: 'payment_refused', message: 'Try a larger amount' }, 'Try a larger amount'],
    [{}, 'Failed to create payment'],
  ] as const) {
    await page.route('**/api/billing/now/create-payment', (route) => route.fulfill(rejection(body)));
    await checkoutOf(page).click();
    await expect(page.getByRole('alert')).toContainText(said);
    await page.unroute('**/api/billing/now/create-payment');
  }
  const invoice = await startPayment(page, 20);
  const { payment } = invoice;
  await page.route('**/api/billing/now/status*', (route) =>
    route.fulfill({ json: { ...invoice, payment: { ...payment, status: 'FAILED' } } }),
  );
  await expectMessage(page, 'Payment failed. Please try again.');
  await expect(page.getByText(payment.pay_address)).toHaveCount(0);
});

test('CONST-004 FUND-005 FUND-006 FUND-007 X62 the card form is a frame of MoonPay alone, and its return URL is read once and not trusted', async ({
  page,
}) => {
  await signUp(page, 'funds');
  await openFunds(page);
  await tabOf(page, 'MoonPay').click();
  await expect(page.getByText(/^This is MoonPay.s sandbox/)).toBeVisible();
  // Nothing of the card service is loaded before the user requests it.
  expect(page.frames()).toHaveLength(1);
  // The sandbox provider's key accepts the amount entered.
  await page.getByLabel('Amount', { exact: true }).filter({ visible: true }).fill('60');
  await page.getByRole('button', { name: 'Open the card form: 60 USD' }).click();
  await expect(page.getByText('Purchase of 60 USD')).toBeVisible();
  const address = new URL((await page.getByTitle('MoonPay card form').getAttribute('src')) ?? '');
  expect([...address.searchParams.keys()].at(-1)).toBe('signature');
  const policy = (await page.request.get('/')).headers()['content-security-policy'] ?? '';
  expect(
    policy
      .split(';')
      .find((part) => part.trim().startsWith('frame-src'))
      ?.trim(),
  ).toBe(`frame-src ${address.origin}`);
  await page.frameLocator('iframe').getByRole('button', { name: 'Pay 60 USD by practice card' }).click();
  await expect(page.getByRole('button', { name: '70 credits', exact: true })).toBeVisible();
  await expectMessage(page, PAID);
  await expect(page.getByRole('status').filter({ hasText: '60 credits added' })).toBeVisible();
  const back = await page.frameLocator('iframe').getByRole('link', { name: 'Back to Sextant' }).getAttribute('href');
  const { pathname, search } = new URL(back ?? '');
  expect(search).toContain('transactionStatus=pending');
  await page.goto(pathname + search);
  await expect(page.getByText(/^Waiting for MoonPay to confirm/)).toBeVisible();
  // Replaced once the page has read it.
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=funds&page=moonpay');

  await page.goto('/?tab=funds&transactionId=x&transactionStatus=completed');
  await expect(page.getByText(/^Waiting for MoonPay to confirm/)).toBeVisible();
  await page.goto('/?tab=funds');
  await expect(page.getByRole('button', { name: '70 credits', exact: true })).toBeVisible();
});

test('ACC-016 without credits the scanner leads to the purchase', async ({ page }) => {
  await changeResponses(page, '**/api/credits', (body: object) => ({ ...body, balance: 0 }));
  await signUp(page, 'signals');
  await expect(page.getByRole('button', { name: 'Insufficient Credits' })).toBeDisabled();
  await page.getByRole('tabpanel').getByRole('button', { name: 'Add Credits' }).click();
  await expect(tabOf(page, 'Purchase Credits')).toHaveAttribute('aria-selected', 'true');
  await openTab(page, 'Account');
  await tabOf(page, 'Credits & Billing').click();
  await page.getByRole('button', { name: 'Add Credits' }).click();
  await expect(checkoutOf(page)).toBeEnabled();
});

test('FUND-001 every page of Funds is accessible in both themes and fits', async ({ page }) => {
  await signUp(page, 'funds');
  await openFunds(page);
  await expectAccessibleAtBothWidths(page, 'purchase');
  await tabOf(page, 'Payment Details').click();
  await expectAccessibleAtBothWidths(page, 'no payment');
  await startPayment(page, 20);
  await expectAccessibleAtBothWidths(page, 'invoice');
  await tabOf(page, 'Purchase Credits').click();
  await page.getByRole('radio', { name: /^BNB/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'switch');
  await page.keyboard.press('Escape');
  await tabOf(page, 'MoonPay').click();
  await expect(page.getByRole('button', { name: 'Open the card form' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'card');
});
