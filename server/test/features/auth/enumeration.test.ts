import { describe, expect, it } from 'vitest';
import { argon2id } from '../../../src/features/auth/passwordHash.ts';
import { countPasswords } from './support/countedPasswords.ts';
import { createEmailApp, type EmailApp } from './support/createEmailApp.ts';

describe('whether an address has an account', () => {
  const counted = countPasswords(argon2id);

  /** Trace of a request: the response without its id, the headers that could differ, and the hashing work. */
  async function traceOf(app: EmailApp, url: string, email: string, payload: Record<string, unknown> = {}) {
    counted.forget();
    const response = await app.post(url, { email, ...payload });
    const body = { ...response.json<Record<string, unknown>>(), request_id: undefined };
    const headers = Object.keys(response.headers).sort();
    return { status: response.statusCode, body, headers, work: counted.calls() };
  }

  it.each([
    ['signing in with a wrong password', '/api/auth/signin', { password: 'not this one' }, {}, 1],
    ['requesting a reset', '/api/auth/reset-request', {}, {}, 0],
    [
      'signing up where addresses are confirmed',
      '/api/auth/signup',
      { password: 'purple anchors sing' },
      { SIGN_UP_CONFIRMATION: 'on' },
      1,
    ],
    [
      'signing in where addresses are confirmed',
      '/api/auth/signin',
      { password: 'not this one' },
      { SIGN_UP_CONFIRMATION: 'on' },
      1,
    ],
  ] as const)(
    'does not show in %s: same response, same hashes, same cost',
    async (_name, url, payload, env, hashes) => {
      const app = await createEmailApp({ env, passwords: counted });
      try {
        const [user] = await app.database.asOwner<{ id: string }>(
          `insert into users (name, email, email_verified) values ('known', 'known@example.com', true) returning id`,
        );
        await app.database.asOwner(
          `insert into accounts (user_id, account_id, provider_id, password) values ($1::uuid, $1::text, 'credential', $2)`,
          [user!.id, await argon2id.hash('correct horse')],
        );
        const known = await traceOf(app, url, 'known@example.com', payload);
        const unknown = await traceOf(app, url, 'unknown@example.com', payload);
        expect(known).toEqual(unknown);
        expect(known.work).toHaveLength(hashes);
        for (const call of known.work) expect(['hash', 'verify argon2id v=19 m=19456,t=2,p=1']).toContain(call);
      } finally {
        await app.close();
      }
    },
  );
});
