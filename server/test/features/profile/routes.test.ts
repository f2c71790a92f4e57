import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp(`anna.${crypto.randomUUID()}@example.com`);
});

const read = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/profile', headers: user.bearer })).json<Record<string, unknown>>();
const save = (payload: Record<string, unknown>, user = anna) =>
  test.app.inject({ method: 'PUT', url: '/api/profile', headers: user.bearer, payload });
const publicly = (username: string) => test.app.inject({ url: `/api/profiles/${username}` });

describe('a profile', () => {
  it('PROF-006 DATA-004 starts with a neutral name that does not reveal the address', async () => {
    expect(await read(anna)).toEqual({
      display_name: 'Trader',
      username: null,
      bio: null,
      avatar_url: null,
      cover_url: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
  });

  it('PROF-008 DATA-005 X54 is found by the id of its user and by its id, which are the same', async () => {
    const rows = await test.database.asOwner<{ by: string; display_name: string }>(
      `select 'user_id' as by, display_name from profiles where user_id = $1
       union all select 'id', display_name from profiles where id = $1`,
      [anna.id],
    );
    expect(rows.map(({ by }) => by)).toEqual(['user_id', 'id']);
    expect(rows[0]?.display_name).toBe(rows[1]?.display_name);
  });

  it('changes in the named fields only', async () => {
    expect((await save({ display_name: '  Ada Lovelace ' })).json()).toMatchObject({
      display_name: 'Ada Lovelace',
      bio: null,
    });
    expect((await save({ bio: 'First line\nsecond line' })).json()).toMatchObject({
      display_name: 'Ada Lovelace',
      bio: 'First line\nsecond line',
    });
    expect((await save({ bio: '   ' })).json()).toMatchObject({ bio: null });
    expect(await read(anna)).toMatchObject({ display_name: 'Ada Lovelace', bio: null });
  });

  it.each([
    [{ display_name: '' }, "Name can't be blank"],
    [{ display_name: '   ' }, "Name can't be blank"],
    [{ display_name: '\u200B\u00A0\u2800' }, "Name can't be blank"],
    [{ display_name: 'x'.repeat(51) }, 'at most 50'],
    [{ display_name: 'gnp.\u202Eexe' }, 'control characters'],
    [{ display_name: 'a\nb' }, 'control characters'],
    [{ bio: 'x'.repeat(1001) }, 'at most 1000'],
    [{ bio: 'a\0b' }, 'NUL'],
    [{ bio: 'a\u0007b' }, 'control characters'],
    [{ username: 'ada' }, 'not known here'],
    [{ avatar_url: 'https://evil.example/x.png' }, 'not known here'],
    [{ user_id: 'x' }, 'not known here'],
  ])('rejects %j and says why', async (payload, message) => {
    const response = await save(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json<{ message: string }>().message).toContain(message);
    expect(response.json<{ field: string }>().field).toBe(Object.keys(payload)[0]);
  });

  it('takes 50 characters, also where each is two units long', async () => {
    expect((await save({ display_name: '🧭'.repeat(50) })).statusCode).toBe(200);
    expect((await save({ display_name: '🧭'.repeat(51) })).statusCode).toBe(400);
  });

  it('belongs to one user', async () => {
    const bert = await test.signUp();
    await save({ display_name: 'Anna', bio: 'mine' });
    expect((await read(bert))['bio']).toBeNull();
  });

  it('is created again when its row is missing', async () => {
    await test.database.asOwner('delete from profiles where user_id = $1', [anna.id]);
    expect(await read(anna)).toMatchObject({ display_name: 'Trader' });
    await test.database.asOwner('delete from profiles where user_id = $1', [anna.id]);
    expect((await save({ bio: 'x' })).json()).toMatchObject({ display_name: 'Trader', bio: 'x' });
  });

  it('is found by the user and by the generated id alike (X54)', async () => {
    const rows = await test.database.asOwner('select user_id, id from profiles where user_id = $1', [anna.id]);
    expect(rows).toEqual([{ user_id: anna.id, id: anna.id }]);
  });

  it('requires a session', async () => {
    for (const method of ['GET', 'PUT'] as const) {
      const payload = method === 'PUT' ? { payload: {} } : {};
      expect((await test.app.inject({ method, url: '/api/profile', ...payload })).statusCode).toBe(401);
    }
  });
});

describe('a public profile', () => {
  const name = (username: string) =>
    test.database.asOwner('update users set username = $2 where id = $1', [anna.id, username]);
  const allow = (isPublic: boolean) =>
    test.app.inject({
      method: 'PUT',
      url: '/api/account/privacy',
      headers: anna.bearer,
      payload: { public_stats: isPublic },
    });

  it('exists only while its owner enables it', async () => {
    await name('ada_1');
    await save({ display_name: 'Ada', bio: 'Numbers.' });
    expect((await publicly('ada_1')).statusCode).toBe(404);
    await allow(true);
    const stats = { closed_positions: 0, win_rate: null, net_pnl_usdt: 0 };
    expect((await publicly('ada_1')).json()).toEqual({ ...(await read(anna)), stats });
    await allow(false);
    expect((await publicly('ada_1')).statusCode).toBe(404);
  });

  it('returns the same for an unused name and an invalid one', async () => {
    expect((await publicly('nobody_has_it')).json()).toMatchObject({ status: 404, code: 'not_found' });
    expect((await publicly('ADA')).statusCode).toBe(404);
    expect((await publicly('..%2f')).statusCode).toBe(404);
  });
});
