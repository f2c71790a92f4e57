import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
let bearer: { authorization: string };
beforeAll(async () => {
  test = await createTestApp();
  const entered = await test.app.inject({ method: 'POST', url: '/api/auth/demo' });
  bearer = { authorization: `Bearer ${entered.json<{ token: string }>().token}` };
});
afterAll(() => test.close());

const demoCalls = [
  ['PUT', '/api/notifications/webhook', { url: 'https://example.com/hook' }],
  ['POST', '/api/notifications/webhook/secret', undefined],
  ['POST', '/api/notifications/telegram/link', undefined],
  ['POST', '/api/notifications/webhook/test', undefined],
  ['POST', '/api/notifications/telegram/test', undefined],
  ['PATCH', '/api/notifications/webhook', { is_on: true }],
  ['DELETE', '/api/notifications/telegram', undefined],
  ['POST', '/api/notifications/deliveries/00000000-0000-4000-8000-000000000000/retry', undefined],
] as const;

it.each(demoCalls)('a demo account is rejected for %s %s, with the reason', async (method, url, payload) => {
  const response = await test.app.inject({
    method,
    url,
    headers: bearer,
    ...(payload === undefined ? {} : { payload }),
  });
  expect(response.json()).toMatchObject({
    status: 403,
    code: 'forbidden',
    message: 'Demo accounts send no messages. Create an account to use Telegram or webhooks.',
  });
  expect(response.body).not.toContain('whsec_');
  expect(
    await test.database.asOwner('select user_id from notification_targets union select user_id from webhook_keys'),
  ).toEqual([]);
});

it('its settings say so, and those of a normal account do not', async () => {
  const read = async (headers: { authorization: string }) =>
    (await test.app.inject({ url: '/api/notifications', headers })).json<{ is_demo: boolean }>().is_demo;
  expect(await read(bearer)).toBe(true);
  expect(await read((await test.signUp()).bearer)).toBe(false);
});
