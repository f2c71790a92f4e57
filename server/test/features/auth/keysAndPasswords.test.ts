import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../support/createTestApp.ts';
import { type MadeKey, makeKey } from '../apiKeys/support.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

/** An attacker with the old password may have made a key: a password change can revoke all keys. */
let test: EmailApp;
let anna: TestUser;
let keys: MadeKey[];
beforeAll(async () => {
  test = await createEmailApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
  keys = [await makeKey(test, anna), await makeKey(test, anna, { mode: 'test' })];
});

const statuses = async () => {
  const responses = await Promise.all(
    keys.map(({ header }) => test.app.inject({ url: '/api/account/whoami', headers: header })),
  );
  return responses.map(({ statusCode }) => statusCode);
};
const change = (more: object = {}) =>
  test.app.inject({
    method: 'PATCH',
    url: '/api/auth/user',
    headers: anna.browser,
    payload: { current_password: anna.password, password: 'brand new words', ...more },
  });
const reset = async (more: object = {}) => {
  await test.post('/api/auth/reset-request', { email: anna.email });
  const token = await test.tokenTo(anna.email);
  return test.post('/api/auth/reset', { token, password: 'brand new words', ...more });
};
const newestText = async () => (await test.mailsTo(anna.email)).at(-1)?.text ?? '';

describe('API keys and a new password', () => {
  it('a change in the settings preserves them unless they are revoked too, and the email says which', async () => {
    expect(await statuses()).toEqual([200, 200]);
    expect((await change()).statusCode).toBe(200);
    expect(await statuses()).toEqual([200, 200]);
    expect(await newestText()).toContain('Your API keys still work');
  });

  it('a change that revokes them ends all at once, cached or not', async () => {
    expect(await statuses()).toEqual([200, 200]);
    expect((await change({ revoke_api_keys: true })).statusCode).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    expect(await newestText()).toContain('Your API keys were revoked.');
  });

  it('a reset by email revokes them unless requested otherwise', async () => {
    expect(await statuses()).toEqual([200, 200]);
    expect((await reset()).statusCode).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    expect(await newestText()).toContain('Your API keys were revoked.');
  });

  it('a reset that preserves them says so, and a wrong password or link revokes nothing', async () => {
    expect((await change({ current_password: 'wrong', revoke_api_keys: true })).statusCode).toBe(400);
    const invented = { token: 'x'.repeat(43), password: 'brand new words' };
    expect((await test.post('/api/auth/reset', invented)).statusCode).toBe(410);
    expect(await statuses()).toEqual([200, 200]);
    expect((await reset({ revoke_api_keys: false })).statusCode).toBe(200);
    expect(await statuses()).toEqual([200, 200]);
  });

  it('does not mention keys to an account without one', async () => {
    for (const { id } of keys)
      await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${id}`, headers: anna.browser });
    expect((await reset()).statusCode).toBe(200);
    expect(await newestText()).not.toContain('API key');
  });
});
