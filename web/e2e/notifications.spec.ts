import { expect, test } from '@playwright/test';
import { signUp } from './support/users.ts';

test('HOOK-008 HOOK-009 a chat is linked by Start, a webhook is guarded and signed, and the log says what arrived', async ({
  page,
}) => {
  await signUp(page, 'account');
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await expect(page.getByText('No messages yet.')).toBeVisible();

  await page.getByRole('button', { name: 'Link Telegram' }).click();
  const start = await page.getByRole('link', { name: 'Open the bot' }).getAttribute('href');
  // Simulates the click there and on Start, with the demo's sandbox chat.
  expect((await page.request.get(start ?? '')).status()).toBe(200);
  await expect(page.getByText('@ada', { exact: true })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Messages by Telegram' })).toBeChecked();

  const url = page.getByLabel('URL');
  for (const [typed, said] of [
    ['https://127.0.0.1/', 'The URL leads to an address that is not public.'],
    ['https://[::ffff:169.254.169.254]/', 'The URL leads to an address that is not public.'],
    ['http://example.com/', 'The URL must start with https://.'],
  ] as const) {
    await url.fill(typed);
    await page.getByRole('button', { name: 'Save URL' }).click();
    await expect(page.getByText(said)).toBeVisible();
  }
  await page.getByRole('button', { name: "Use the demo's receiver" }).click();
  // A unique URL: other tests send to the same receiver.
  const receiver = `${await url.inputValue()}/${crypto.randomUUID()}`;
  await url.fill(receiver);
  await page.getByRole('button', { name: 'Save URL' }).click();
  await expect(page.getByTestId('webhook-secret')).toHaveText(/^whsec_[\w+/]{43}=$/);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Messages by Webhook' })).toBeChecked();
  await expect(page.getByText('whsec_')).toHaveCount(0);

  // A test is sent even while the target is switched off, so that users can try it before they switch it on.
  await page.getByRole('switch', { name: 'Messages by Webhook' }).click();
  await expect(page.getByRole('switch', { name: 'Messages by Webhook' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Send a test' }).last().click();
  const log = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Delivery log' }) });
  await expect(log.getByRole('listitem').filter({ hasText: 'Webhook' })).toContainText('Arrived');
  await page.getByRole('button', { name: 'Send a test' }).first().click();
  await expect(log.getByRole('listitem').filter({ hasText: 'Telegram' })).toContainText('Arrived');
  const newestTest = async () => {
    const cached = (await (await page.request.get(`${new URL(receiver).origin}/__control/requests`)).json()) as {
      requests: { path: string; headers: Record<string, string>; body: string }[];
    };
    const isMine = ({ path, body }: { path: string; body: string }) =>
      path === new URL(receiver).pathname && body.includes('"type":"test"');
    return cached.requests.find(isMine)?.headers ?? {};
  };
  expect((await newestTest())['webhook-id']).toMatch(/^msg_[0-9a-f-]{36}$/);
  expect((await newestTest())['webhook-signature']).toMatch(/^v1,\S+$/);
  // For a day the replaced key signs beside the new one.
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await expect(page.getByText('The previous key stays valid until')).toBeVisible();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: 'Send a test' }).last().click();
  await expect.poll(async () => (await newestTest())['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);

  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await page.getByLabel('Scan finished while I was away').first().click();
  await saved;
  await page.reload();
  await expect(page.getByLabel('Scan finished while I was away').first()).not.toBeChecked();
  const preferences = (await (await page.request.get('/api/preferences')).json()) as Record<string, string>;
  expect(preferences).toMatchObject({ telegram: '@ada', webhook: receiver });
});
