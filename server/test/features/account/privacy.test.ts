import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { privacyDefaults } from '../../../src/features/account/contract.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const read = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/account/privacy', headers: user.bearer })).json<Record<string, unknown>>();
const save = (payload: Record<string, unknown>, user: TestUser) =>
  test.app.inject({ method: 'PUT', url: '/api/account/privacy', headers: user.bearer, payload });

describe('privacy settings', () => {
  it('start with the defaults of the specification (ACC-023), with or without a row', async () => {
    const anna = await test.signUp();
    const defaults = {
      analytics: true,
      research_sharing: true,
      marketing: false,
      public_stats: false,
      leaderboard: true,
      allow_follow: false,
    };
    expect(await read(anna)).toEqual(defaults);
    // The column defaults match.
    expect((await save({}, anna)).json()).toEqual(defaults);
    expect(privacyDefaults).toEqual(defaults);
  });

  it('are stored per user (ACC-024)', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    expect((await save({ analytics: false, allow_follow: true }, anna)).statusCode).toBe(200);
    await save({ marketing: true }, anna);
    expect(await read(anna)).toMatchObject({
      analytics: false,
      allow_follow: true,
      marketing: true,
      leaderboard: true,
    });
    expect(await read(bert)).toEqual(privacyDefaults);
  });

  it.each([{ analytics: 'yes' }, { analytics: null }, { tracking: true }, { user_id: 'x' }])(
    'reject %j',
    async (payload) => {
      const anna = await test.signUp();
      expect((await save(payload, anna)).json()).toMatchObject({ status: 400, field: Object.keys(payload)[0] });
    },
  );

  it('require a session', async () => {
    expect((await test.app.inject({ url: '/api/account/privacy' })).statusCode).toBe(401);
  });
});
