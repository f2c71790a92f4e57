import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REJECTED_LISTED_A_MINUTE } from '../../../src/features/apiKeys/rejectedCalls.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { type MadeKey, makeKey } from './support.ts';

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const get = (url: string, headers: Record<string, string>) => test.app.inject({ url, headers });
const storedOf = async (key: MadeKey): Promise<number> =>
  (
    await test.database.asOwner<{ count: number }>(
      `select count(*)::int as count from api_calls where key_id = '${key.id}'`,
    )
  )[0]?.count ?? -1;
interface Usage {
  total: number;
  success: number;
  not_listed: number;
  items: { total: number }[];
}
const usage = async (): Promise<Usage> => (await get('/api/account/api-usage', user.bearer)).json<Usage>();

const calls = 500;

describe('rejected calls of a key', () => {
  it.each([
    [
      'without the scope',
      403,
      async () => {
        const key = await makeKey(test, user, { scopes: ['read:market'] });
        return { key, path: '/api/positions' };
      },
    ],
    [
      'that was revoked',
      401,
      async () => {
        const key = await makeKey(test, user, { scopes: ['read:account'] });
        await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${key.id}`, headers: user.bearer });
        return { key, path: '/api/credits' };
      },
    ],
    [
      'beyond its hour',
      429,
      async () => {
        const key = await makeKey(test, user, { scopes: ['read:account'] });
        return { key, path: '/api/account/whoami' };
      },
    ],
  ])('%s are counted, and the first of a minute are stored', async (_how, status, prepare) => {
    user = await test.signUp();
    const { key, path } = await prepare();
    let rejected = 0;
    for (let i = 0; i < calls; i++) {
      const { statusCode } = await get(path, key.header);
      if (statusCode === status) rejected += 1;
    }
    await test.deps.api.calls.flush();
    // The free plan allows only some calls an hour.
    const admitted = calls - rejected;
    expect(rejected).toBeGreaterThan(calls / 2);
    const listed = (await storedOf(key)) - admitted;
    // Minutes may pass on a busy machine.
    expect(listed).toBeGreaterThanOrEqual(Math.min(REJECTED_LISTED_A_MINUTE, rejected));
    expect(listed).toBeLessThan(rejected);
    const counted = (
      await test.database.asOwner<{ count: number }>(
        `select coalesce(sum(count), 0)::int as count from api_refused_counts where key_id = '${key.id}'`,
      )
    )[0]?.count;
    expect((await storedOf(key)) + (counted ?? 0)).toBe(calls);
    const used = await usage();
    expect(used).toMatchObject({ total: calls, success: admitted, not_listed: counted });
    expect(used.items.reduce((sum, { total }) => sum + total, 0)).toBe(calls);
  });
});
