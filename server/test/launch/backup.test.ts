import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInUse, withCluster } from '../../launch/backup/embeddedCluster.ts';
import { readSecrets } from '../../src/platform/secrets.ts';
import { childEnv } from '../support/childEnv.ts';
import { makeMemoryFolder } from '../support/memoryFolder.ts';
import { killHard, type Launched, launchReady, postgresPids } from './launcher.ts';

// Processes are found through /proc; the product itself does not need it.
const isLinux = process.platform === 'linux';
let folder: string;
let dataDir: string;
let running: Launched | undefined;
beforeEach(async () => {
  folder = await makeMemoryFolder('backup');
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  if (running !== undefined) killHard([running.pid]);
  killHard(postgresPids(dataDir));
  running = undefined;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function command(name: 'backup' | 'restore', ...args: string[]): Promise<{ code: number | null; text: string }> {
  const program = join(import.meta.dirname, `../../launch/backup/${name}Command.ts`);
  const child = spawn(process.execPath, [program, ...args], { env: { ...childEnv, DATA_DIR: dataDir } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, text };
}

async function start(): Promise<Launched> {
  running = await launchReady({ DATA_DIR: dataDir });
  return running;
}

/** As when the machine loses power: nothing is finished. */
async function killAll({ pid, exit }: Launched): Promise<void> {
  killHard([pid, ...postgresPids(dataDir)]);
  await exit;
  running = undefined;
}

const post = (launched: Launched, path: string, body: object) =>
  fetch(`${launched.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const signUp = async (launched: Launched, name: string): Promise<number> =>
  (await post(launched, '/api/auth/signup', { email: `${name}@example.com`, password: 'correct horse' })).status;
const signIn = async (launched: Launched, name: string): Promise<number> =>
  (await post(launched, '/api/auth/signin', { email: `${name}@example.com`, password: 'correct horse' })).status;

/** Runs SQL as the owner of the embedded database, started for it when nothing runs. */
async function asOwner<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  return withCluster({ dataDir, secrets: await readSecrets(dataDir) }, async (ownerUrl) => {
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    try {
      return (await owner.query<Row>(text)).rows;
    } finally {
      await owner.end();
    }
  });
}

/** A backup with hashes that fit and a database that does not start: it fails after the files of before were moved aside. */
async function expectFailedStart(target: string, control: Buffer): Promise<void> {
  const path = join(target, 'manifest.json');
  const text = await readFile(path, 'utf8');
  const manifest = JSON.parse(text) as { files: { path: string; bytes: number; sha256: string }[] };
  const stored = manifest.files.find((file) => file.path === 'postgres/global/pg_control')!;
  const wrong = Buffer.alloc(stored.bytes, 7);
  const name = join(target, 'postgres/global/pg_control.zst');
  await writeFile(name, zstdCompressSync(wrong));
  stored.sha256 = createHash('sha256').update(wrong).digest('hex');
  await writeFile(path, JSON.stringify(manifest));
  const before = await readFile(join(dataDir, 'secrets.json'), 'utf8');
  const failed = await command('restore', target);
  expect(failed.code).toBe(1);
  expect(failed.text).toMatch(/^Nothing was restored: /);
  expect(failed.text).not.toContain('other bytes');
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(before);
  const names = [...(await readdir(dataDir)), ...(await readdir(join(dataDir, 'postgres')))];
  expect(names.filter((each) => /before-|restore-/.test(each))).toEqual([]);
  expect(postgresPids(dataDir)).toEqual([]);
  await writeFile(path, text);
  await writeFile(name, control);
}

const ledger = () => asOwner('select * from credit_ledger order by id');

describe.skipIf(!isLinux)('backup and restore of the embedded database', () => {
  it(
    'NODE-030 NODE-031 after a kill and the loss of the disk the ledger is that of the backup, and accounts sign in',
    { timeout: 300_000 },
    async () => {
      const first = await start();
      expect(await signUp(first, 'anna')).toBeLessThan(300);
      expect(await signUp(first, 'ben')).toBeLessThan(300);
      const before = await ledger();
      expect(before).toHaveLength(2);

      const target = join(folder, 'copy');
      const made = await command('backup', target);
      expect(made.code, made.text).toBe(0);
      expect(made.text).toContain(`to ${target}`);

      expect(await signUp(first, 'carl')).toBeLessThan(300);
      await killAll(first);
      await rm(dataDir, { recursive: true });

      const restored = await command('restore', target);
      expect(restored.code, restored.text).toBe(0);
      expect(restored.text).toMatch(/2 accounts, 2 ledger entries, which add up\./);
      expect(await ledger()).toEqual(before);
      const second = await start();
      expect([await signIn(second, 'anna'), await signIn(second, 'ben')]).toEqual([200, 200]);
      expect(await signIn(second, 'carl')).toBe(401);
      second.signal('SIGTERM');
      expect(await second.exit).toBe(0);
    },
  );

  it(
    'NODE-030 of a database under writes is one moment of it, and is taken while others use it',
    { timeout: 300_000 },
    async () => {
      const first = await start();
      await asOwner('create table written (n integer primary key, twin integer not null)');
      const secrets = await readSecrets(dataDir);
      const until = new AbortController();
      let last = 0;
      const writing = withCluster({ dataDir, secrets }, async (ownerUrl) => {
        const owner = new pg.Client({ connectionString: ownerUrl });
        await owner.connect();
        // Two rows in one transaction: a copy that mixes moments has one of them.
        for (let n = 0; !until.signal.aborted; n += 2) {
          await owner.query(`insert into written values (${n}, ${n + 1}), (${n + 1}, ${n})`);
          last = n + 1;
        }
        await owner.end();
      });
      const committed = last;
      const made = await command('backup');
      const duringMax = last;
      until.abort();
      await writing;
      expect(made.code, made.text).toBe(0);
      expect((await fetch(`${first.url}/livez`)).status).toBe(200);
      await killAll(first);
      const [name = ''] = await readdir(join(dataDir, 'backups'));
      const restored = await command('restore', join(dataDir, 'backups', name));
      expect(restored.code, restored.text).toBe(0);
      const [row] = await asOwner<{ count: number; last: number; alone: number }>(`
        select count(*)::int as count, max(n) as last,
          (select count(*)::int from written w where not exists (select from written v where v.n = w.twin)) as alone from written`);
      expect(row?.alone).toBe(0);
      expect(row?.count).toBe((row?.last ?? 0) + 1);
      expect(row?.last).toBeGreaterThanOrEqual(committed);
      expect(row?.last).toBeLessThanOrEqual(duringMax + 2);
    },
  );

  it(
    'NODE-031 a damaged backup, one whose database does not start, and one for a running Sextant change nothing',
    { timeout: 300_000 },
    async () => {
      const first = await start();
      expect(await signUp(first, 'anna')).toBeLessThan(300);
      const target = join(folder, 'copy');
      expect((await command('backup', target)).code).toBe(0);
      expect(await command('backup', target)).toMatchObject({
        code: 1,
        text: expect.stringContaining('exists; name another folder') as string,
      });
      expect(await command('restore', target)).toEqual({
        code: 1,
        text: expect.stringMatching(
          /^Nothing was restored: DATA_DIR .* is in use; stop Sextant before you restore\n$/,
        ) as string,
      });
      first.signal('SIGTERM');
      expect(await first.exit).toBe(0);
      running = undefined;
      expect(await isInUse(dataDir, await readSecrets(dataDir))).toBe(false);

      const listed = await command('restore');
      expect(listed.text).toMatch(/^Nothing was restored: name a backup, .* there is none in /);
      const control = join(target, 'postgres/global/pg_control.zst');
      const bytes = await readFile(control);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(control, bytes);
      const damaged = await command('restore', target);
      expect(damaged.code).toBe(1);
      expect(damaged.text).toMatch(
        /^Nothing was restored: the backup is damaged: postgres\/global\/pg_control .*; use another backup\n$/,
      );
      expect((await readdir(join(dataDir, 'postgres'))).filter((each) => each.startsWith('restore-'))).toEqual([]);
      await expectFailedStart(target, bytes);
      const manifest = JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8')) as {
        files: { path: string }[];
      };
      manifest.files[0]!.path = '../../elsewhere';
      await writeFile(join(target, 'manifest.json'), JSON.stringify(manifest));
      expect((await command('restore', target)).text).toContain('is damaged or of another version');
      expect(existsSync(join(folder, 'elsewhere.zst'))).toBe(false);

      const second = await start();
      expect(await signIn(second, 'anna')).toBe(200);
      second.signal('SIGTERM');
      await second.exit;
    },
  );
});
