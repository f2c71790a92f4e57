import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../support/createTestApp.ts';

/** An account may be created with another owner's email address, so changes that send an email share one limit. */

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** Changes that send an email on success. These are rejected for another reason, and still count. */
const changes = [
  ['POST', '/api/auth/two-factor/recovery-codes', undefined],
  ['POST', '/api/auth/two-factor/confirm', { code: '000000' }],
  ['DELETE', '/api/auth/two-factor', undefined],
  ['POST', '/api/account/deletion', { email: 'another@example.com' }],
  ['PATCH', '/api/auth/user', { current_password: 'not-the-password', password: 'a-new-password-4711' }],
] as const;

const send = async (user: TestUser, [method, url, payload]: (typeof changes)[number]) =>
  test.app.inject({ method, url, headers: user.bearer, ...(payload === undefined ? {} : { payload }) });

it('rejects the twenty-first change within an hour with a wait, whatever its kind, and no other user', async () => {
  const [anna, bert] = [await test.signUp(), await test.signUp()];
  for (let turn = 0; turn < 20; turn++) {
    // Two kinds that reach no other limit first.
    const response = await send(anna, changes[turn % 2 === 0 ? 0 : 2]);
    expect(response.statusCode, response.body).not.toBe(429);
  }
  for (const change of changes) {
    const response = await send(anna, change);
    expect(response.json(), change[1]).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(bert, change)).statusCode).not.toBe(429);
  }
});
