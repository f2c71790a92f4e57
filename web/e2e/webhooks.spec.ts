import { expect, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { untilGivenUp } from './support/requests.ts';

test('HOOK-001 HOOK-004 DOC-006 DOC-007 ERR-008 a webhook is made, tested, its delivery read and sent again, and deleted', async ({
  page,
}) => {
  await signUp(page, 'api-docs');
  const status = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Webhook Status' }) });
  await expect(status.getByText('Inactive')).toBeVisible();
  await expect(status.getByRole('button', { name: 'Test Webhook' })).toBeDisabled();
  await status.getByRole('button', { name: 'Create a webhook' }).click();

  const form = page.getByRole('form', { name: 'New webhook' });
  await form.getByLabel('URL').fill('https://169.254.169.254/latest');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expectMessage(page, 'Failed to create webhook: The URL leads to an address that is not public.');
  await form.getByRole('button', { name: "Use the demo's receiver" }).click();
  const url = await form.getByLabel('URL').inputValue();
  await form.getByLabel('credits.low').uncheck();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  const secret = page.getByLabel('Signing secret', { exact: true });
  await expect(secret).toHaveText(/^whsec_[\w+/]{43}=$/);
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  await expect(secret).toHaveCount(0);
  await expect(page.getByText('plan.expiring · secret …')).toBeVisible();
  await expect(page.getByText('credits.low,')).toHaveCount(0);

  await page.getByRole('button', { name: `Deliveries to ${url}` }).click();
  await expect(page.getByText('No deliveries yet.')).toBeVisible();
  await page.getByRole('button', { name: `Test: ${url}` }).click();
  await page.getByLabel('Example of').selectOption('position.closed');
  await page.getByRole('button', { name: 'Send test' }).click();
  await expectMessage(page, 'Webhook test delivered');
  const delivery = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect(delivery).toContainText(/test.*204 in \d+ ms · 1 attempt/);
  await delivery.getByRole('button', { name: /^Request of test/ }).click();
  await expect(delivery.getByRole('region')).toContainText('"type": "position.closed"');
  await expectAccessibleAtBothWidths(page, 'webhooks');
  await delivery.getByRole('button', { name: /^Redeliver test/ }).click();
  await expect(delivery).toContainText(/204 in \d+ ms · 2 attempts/);

  await page.getByRole('button', { name: `Rotate secret: ${url}` }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await expect(page.getByText(/The previous secret also signs until/)).toBeVisible();
  await page.getByRole('button', { name: 'I have saved the secret' }).click();

  await openTab(page, 'API Docs');
  await expect(status.getByText('Active', { exact: true })).toBeVisible();
  await status.getByRole('button', { name: 'Test Webhook' }).click();
  await expectMessage(page, 'Webhook test delivered');
  await page.getByRole('tab', { name: 'Webhooks', exact: true }).click();
  const made = page.getByRole('region', { name: 'POST /api/webhooks', exact: true });
  await made.getByText('Errors', { exact: true }).click();
  await expect(made.getByRole('rowheader', { name: 'validation_failed' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'calls of webhooks');
  await status.getByRole('button', { name: 'Manage webhooks' }).click();
  await page.getByRole('button', { name: `Delete: ${url}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Create your first webhook')).toBeVisible();
});

test('HOOK-001 the secret is shown when the list has the webhook before the response arrives', async ({ page }) => {
  await page.clock.install();
  await signUp(page, 'api-docs');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const row = page.getByText('plan.expiring · secret …');
  await page.route('**/api/webhooks', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    // The list is refetched meanwhile, and the form for the first webhook unmounts.
    await page.clock.runFor(16_000);
    await expect(row).toBeVisible();
    await route.fulfill({ response });
  });
  const form = page.getByRole('form', { name: 'New webhook' });
  await form.getByRole('button', { name: "Use the demo's receiver" }).click();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByLabel('Signing secret', { exact: true })).toHaveText(/^whsec_/);
  await expect(row).toBeVisible();
});

test('HOOK-005 webhooks that fail to load are an empty list with the reason beside it', async ({ page }) => {
  let isDown = true;
  const problem = { code: 'database_unavailable', status: 503, title: 'No', message: 'The database timed out.' };
  await page.route('**/api/webhooks', (route) =>
    isDown ? route.fulfill({ status: 503, contentType: 'application/problem+json', json: problem }) : route.continue(),
  );
  await page.clock.install();
  await signUp(page, 'api-docs');
  const status = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Webhook Status' }) });
  await expect(status.getByText('Inactive')).toBeVisible();
  await expect(status.getByRole('button', { name: 'Test Webhook' })).toBeDisabled();
  await status.getByRole('button', { name: 'Create a webhook' }).click();
  await untilGivenUp(page, (timeout) =>
    expect(page.getByText('The database timed out.').first()).toBeVisible({ timeout }),
  );
  await expect(page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')).toHaveCount(0);
  // Restored only after the press: the page may retry at any moment, and the button would be gone.
  const again = page.waitForRequest('**/api/webhooks');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await again;
  isDown = false;
  await expect(page.getByText('Create your first webhook')).toBeVisible();
});
