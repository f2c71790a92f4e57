import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

interface Tuning {
  weights: Record<string, number>;
  updated_at: string | null;
  presets: Record<string, number>;
  versions: { id: string; name: string; weights: Record<string, number> }[];
}
const read = async (user = anna) =>
  (await test.app.inject({ url: '/api/tuning', headers: user.bearer })).json<Tuning>();
const put = (payload: object, user = anna) =>
  test.app.inject({ method: 'PUT', url: '/api/tuning', headers: user.bearer, payload });
const ids = [
  ...['adx', 'supertrend', 'ema_cross', 'sma_cross', 'pivot', 'vwap', 'mfi', 'donchian', 'ich_align', 'ich_cloud'],
  'news',
];

describe('signal tuning', () => {
  it('of a new account is 1 for each of the eleven votes, with the presets of the product', async () => {
    expect(await read()).toEqual({
      weights: Object.fromEntries(ids.map((id) => [id, 1])),
      updated_at: null,
      presets: { conservative: 0.8, balanced: 1, aggressive: 1.3 },
      versions: [],
    });
  });

  it('changes the named weights, stores versions by name and goes back to one', async () => {
    const first = (await put({ weights: { adx: 1.35, news: 0.5 }, save_as: 'calm' })).json<Tuning>();
    expect(first.weights).toMatchObject({ adx: 1.35, news: 0.5, mfi: 1 });
    const second = (await put({ weights: { adx: 0.7, mfi: 1.05 } })).json<Tuning>();
    expect(second.weights).toMatchObject({ adx: 0.7, news: 0.5, mfi: 1.05 });
    const back = (await put({ version_id: first.versions[0]!.id })).json<Tuning>();
    expect(back.weights).toEqual(first.weights);
    const replaced = (await put({ weights: { vwap: 0.9 }, save_as: 'calm' })).json<Tuning>();
    expect(replaced.versions).toMatchObject([{ name: 'calm', weights: { vwap: 0.9, adx: 1.35 } }]);
    expect(await read()).toEqual(replaced);
  });

  it.each([0.45, 1.55, 1.01, '1', null])('rejects a weight of %j', async (value) => {
    const rejection = (await put({ weights: { adx: value } })).json<{ status: number; field: string }>();
    expect(rejection).toMatchObject({ status: 400, field: 'weights.adx' });
  });

  it('belongs to one user, versions too', async () => {
    const bert = await test.signUp();
    const { versions } = (await put({ weights: { adx: 1.5 }, save_as: 'mine' })).json<Tuning>();
    const id = versions[0]!.id;
    expect((await put({ version_id: id, weights: { mfi: 1.5 } }, bert)).json()).toMatchObject({ status: 404 });
    expect((await read(bert)).weights).toMatchObject({ adx: 1, mfi: 1 });
    const remove = (user: TestUser) =>
      test.app.inject({ method: 'DELETE', url: `/api/tuning/versions/${id}`, headers: user.bearer });
    expect((await remove(bert)).json()).toMatchObject({ status: 404 });
    expect((await remove(anna)).json()).toMatchObject({ versions: [] });
  });

  it('stores at most fifty versions and says so', async () => {
    for (let i = 0; i < 50; i++) expect((await put({ save_as: `v${i}` })).statusCode).toBe(200);
    expect((await put({ weights: { adx: 1.5 }, save_as: 'one more' })).json()).toMatchObject({ field: 'save_as' });
    expect((await read()).weights).toMatchObject({ adx: 1 });
    expect((await put({ save_as: 'v7' })).statusCode).toBe(200);
  });
});
