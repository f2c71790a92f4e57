import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, type TestUser } from '../../support/createTestApp.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

let test: EmailApp;
beforeAll(async () => {
  test = await createEmailApp();
});
afterAll(() => test.close());

const codeAt = (secret: string, offsetS = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetS * 1000 });
const wrongCode = (secret: string) => (codeAt(secret) === '000000' ? '000001' : '000000');
/** Marks the last code as used long ago, because a test cannot wait 30 s for the next one. */
const forgetStep = (user: TestUser) =>
  test.database.asOwner('update two_factors set last_step = 0 where user_id = $1', [user.id]);
const sessionOf = async (headers: Record<string, string>) =>
  (await test.app.inject({ url: '/api/auth/session', headers })).json<{ user: { email: string } | null }>().user;

/** @returns also the code that turned it on */
async function turnOn(user: TestUser): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const started = await test.post('/api/auth/two-factor', undefined, user.browser);
  const { secret } = started.json<{ secret: string }>();
  const code = codeAt(secret);
  const confirmed = await test.post('/api/auth/two-factor/confirm', { code }, user.browser);
  expect(confirmed.statusCode).toBe(200);
  return { secret, code, recoveryCodes: confirmed.json<{ recovery_codes: string[] }>().recovery_codes };
}

async function challengeFor({ email, password }: TestUser): Promise<string> {
  const response = await test.post('/api/auth/signin', { email, password });
  expect(response.headers['set-cookie']).toBeUndefined();
  return response.json<{ challenge: string }>().challenge;
}
const finish = (challenge: string, code: string) => test.post('/api/auth/second-factor', { challenge, code });

describe('turning two-factor on', () => {
  it('needs a right code first, gives ten recovery codes, notifies the owner, and stores no secret in the clear', async () => {
    const user = await test.signUp();
    const { secret } = (await test.post('/api/auth/two-factor', undefined, user.browser)).json<{ secret: string }>();
    const wrong = await test.post('/api/auth/two-factor/confirm', { code: wrongCode(secret) }, user.browser);
    expect(wrong.json()).toMatchObject({ status: 400, code: 'invalid_code', field: 'code' });
    expect((await test.post('/api/auth/signin', { email: user.email, password: user.password })).json()).toHaveProperty(
      'token',
    );
    const right = await test.post('/api/auth/two-factor/confirm', { code: codeAt(secret) }, user.browser);
    const codes = right.json<{ recovery_codes: string[] }>().recovery_codes;
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    const stored = JSON.stringify([
      await test.database.asOwner('select * from two_factors where user_id = $1', [user.id]),
      await test.database.asOwner('select * from recovery_codes where user_id = $1', [user.id]),
    ]);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))])
      expect(stored).not.toContain(text);
    expect((await test.mailsTo(user.email)).at(-1)?.subject).toBe('Two-factor sign-in is on');
    const state = await test.app.inject({ url: '/api/account/security', headers: user.browser });
    expect(state.json()).toMatchObject({ two_factor: true, recovery_codes_left: 10 });
  });

  it('cannot replace an authenticator that is in use', async () => {
    const user = await test.signUp();
    await turnOn(user);
    const again = await test.post('/api/auth/two-factor', undefined, user.browser);
    expect(again.json()).toMatchObject({ status: 409, code: 'conflict' });
  });
});

describe('signing in with two-factor on', () => {
  it('gives no session for the password alone, and one for password and code', async () => {
    const user = await test.signUp();
    const { secret } = await turnOn(user);
    await forgetStep(user);
    const challenge = await challengeFor(user);
    expect((await finish(challenge, wrongCode(secret))).json()).toMatchObject({ code: 'invalid_code' });
    const response = await finish(challenge, codeAt(secret));
    expect(await sessionOf({ cookie: cookieOf(response) })).toMatchObject({ email: user.email });
    expect((await finish(challenge, codeAt(secret, 30))).json()).toMatchObject({ status: 410, code: 'link_invalid' });
  });

  it('accepts a code once: not again within its step, and not in two concurrent requests', async () => {
    const user = await test.signUp();
    const { secret, code: used } = await turnOn(user);
    // The code that turned it on, not the current one: the next step may have started.
    const replayed = await finish(await challengeFor(user), used);
    expect(replayed.json(), 'the code that turned it on').toMatchObject({ code: 'invalid_code' });
    await forgetStep(user);
    const [one, two] = [await challengeFor(user), await challengeFor(user)];
    const code = codeAt(secret);
    const both = await Promise.all([finish(one, code), finish(two, code)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  it('accepts each recovery code once, however it is typed, and notifies the owner', async () => {
    const user = await test.signUp();
    const { recoveryCodes } = await turnOn(user);
    await test.mailsTo(user.email);
    const [code = ''] = recoveryCodes;
    expect((await finish(await challengeFor(user), ` ${code.toUpperCase().replace('-', ' ')} `)).statusCode).toBe(200);
    expect((await finish(await challengeFor(user), code)).json()).toMatchObject({ code: 'invalid_code' });
    expect((await test.mailsTo(user.email)).at(-1)?.subject).toBe('A recovery code was used');
    const other = await test.signUp();
    await turnOn(other);
    expect((await finish(await challengeFor(other), recoveryCodes[1] ?? '')).statusCode, 'of another user').toBe(400);
  });

  it('allows five guesses of a code in 15 minutes from one network, and rejects the right one then', async () => {
    const user = await test.signUp();
    const { secret } = await turnOn(user);
    await forgetStep(user);
    const challenge = await challengeFor(user);
    const statuses = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await finish(challenge, wrongCode(secret))).statusCode);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await finish(challenge, codeAt(secret))).json()).toMatchObject({ status: 429, code: 'account_locked' });
  });

  it('a challenge expires after ten minutes, and when the password changes', async () => {
    const user = await test.signUp();
    const { secret } = await turnOn(user);
    await forgetStep(user);
    const old = await challengeFor(user);
    await test.database.asOwner(`update auth_tokens set expires_at = now() where user_id = $1`, [user.id]);
    expect((await finish(old, codeAt(secret))).statusCode).toBe(410);
    const current = await challengeFor(user);
    await test.app.inject({
      method: 'PATCH',
      url: '/api/auth/user',
      headers: user.browser,
      payload: { current_password: user.password, password: 'brand new words' },
    });
    expect((await finish(current, codeAt(secret))).statusCode).toBe(410);
  });
});

