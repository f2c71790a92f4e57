import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf } from '../../../../db/test/support/userRows.ts';
import { sweepDeletions } from '../../../src/features/account/deletion.ts';
import { cookieOf, ownOrigin, type TestUser } from '../../support/createTestApp.ts';
import { createEmailApp, type EmailApp } from '../auth/support/createEmailApp.ts';
import { png } from '../profile/pictures.ts';

let test: EmailApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sextant-deletion-'));
  test = await createEmailApp({ env: { DATA_DIR: dataDir } });
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
});

const url = '/api/account/deletion';
const request = (user: TestUser, email = user.email) =>
  test.app.inject({ method: 'POST', url, headers: user.bearer, payload: { email } });
const cancel = (headers: Record<string, string>) => test.app.inject({ method: 'DELETE', url, headers });
const sweep = () => sweepDeletions(test.deps.deletion);
const graceOver = (user: TestUser) =>
  test.database.asOwner(
    `update deletion_requests set requested_at = now() - interval '8 days', erase_after = now() - interval '1 day' where user_id = $1`,
    [user.id],
  );
const filesOf = (userId: string): Promise<string[]> => readdir(join(dataDir, 'files', userId)).catch(() => []);

/** A user with a row in every user table, and two files. */
async function owner(): Promise<TestUser> {
  const user = await test.signUp();
  for (const make of Object.values(rowOf)) await test.database.asOwner(make(user.id));
  await test.database.asOwner('delete from deletion_requests where user_id = $1', [user.id]);
  await test.database.asOwner(
    `insert into verifications (identifier, value, expires_at) values ($1, 'x', now()), ('y', $2, now())`,
    [user.email, user.id],
  );
  const payload = await png();
  const headers = { ...user.bearer, 'content-type': 'image/png' };
  for (const kind of ['avatar', 'cover'])
    await test.app.inject({ method: 'PUT', url: `/api/profile/${kind}`, headers, payload });
  // Orphaned files, as a crash between the file write and the database write leaves them.
  await writeFile(join(dataDir, 'files', user.id, '1600000000000.webp'), 'orphan');
  await writeFile(join(dataDir, 'files', user.id, '.abc.part'), 'half');
  return user;
}

