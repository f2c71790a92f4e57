import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../support/createTestApp.ts';
import { cheapPasswords } from '../../support/cheapPasswords.ts';
import { countPasswords } from './support/countedPasswords.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

/** Guesses per kind: more than the highest limit, which is a hundred. A thousand with `npm run test:statistics`. */
const guessCount = process.env['STATISTICS'] === 'full' ? 1000 : 160;
const passwords = countPasswords(cheapPasswords);
let test: EmailApp;
beforeAll(async () => {
  test = await createEmailApp({ env: { TRUST_PROXY: '127.0.0.1' }, passwords });
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.asOwner('delete from rate_limits');
});

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const onlyNetwork = () => '203.0.113.9';
/** As many networks as there are guesses. */
const manyNetworks = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** Sends all guesses, twenty at a time, and counts the responses by status. */
async function guess(send: (index: number) => Promise<{ statusCode: number }>): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  for (let start = 0; start < guessCount; start += 20) {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => send(start + index)));
    for (const { statusCode } of responses) seen[statusCode] = (seen[statusCode] ?? 0) + 1;
  }
  return seen;
}

const signIn = (email: string, password: string, ip: string) =>
  test.post('/api/auth/signin', { email, password }, from(ip));

async function withTwoFactor(): Promise<{ user: TestUser; secret: string; challenge: string; recovery: string[] }> {
  const user = await test.signUp();
  const { secret } = (await test.post('/api/auth/two-factor', undefined, user.browser)).json<{ secret: string }>();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await test.post('/api/auth/two-factor/confirm', { code }, user.browser);
  const { challenge } = (await signIn(user.email, user.password, '192.0.2.1')).json<{ challenge: string }>();
  return { user, secret, challenge, recovery: confirmed.json<{ recovery_codes: string[] }>().recovery_codes };
}
const sessionCount = async ({ id }: TestUser) =>
  (await test.database.asOwner<{ n: number }>('select count(*)::int as n from sessions where user_id = $1', [id]))[0]
    ?.n;

describe(`${guessCount} guesses`, { timeout: 180_000 }, () => {
  it('at a password from one network: ten are compared, and the right one is rejected afterwards', async () => {
    const { email, password } = await test.signUp();
    passwords.forget();
    expect(await guess((index) => signIn(email, `guess ${index}`, onlyNetwork()))).toEqual({
      401: 10,
      429: guessCount - 10,
    });
    expect(passwords.calls()).toHaveLength(10);
    expect((await signIn(email, password, onlyNetwork())).statusCode).toBe(429);
  });

  it('at a password from as many networks: a hundred in an hour are compared', async () => {
    const { email, password } = await test.signUp();
    passwords.forget();
    expect(await guess((index) => signIn(email, `guess ${index}`, manyNetworks(index)))).toEqual({
      401: 100,
      429: guessCount - 100,
    });
    expect(passwords.calls()).toHaveLength(100);
    expect((await signIn(email, password, '192.0.2.77')).json()).toMatchObject({ code: 'account_locked' });
  });

  it('at the link of a reset: none opens, a network is stopped at a hundred, and the real one still works', async () => {
    const { email } = await test.signUp();
    await test.post('/api/auth/reset-request', { email });
    const token = await test.tokenTo(email);
    const reset = (guessed: string, ip: string) =>
      test.post('/api/auth/reset', { token: guessed, password: 'brand new words' }, from(ip));
    passwords.forget();
    const random = () => reset(randomBytes(32).toString('base64url'), onlyNetwork());
    expect(await guess(random)).toEqual({ 410: 100, 429: guessCount - 100 });
    // Guesses close to the real token, from everywhere: tokens are looked up by hash, so closeness does not help.
    const near = (index: number) =>
      reset(`${token.slice(0, 39)}~${index.toString(36).padStart(3, '0')}`, manyNetworks(index));
    const seen = await Promise.all(Array.from({ length: 30 }, (_, index) => near(index)));
    expect(new Set(seen.map(({ statusCode }) => statusCode))).toEqual(new Set([410]));
    expect(passwords.calls()).toEqual([]);
    expect((await reset(token, '192.0.2.78')).statusCode).toBe(200);
  });

  it('at a code of an authenticator: twenty in an hour are compared, however many networks guess', async () => {
    const { user, secret, challenge } = await withTwoFactor();
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    // Three of a million codes are right: left out, so that this test never fails by luck.
    const right = new Set(
      [-90, -60, -30, 0, 30, 60, 90].map((s) => totp.generate({ timestamp: Date.now() + s * 1000 })),
    );
    const codes = Array.from({ length: guessCount + 7 }, (_, index) => String(index * 997).padStart(6, '0'));
    const wrong = codes.filter((code) => !right.has(code));
    const before = await sessionCount(user);
    const send = (index: number) =>
      test.post('/api/auth/second-factor', { challenge, code: wrong[index]! }, from(manyNetworks(index)));
    expect(await guess(send)).toEqual({ 400: 20, 429: guessCount - 20 });
    expect(await sessionCount(user)).toBe(before);
  });

  it('at a recovery code: twenty in an hour are compared, and all ten are left', async () => {
    const { user, challenge, recovery } = await withTwoFactor();
    const before = await sessionCount(user);
    const send = (index: number) => {
      const code = `${recovery[0]!.slice(0, 8)}${index.toString(36).padStart(3, '0')}`;
      return test.post('/api/auth/second-factor', { challenge, code }, from(manyNetworks(index)));
    };
    expect(await guess(send)).toEqual({ 400: 20, 429: guessCount - 20 });
    expect(await sessionCount(user)).toBe(before);
    const state = await test.app.inject({ url: '/api/account/security', headers: user.browser });
    expect(state.json()).toMatchObject({ recovery_codes_left: 10 });
  });
});