describe('turning it off, and new recovery codes', () => {
  it('are the owner’s: the old codes stop, and the password alone opens the account again', async () => {
    const user = await test.signUp();
    const { recoveryCodes } = await turnOn(user);
    const renewed = await test.post('/api/auth/two-factor/recovery-codes', undefined, user.browser);
    const fresh = renewed.json<{ recovery_codes: string[] }>().recovery_codes;
    expect((await finish(await challengeFor(user), recoveryCodes[0] ?? '')).statusCode).toBe(400);
    expect((await finish(await challengeFor(user), fresh[0] ?? '')).statusCode).toBe(200);
    await test.app.inject({ method: 'DELETE', url: '/api/auth/two-factor', headers: user.browser });
    const plain = await test.post('/api/auth/signin', { email: user.email, password: user.password });
    expect(plain.json()).toHaveProperty('token');
    expect(await test.database.asOwner('select id from recovery_codes where user_id = $1', [user.id])).toEqual([]);
    const none = await test.post('/api/auth/two-factor/recovery-codes', undefined, user.browser);
    expect(none.statusCode).toBe(409);
  });
});

describe('a sensitive action', () => {
  const acts: [string, (user: TestUser) => ReturnType<typeof test.post>][] = [
    ['a new email', (user) => test.post('/api/auth/email', { email: `x-${user.email}` }, user.browser)],
    ['a second factor', (user) => test.post('/api/auth/two-factor', undefined, user.browser)],
    ['new recovery codes', (user) => test.post('/api/auth/two-factor/recovery-codes', undefined, user.browser)],
    [
      'no second factor',
      (user) => test.app.inject({ method: 'DELETE', url: '/api/auth/two-factor', headers: user.browser }),
    ],
  ];
  const age = (user: TestUser, minutes: number) =>
    test.database.asOwner(`update sessions set proved_at = now() - make_interval(mins => $2) where user_id = $1`, [
      user.id,
      minutes,
    ]);

  it.each(acts)('%s requires a proof of the last ten minutes', async (_name, act) => {
    const user = await test.signUp();
    await age(user, 11);
    expect((await act(user)).json()).toMatchObject({ status: 403, code: 'step_up_required', field: 'password' });
    const wrong = await test.post('/api/auth/step-up', { password: 'wrong' }, user.browser);
    expect(wrong.json()).toMatchObject({ status: 400, field: 'password' });
    expect((await act(user)).statusCode).toBe(403);
    expect((await test.post('/api/auth/step-up', { password: user.password }, user.browser)).json()).toEqual({
      done: true,
    });
    expect((await act(user)).json<{ code?: string }>().code).not.toBe('step_up_required');
  });

  it('a proof counts in its own session only', async () => {
    const user = await test.signUp();
    const other = {
      cookie: cookieOf(await test.post('/api/auth/signin', { email: user.email, password: user.password })),
      origin: user.browser.origin,
    };
    await age(user, 11);
    await test.post('/api/auth/step-up', { password: user.password }, other);
    expect((await test.post('/api/auth/two-factor', undefined, other)).statusCode).toBe(200);
    expect((await test.post('/api/auth/two-factor', undefined, user.browser)).statusCode).toBe(403);
  });

  it('with two-factor on the password is no proof, a code is; also for a new password', async () => {
    const user = await test.signUp();
    const { secret } = await turnOn(user);
    await age(user, 11);
    const off = () => test.app.inject({ method: 'DELETE', url: '/api/auth/two-factor', headers: user.browser });
    expect((await off()).json()).toMatchObject({ code: 'step_up_required', field: 'code' });
    expect((await test.post('/api/auth/step-up', { password: user.password }, user.browser)).statusCode).toBe(400);
    const change = () =>
      test.app.inject({
        method: 'PATCH',
        url: '/api/auth/user',
        headers: user.browser,
        payload: { current_password: user.password, password: 'brand new words' },
      });
    expect((await change()).json()).toMatchObject({ code: 'step_up_required', field: 'code' });
    await forgetStep(user);
    expect((await test.post('/api/auth/step-up', { code: codeAt(secret) }, user.browser)).statusCode).toBe(200);
    expect((await change()).statusCode).toBe(200);
  });

  it('allows ten guesses of a password, and is not available to the demo account', async () => {
    const user = await test.signUp();
    const statuses = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push((await test.post('/api/auth/step-up', { password: 'wrong' }, user.browser)).statusCode);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    const demo = { cookie: cookieOf(await test.post('/api/auth/demo')), origin: user.browser.origin };
    expect((await test.post('/api/auth/two-factor', undefined, demo)).json()).toMatchObject({ code: 'forbidden' });
    expect((await test.post('/api/auth/step-up', { password: 'x' }, demo)).json()).toMatchObject({ code: 'forbidden' });
  });
});