/** Rows of every table that mention the account, including tables that do not belong to users. */
async function traces(user: TestUser): Promise<Record<string, number>> {
  const tables = await test.database.asOwner<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const matches: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await test.database.asOwner<{ count: number }>(
      `select count(*)::int as count from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
      [user.id, user.email],
    );
    if (row!.count > 0) matches[name] = row!.count;
  }
  return matches;
}

describe('requesting the deletion of an account', () => {
  it('requires the email address, and returns when everything is erased', async () => {
    const anna = await test.signUp();
    expect((await request(anna, 'somebody@example.com')).json()).toMatchObject({ status: 400, field: 'email' });
    expect((await test.app.inject({ url, headers: anna.bearer })).json()).toMatchObject({
      erase_after: null,
      grace_days: 7,
      is_deletable: true,
    });
    const body = (await request(anna, `  ${anna.email.toUpperCase()} `)).json<Record<string, string>>();
    const graceMs = Date.parse(body['erase_after']!) - Date.parse(body['requested_at']!);
    expect(graceMs).toBe(7 * 24 * 3_600_000);
    expect(body).toMatchObject({ can_cancel: true });
  });

  it('ends every session at once, and is cancelled by signing in again', async () => {
    const anna = await test.signUp();
    const again = async () => {
      const payload = { email: anna.email, password: anna.password };
      const response = await test.app.inject({ method: 'POST', url: '/api/auth/signin', payload });
      return { cookie: cookieOf(response), origin: ownOrigin };
    };
    const other = await again();
    expect((await test.app.inject({ url: '/api/preferences', headers: other })).statusCode).toBe(200);
    expect((await request(anna)).statusCode).toBe(200);
    for (const headers of [anna.bearer, anna.browser, other]) {
      expect((await test.app.inject({ url: '/api/preferences', headers })).statusCode).toBe(401);
    }
    const back = await again();
    expect((await test.app.inject({ url, headers: back })).json()).toMatchObject({ can_cancel: true });
    await sweep();
    expect((await cancel(back)).json()).toMatchObject({ requested_at: null, can_cancel: false });
    await graceOver(anna);
    await sweep();
    expect((await test.app.inject({ url: '/api/preferences', headers: back })).statusCode).toBe(200);
  });

  it('is not postponed by a second request', async () => {
    const anna = await test.signUp();
    await request(anna);
    const [first] = await test.database.asOwner('select * from deletion_requests where user_id = $1', [anna.id]);
    const outcome = await test.deps.auth.signIn(anna.email, anna.password, { ip: '127.0.0.1', userAgent: undefined });
    if (!outcome.ok || !('token' in outcome.value)) throw new Error('not signed in');
    await request({ ...anna, bearer: { authorization: `Bearer ${outcome.value.token}` } });
    expect(await test.database.asOwner('select * from deletion_requests where user_id = $1', [anna.id])).toEqual([
      first,
    ]);
  });

  it('is rejected for a demo account, which expires on its own', async () => {
    const demo = await test.deps.auth.enterDemo({ ip: '127.0.0.1', userAgent: undefined });
    if (!demo.ok) throw new Error('no demo');
    const headers = { authorization: `Bearer ${demo.value.token}` };
    const response = await test.app.inject({
      method: 'POST',
      url,
      headers,
      payload: { email: demo.value.account.email },
    });
    expect(response.json()).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await test.app.inject({ url, headers })).json()).toMatchObject({ is_deletable: false });
  });

  it('requires the password again when it was last given more than ten minutes ago', async () => {
    const anna = await test.signUp();
    await test.database.asOwner(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [
      anna.id,
    ]);
    expect((await request(anna)).json()).toMatchObject({ status: 403, code: 'step_up_required', field: 'password' });
    const proof = { url: '/api/auth/step-up', headers: anna.bearer, payload: { password: anna.password } };
    expect((await test.app.inject({ method: 'POST', ...proof })).statusCode).toBe(200);
    expect((await request(anna)).statusCode).toBe(200);
  });

  it('requires a session and the same origin', async () => {
    const anna = await test.signUp();
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const payload = method === 'POST' ? { payload: { email: anna.email } } : {};
      expect((await test.app.inject({ method, url, ...payload })).statusCode).toBe(401);
    }
    const headers = { ...anna.browser, origin: 'https://evil.example' };
    expect((await test.app.inject({ method: 'POST', url, headers, payload: { email: anna.email } })).statusCode).toBe(
      403,
    );
  });
});

describe('the email about a deletion', () => {
  it('says what happens, until when it can be undone and how; a second request sends none', async () => {
    const anna = await test.signUp();
    const body = (await request(anna)).json<{ erase_after: string }>();
    const until = `${body.erase_after.slice(0, 10)} ${body.erase_after.slice(11, 16)} UTC`;
    const [email, ...others] = await test.mailsTo(anna.email);
    expect(others).toEqual([]);
    expect(email?.subject).toBe('Your Sextant account will be deleted');
    expect(email?.text).toContain(`On ${until} we erase it for good: profile`);
    expect(email?.text).toContain('signed out everywhere');
    expect(email?.text).toContain('profile, pictures and rank are hidden');
    expect(email?.text).toContain(`Until ${until} you can undo this: sign in and press “Keep my account”`);
    expect(email?.text).toContain('/login');
    const outcome = await test.deps.auth.signIn(anna.email, anna.password, { ip: '127.0.0.1', userAgent: undefined });
    if (!outcome.ok || !('token' in outcome.value)) throw new Error('not signed in');
    await request({ ...anna, bearer: { authorization: `Bearer ${outcome.value.token}` } });
    expect(await test.mailsTo(anna.email)).toHaveLength(1);
  });

  it('is not sent for a rejected request', async () => {
    const anna = await test.signUp();
    await request(anna, 'somebody@example.com');
    expect(await test.mailsTo(anna.email)).toEqual([]);
  });
});

describe('what others see of an account that is to be deleted', () => {
  it('is gone at once, and back when the deletion is undone: profile, pictures, ranking, follows', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    await test.database.asOwner('update users set username = $2 where id = $1', [anna.id, 'leaving_anna']);
    const allow = { public_stats: true, allow_follow: true };
    await test.app.inject({ method: 'PUT', url: '/api/account/privacy', headers: anna.bearer, payload: allow });
    const upload = { headers: { ...anna.bearer, 'content-type': 'image/png' }, payload: await png() };
    const sent = await test.app.inject({ method: 'PUT', url: '/api/profile/avatar', ...upload });
    const { avatar_url: avatarUrl } = sent.json<{ avatar_url: string }>();
    for (let index = 0; index < 10; index++) {
      await test.database.asOwner(rowOf['positions']!(anna.id));
      await test.database.asOwner(
        `update positions set closed_at = now(), close_price = 103, close_reason = 'MANUAL'
         where user_id = $1 and closed_at is null`,
        [anna.id],
      );
    }
    const follow = { method: 'PUT', url: '/api/follows/leaving_anna', headers: bert.bearer } as const;
    expect((await test.app.inject(follow)).statusCode).toBe(200);
    const seen = async () => {
      const board = await test.app.inject({ url: '/api/leaderboard', headers: bert.bearer });
      const { rows } = board.json<{ rows: { username: string; is_followed: boolean }[] }>();
      const match = rows.find(({ username }) => username === 'leaving_anna');
      return {
        profile: (await test.app.inject({ url: '/api/profiles/leaving_anna' })).statusCode,
        picture: (await test.app.inject({ url: avatarUrl })).statusCode,
        isRanked: match !== undefined,
        isFollowed: match?.is_followed ?? false,
        follow: (await test.app.inject(follow)).statusCode,
      };
    };
    const all = { profile: 200, picture: 200, isRanked: true, isFollowed: true, follow: 200 };
    expect(await seen()).toEqual(all);
    expect((await request(anna)).statusCode).toBe(200);
    expect(await seen()).toEqual({ profile: 404, picture: 404, isRanked: false, isFollowed: false, follow: 404 });

    const outcome = await test.deps.auth.signIn(anna.email, anna.password, { ip: '127.0.0.1', userAgent: undefined });
    if (!outcome.ok || !('token' in outcome.value)) throw new Error('not signed in');
    const back = { authorization: `Bearer ${outcome.value.token}` };
    const own = await test.app.inject({ url: avatarUrl, headers: back });
    expect(own.statusCode, 'the owner still sees the picture').toBe(200);
    expect((await cancel(back)).statusCode).toBe(200);
    expect(await seen()).toEqual(all);
  });
});

describe('erasing', () => {
  it('leaves no row in any table and no file of the user, and nothing of another is touched', async () => {
    const [anna, bert] = [await owner(), await owner()];
    expect((await request(anna)).statusCode).toBe(200);
    const stays = await traces(bert);
    expect(Object.keys(stays)).toEqual(expect.arrayContaining(['users', 'accounts', 'verifications', 'stored_files']));
    await sweep();
    expect((await traces(anna))['users'], 'before its time').toBe(1);
    await graceOver(anna);
    await sweep();
    expect(await traces(anna)).toEqual({});
    expect(await filesOf(anna.id)).toEqual([]);
    expect(await traces(bert)).toEqual(stays);
    expect(await filesOf(bert.id)).toHaveLength(4);
    const payload = { email: anna.email, password: anna.password };
    expect((await test.app.inject({ method: 'POST', url: '/api/auth/signin', payload })).statusCode).toBe(401);
  });

  it('cannot be cancelled once erasing has started, and one failing account does not block the others', async () => {
    const [anna, bert] = [await owner(), await owner()];
    const session = anna.bearer;
    await test.database.asOwner(rowOf['deletion_requests']!(anna.id));
    await test.database.asOwner(rowOf['deletion_requests']!(bert.id));
    for (const user of [anna, bert]) await graceOver(user);
    const { deletion } = test.deps;
    const failing = {
      ...deletion,
      files: {
        ...deletion.files,
        list: (userId: string) =>
          userId === anna.id ? Promise.reject(new Error('storage is away')) : deletion.files.list(userId),
      },
    };
    await expect(sweepDeletions(failing)).rejects.toThrow('1 of 2 accounts not erased');
    expect(await traces(bert)).toEqual({});
    expect((await cancel(session)).json()).toMatchObject({ status: 409, code: 'conflict' });
    await sweep();
    expect(await traces(anna)).toEqual({});
    expect(await filesOf(anna.id)).toEqual([]);
  });

  it('moves on from failing accounts, however many: the others are processed in the next run', async () => {
    const failing = await Promise.all(Array.from({ length: 21 }, () => test.signUp()));
    const good = await test.signUp();
    for (const user of [...failing, good]) {
      await test.database.asOwner(rowOf['deletion_requests']!(user.id));
      await graceOver(user);
    }
    // The failing accounts have waited longest.
    await test.database.asOwner(
      `update deletion_requests set erase_after = erase_after - interval '1 hour' where user_id <> $1`,
      [good.id],
    );
    const { deletion } = test.deps;
    const failed = new Set(failing.map(({ id }) => id));
    const files = {
      ...deletion.files,
      list: (userId: string) =>
        failed.has(userId) ? Promise.reject(new Error('storage is away')) : deletion.files.list(userId),
    };
    const sweepBroken = () => sweepDeletions({ ...deletion, files });
    await expect(sweepBroken()).rejects.toThrow('20 of 20 accounts not erased');
    await expect(sweepBroken()).rejects.toThrow('19 of 20 accounts not erased');
    expect(await traces(good)).toEqual({});
    await sweep();
    await sweep();
    for (const user of failing) expect(await traces(user)).toEqual({});
  });

  it('is finished by the next run when the process is killed in the middle', async () => {
    const anna = await owner();
    await test.database.asOwner(rowOf['deletion_requests']!(anna.id));
    await graceOver(anna);
    await mkdir(join(dataDir, 'files'), { recursive: true });
    const program = join(import.meta.dirname, 'support/eraseAndHang.ts');
    const child = spawn(process.execPath, [program, test.database.serverUrl, join(dataDir, 'files')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await filesOf(anna.id)).length).toBe(3);
    expect((await traces(anna))['users']).toBe(1);
    await sweep();
    expect(await traces(anna)).toEqual({});
    expect(await filesOf(anna.id)).toEqual([]);
  });
});
