import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, createTestApp, ownOrigin } from '../../support/createTestApp.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

let test: EmailApp;
beforeAll(async () => {
  test = await createEmailApp();
});
afterAll(() => test.close());

const isIn = async (headers: Record<string, string>) =>
  (await test.app.inject({ url: '/api/auth/session', headers })).json<{ user: unknown }>().user !== null;
const signIn = (email: string, password: string) => test.post('/api/auth/signin', { email, password });
const codeOf = async (response: ReturnType<typeof test.post>) => (await response).json<{ code?: string }>().code;

describe('a forgotten password', () => {
  it('is replaced by the link of an email: once, every session ends, and the owner is notified', async () => {
    const { email, password, browser, bearer } = await test.signUp();
    expect((await test.post('/api/auth/reset-request', { email })).json()).toEqual({ requested: true });
    const token = await test.tokenTo(email);
    const wrong = await test.post('/api/auth/reset', { token: token.replace(/^./, '!'), password: 'brand new words' });
    expect(wrong.json()).toMatchObject({ status: 410, code: 'link_invalid' });
    expect((await test.post('/api/auth/reset', { token, password: '12345' })).json()).toMatchObject({
      message: 'Password must be at least 6 characters',
    });
    expect((await test.post('/api/auth/reset', { token, password: 'brand new words' })).json()).toEqual({ done: true });
    expect([await isIn(browser), await isIn(bearer)]).toEqual([false, false]);
    expect((await signIn(email, password)).statusCode).toBe(401);
    expect((await signIn(email, 'brand new words')).statusCode).toBe(200);
    expect(await codeOf(test.post('/api/auth/reset', { token, password: 'once more words' }))).toBe('link_invalid');
    expect((await test.mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Set a new password for Sextant',
      'Your Sextant password was changed',
    ]);
  });

  it('a link expires after an hour, and when a newer one is requested', async () => {
    const { email, id } = await test.signUp();
    await test.post('/api/auth/reset-request', { email });
    const older = await test.tokenTo(email);
    await test.post('/api/auth/reset-request', { email });
    const newer = await test.tokenTo(email);
    expect(await codeOf(test.post('/api/auth/reset', { token: older, password: 'brand new words' }))).toBe(
      'link_invalid',
    );
    const rows = await test.database.asOwner<{ minutes: number; token_hash: string }>(
      `select round(extract(epoch from expires_at - now()) / 60)::int as minutes, token_hash from auth_tokens where user_id = $1`,
      [id],
    );
    expect(rows.map(({ minutes }) => minutes)).toEqual([60]);
    expect(rows[0]?.token_hash).not.toContain(newer);
    await test.database.asOwner(`update auth_tokens set expires_at = now() where user_id = $1`, [id]);
    expect(await codeOf(test.post('/api/auth/reset', { token: newer, password: 'brand new words' }))).toBe(
      'link_invalid',
    );
  });

  it('concurrent uses of one link set one password', async () => {
    const { email } = await test.signUp();
    await test.post('/api/auth/reset-request', { email });
    const token = await test.tokenTo(email);
    const both = await Promise.all([
      test.post('/api/auth/reset', { token, password: 'first new words' }),
      test.post('/api/auth/reset', { token, password: 'other new words' }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410]);
  });

  it('a request responds and stores the same for an address without an account; no email is sent', async () => {
    const { email } = await test.signUp();
    await test.mailsTo(email);
    const known = await test.post('/api/auth/reset-request', { email });
    const rowsKnown = await test.database.asOwner('select length(sealed) from mails');
    await test.mailsTo(email);
    const unknownEmail = email.replace(/^./, 'x');
    const unknown = await test.post('/api/auth/reset-request', { email: unknownEmail });
    const rowsUnknown = await test.database.asOwner('select length(sealed) from mails');
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect(rowsUnknown).toEqual(rowsKnown);
    expect(await test.mailsTo(unknownEmail)).toEqual([]);
    expect(await test.database.asOwner('select id from mails')).toEqual([]);
  });

  it('an address gets three emails an hour; further requests get the same response', async () => {
    const { email } = await test.signUp();
    for (let index = 0; index < 5; index += 1) {
      expect((await test.post('/api/auth/reset-request', { email })).json()).toEqual({ requested: true });
    }
    expect(await test.mailsTo(email)).toHaveLength(3);
  });

  it('cannot be replaced where no email is sent, and the app says so beforehand', async () => {
    const silent = await createTestApp();
    try {
      const response = await silent.app.inject({
        method: 'POST',
        url: '/api/auth/reset-request',
        payload: { email: 'a@b.example' },
      });
      expect(response.json()).toMatchObject({ status: 503, code: 'mail_unavailable' });
      expect((await silent.app.inject({ url: '/api/app' })).json()).toMatchObject({ mail: false, outbox: false });
    } finally {
      await silent.close();
    }
  });

  it('cannot be reset for the demo account', async () => {
    await test.post('/api/auth/demo');
    await test.post('/api/auth/reset-request', { email: 'demo@sextant.local' });
    expect(await test.mailsTo('demo@sextant.local')).toEqual([]);
  });
});

describe('a new email', () => {
  const request = (headers: Record<string, string>, email: string) => test.post('/api/auth/email', { email }, headers);

  it('takes effect once confirmed; the old address is notified, and every session but the requesting one ends', async () => {
    const { email, password, browser } = await test.signUp();
    const elsewhere = { cookie: cookieOf(await signIn(email, password)) };
    const next = `new-${email}`;
    expect((await request(browser, ` ${next.toUpperCase()} `)).json()).toEqual({ requested: true });
    expect((await signIn(next, password)).statusCode).toBe(401);
    const token = await test.tokenTo(next);
    expect((await test.mailsTo(email)).map(({ subject }) => subject)).toEqual(['Email change requested']);
    expect((await test.post('/api/auth/email/confirm', { token })).json()).toEqual({ email: next });
    expect([await isIn(browser), await isIn(elsewhere)]).toEqual([true, false]);
    expect((await signIn(email, password)).statusCode).toBe(401);
    expect((await signIn(next, password)).statusCode).toBe(200);
    expect((await test.mailsTo(email)).at(-1)?.subject).toBe('Your Sextant email was changed');
    expect(await codeOf(test.post('/api/auth/email/confirm', { token }))).toBe('link_invalid');
  });

  it('can be requested at most five times an hour, by however many accounts', async () => {
    const target = 'inbox-of-another@example.com';
    const responses = [];
    for (let i = 0; i < 6; i++) responses.push((await request((await test.signUp()).browser, target)).statusCode);
    expect(responses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await test.mailsTo(target)).toHaveLength(5);
  });

  it('that has an account gets the same response; its owner is notified, without a link', async () => {
    const owner = await test.signUp();
    const requesting = await test.signUp();
    expect((await request(requesting.browser, owner.email)).json()).toEqual({ requested: true });
    expect((await test.mailsTo(owner.email)).map(({ subject, text }) => [subject, text.includes('#')])).toEqual([
      ['This email has a Sextant account already', false],
    ]);
  });

  it('that was taken in the meantime is rejected on confirmation', async () => {
    const { browser, email } = await test.signUp();
    const next = `race-${email}`;
    await request(browser, next);
    const token = await test.tokenTo(next);
    await test.signUp(next);
    expect(await codeOf(test.post('/api/auth/email/confirm', { token }))).toBe('link_invalid');
  });

  it('invalidates links sent to the old address', async () => {
    const { browser, email } = await test.signUp();
    await test.post('/api/auth/reset-request', { email });
    const reset = await test.tokenTo(email);
    await request(browser, `moved-${email}`);
    await test.post('/api/auth/email/confirm', { token: await test.tokenTo(`moved-${email}`) });
    expect(await codeOf(test.post('/api/auth/reset', { token: reset, password: 'brand new words' }))).toBe(
      'link_invalid',
    );
  });

  it.each([
    ['', 'Email cannot be empty'],
    ['nobody', 'Please enter a valid email address'],
  ])('%j is rejected: %s', async (email, message) => {
    const { browser } = await test.signUp();
    expect((await request(browser, email)).json()).toMatchObject({ status: 400, field: 'email', message });
  });
});

describe('a sign-up where addresses are confirmed', () => {
  let strict: EmailApp;
  beforeAll(async () => {
    strict = await createEmailApp({ env: { SIGN_UP_CONFIRMATION: 'on' } });
  });
  afterAll(() => strict.close());
  const signUp = (email: string, password: string) => strict.post('/api/auth/signup', { email, password });
  const enter = (email: string, password: string) => strict.post('/api/auth/signin', { email, password });
  const words = 'Invalid email or password, or unconfirmed email: open the emailed link.';

  it('AUTH-012 X20 opens no session; the immediate sign-in fails with a message, and link and password together open the account', async () => {
    const response = await signUp('eve@example.com', 'brand new words');
    expect([response.json(), response.headers['set-cookie']]).toEqual([
      { user: null, confirmation_sent: true },
      undefined,
    ]);
    expect((await enter('eve@example.com', 'brand new words')).json()).toMatchObject({ status: 401, message: words });
    const token = await strict.tokenTo('eve@example.com');
    const wrong = await strict.post('/api/auth/confirm', { token, password: 'not these words' });
    expect(wrong.json()).toMatchObject({ status: 400, field: 'password' });
    const confirmed = await strict.post('/api/auth/confirm', { token, password: 'brand new words' });
    expect(confirmed.json()).toMatchObject({ user: { email: 'eve@example.com' } });
    expect((await enter('eve@example.com', 'brand new words')).statusCode).toBe(200);
    const again = await strict.post('/api/auth/confirm', { token, password: 'brand new words' });
    expect(again.json()).toMatchObject({ code: 'link_invalid' });
  });

  it('does not reveal whether an address has an account: sign-up and sign-in respond the same, the owner gets an email', async () => {
    await signUp('known@example.com', 'brand new words');
    const token = await strict.tokenTo('known@example.com');
    await strict.post('/api/auth/confirm', { token, password: 'brand new words' });
    const responses = [];
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const made = await signUp(email, 'words of a stranger');
      const entered = await enter(email, 'words of a stranger');
      const { code, message, status } = entered.json<Record<string, unknown>>();
      responses.push([made.statusCode, made.body, status, code, message]);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect((await strict.mailsTo('known@example.com')).at(-1)?.subject).toBe('You have a Sextant account already');
    expect((await enter('known@example.com', 'brand new words')).statusCode).toBe(200);
  });

  it('a stranger who signs up with the address of a user first gains nothing when the user confirms', async () => {
    await signUp('mine@example.com', 'words of a stranger');
    await strict.mailsTo('mine@example.com');
    await signUp('mine@example.com', 'my own good words');
    const token = await strict.tokenTo('mine@example.com');
    await strict.post('/api/auth/confirm', { token, password: 'my own good words' });
    expect((await enter('mine@example.com', 'words of a stranger')).statusCode).toBe(401);
    expect((await enter('mine@example.com', 'my own good words')).statusCode).toBe(200);
  });

  it('a mailbox gets three emails an hour from one network and twenty from all; the response is the same, and its owner still gets one', async () => {
    const email = 'flooded@example.com';
    const arrived = () => strict.mail.mails().filter(({ to }) => /^flooded(\+\d+)?@/.test(to)).length;
    const bodies = new Set<string>();
    let count = 0;
    const flood = async (remoteAddress: string, password: string, to = email.replace('@', `+${++count}@`)) => {
      const response = await strict.app.inject({
        method: 'POST',
        url: '/api/auth/signup',
        headers: { origin: ownOrigin },
        payload: { email: to, password },
        remoteAddress,
      });
      bodies.add(`${response.statusCode} ${response.body}`);
    };
    for (let i = 0; i < 5; i++) await flood('203.0.113.1', 'words of a stranger');
    await strict.mailsTo(email);
    expect(arrived()).toBe(3);
    await flood('203.0.113.2', 'my own good words', email);
    expect(await strict.mailsTo(email)).toHaveLength(1);
    for (let network = 3; network < 30; network++) await flood(`203.0.113.${network}`, 'words of a stranger');
    // The email loop takes ten at a time.
    for (let i = 0; i < 3; i++) await strict.mailsTo(email);
    expect(arrived()).toBe(20);
    expect([...bodies]).toEqual(['200 {"user":null,"confirmation_sent":true}']);
  });

  it('a stranger cannot replace the password of an account older than the confirmation rule', async () => {
    const email = 'older@example.com';
    await signUp(email, 'my own good words');
    await strict.mailsTo(email);
    // An account made while sign-ups were not confirmed.
    await strict.database.asOwner('delete from auth_tokens');
    await signUp(email, 'words of a stranger');
    expect((await strict.mailsTo(email)).at(-1)?.subject).toBe('You have a Sextant account already');
    await strict.database.asOwner('update users set email_verified = true where email = $1', [email]);
    expect((await enter(email, 'words of a stranger')).statusCode).toBe(401);
    expect((await enter(email, 'my own good words')).statusCode).toBe(200);
  });

  it('does not start without an SMTP server: an account that cannot be confirmed must not pass as confirmed', async () => {
    await expect(createTestApp({ env: { SIGN_UP_CONFIRMATION: 'on' } })).rejects.toThrow(/SIGN_UP_CONFIRMATION/);
  });
});

describe('the outbox page of a demo', () => {
  it('shows the emails of this installation to a direct connection from this machine, under its own name', async () => {
    const demo = await createEmailApp({ env: { OUTBOX_URL: test.mail.mailboxUrl, TRUST_PROXY: '127.0.0.1' } });
    const request = (remoteAddress: string, headers: Record<string, string>) =>
      demo.app.inject({ url: '/api/outbox', remoteAddress, headers });
    const here = { host: 'localhost:3000' };
    try {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        const response = await request(address, here);
        expect(response.statusCode, address).toBe(200);
        expect(response.json<{ mails: unknown[] }>().mails.length).toBeGreaterThan(0);
      }
      const strangers: [string, Record<string, string>][] = [
        ['192.168.1.7', here],
        ['203.0.113.5', here],
        ['::ffff:10.0.0.2', { host: '127.0.0.1' }],
        ['127.0.0.1', { host: 'demo.tunnel.example' }],
        ['127.0.0.1', { ...here, 'x-forwarded-for': '127.0.0.1' }],
        ['127.0.0.1', { ...here, 'x-forwarded-for': '203.0.113.5' }],
        ['127.0.0.1', { ...here, forwarded: 'for=203.0.113.5' }],
        ['192.168.1.7', { ...here, 'x-forwarded-for': '127.0.0.1' }],
        ['192.168.1.7', { host: 'demo.example', 'x-forwarded-host': 'localhost' }],
      ];
      for (const [address, headers] of strangers) {
        expect((await request(address, headers)).statusCode, JSON.stringify([address, headers])).toBe(404);
      }
    } finally {
      await demo.close();
    }
  });

  it('does not exist on any other installation', async () => {
    for (const url of ['/api/outbox', '/outbox']) {
      const response = await test.app.inject({ url, headers: { host: 'localhost', origin: ownOrigin } });
      expect([url, response.statusCode]).toEqual([url, 404]);
    }
  });
});
