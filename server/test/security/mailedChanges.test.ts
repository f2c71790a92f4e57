import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../support/createTestApp.ts';

/** An account can be made with an address that is not its owner's: changes that a mail reports are bounded together. */

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** Changes that send a mail when they succeed. These are refused for another reason, and count all the same. */
const changes = [
  ['POST', '/api/auth/two-factor/recovery-codes', undefined],
  ['POST', '/api/auth/two-factor/confirm', { code: '000000' }],
  ['DELETE', '/api/auth/two-factor', undefined],
  ['POST', '/api/account/deletion', { email: 'another@example.com' }],
  ['PATCH', '/api/auth/user', { current_password: 'not-the-password', password: 'a-new-password-4711' }],
] as const;

const send = async (user: TestUser, [method, url, payload]: (typeof changes)[number]) =>
  test.app.inject({ method, url, headers: user.bearer, ...(payload === undefined ? {} : { payload }) });

it('the twenty-first change within an hour is refused with a time to wait, whichever it is, and nobody else is', async () => {
  const [anna, bert] = [await test.signUp(), await test.signUp()];
  for (let turn = 0; turn < 20; turn++) {
    // Two kinds that no other limit stops first.
    const answer = await send(anna, changes[turn % 2 === 0 ? 0 : 2]);
    expect(answer.statusCode, answer.body).not.toBe(429);
  }
  for (const change of changes) {
    const answer = await send(anna, change);
    expect(answer.json(), change[1]).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(bert, change)).statusCode).not.toBe(429);
  }
});
