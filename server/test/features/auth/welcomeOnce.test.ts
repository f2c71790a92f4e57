import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepDeletions } from '../../../src/features/account/deletion.ts';
import { createWelcomeHash, mailboxOf, markWelcomed } from '../../../src/features/auth/welcomeOnce.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const balanceOf = async ({ bearer }: TestUser): Promise<number> =>
  (await test.app.inject({ url: '/api/credits', headers: bearer })).json<{ balance: number }>().balance;

async function erase(user: TestUser): Promise<void> {
  const payload = { email: user.email };
  const response = await test.app.inject({
    method: 'POST',
    url: '/api/account/deletion',
    headers: user.bearer,
    payload,
  });
  expect(response.statusCode, response.body).toBe(200);
  await test.database.asOwner(
    `update deletion_requests set requested_at = now() - interval '9 days', erase_after = now() - interval '1 day'`,
  );
  await sweepDeletions(test.deps.deletion);
}

describe('the mailbox of an address', () => {
  it.each([
    ['anna@example.com', 'anna@example.com'],
    ['anna+scan@example.com', 'anna@example.com'],
    ['anna+a+b@example.com', 'anna@example.com'],
    // At other providers a dot distinguishes two mailboxes.
    ['a.nna@example.com', 'a.nna@example.com'],
    ['a.n.na+x@gmail.com', 'anna@gmail.com'],
    ['anna@googlemail.com', 'anna@gmail.com'],
    ['+x@example.com', '+x@example.com'],
    ['...@gmail.com', '...@gmail.com'],
  ])('%s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

describe('welcome credits', () => {
  it('are given to a mailbox once, however it is written', async () => {
    expect(await balanceOf(await test.signUp('carla@example.com'))).toBe(10);
    for (const again of ['carla+1@example.com', 'carla+2@example.com'])
      expect(await balanceOf(await test.signUp(again)), again).toBe(0);
    expect(await balanceOf(await test.signUp('c.arla@gmail.com'))).toBe(10);
    expect(await balanceOf(await test.signUp('carla+new@googlemail.com'))).toBe(0);
    // Of many concurrent sign-ups one gets the credits.
    const many = await Promise.all(Array.from({ length: 8 }, (_, i) => test.signUp(`dora+${i}@example.com`)));
    const balances = await Promise.all(many.map(balanceOf));
    expect(balances.sort((a, b) => b - a)).toEqual([10, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('are not given again after the account was deleted, and the remaining row holds no address', async () => {
    const emil = await test.signUp('emil@example.com');
    await erase(emil);
    expect(await test.database.asOwner('select from users where id = $1', [emil.id])).toEqual([]);
    expect(await balanceOf(await test.signUp('emil@example.com'))).toBe(0);
    const rows = await test.database.asOwner<{ text: string }>('select g::text as text from welcome_grants g');
    for (const { text } of rows) expect(text).not.toMatch(/emil|@|example/);
  });

  it('of an account older than the rule are recorded before its deletion', async () => {
    await test.database.asOwner(`insert into users (name, email) values ('Old', 'old.hand+x@gmail.com')`);
    const hashOf = createWelcomeHash(test.deps.config.authSecret ?? '');
    // The hash depends on the key: another key gives another hash.
    expect(hashOf('oldhand@gmail.com')).not.toBe(createWelcomeHash('another secret')('oldhand@gmail.com'));
    expect(await markWelcomed(test.deps.db, hashOf)).toBe(1);
    expect(await markWelcomed(test.deps.db, hashOf)).toBe(0);
    const [given] = await test.database.asOwner('select from welcome_grants where email_hash = $1', [
      hashOf('oldhand@gmail.com'),
    ]);
    expect(given).toBeDefined();
  });
});
