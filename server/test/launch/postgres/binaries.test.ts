import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareBinaries } from '../../../launch/postgres/binaries.ts';
import { canReach } from '../../../launch/postgres/systemUser.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-binaries-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };

describe('whether a user can reach a folder', () => {
  it('depends on every folder above it', async () => {
    const inner = join(folder, 'a/b');
    await mkdir(inner, { recursive: true });
    for (const each of [folder, join(folder, 'a'), inner]) await chmod(each, 0o755);
    expect(await canReach(inner, stranger)).toBe(true);
    await chmod(join(folder, 'a'), 0o700);
    expect(await canReach(inner, stranger)).toBe(false);
    await chmod(join(folder, 'a'), 0o711);
    expect(await canReach(inner, stranger)).toBe(true);
  });

  it('is judged as the owner or the group when it is one of them', async () => {
    await chmod(folder, 0o700);
    const uid = process.getuid?.() ?? 0;
    const gid = process.getgid?.() ?? 0;
    expect(await canReach(folder, { name: 'me', uid, gid })).toBe(true);
    expect(await canReach(folder, { name: 'group', uid: 54_321, gid })).toBe(false);
    await chmod(folder, 0o710);
    expect(await canReach(folder, { name: 'group', uid: 54_321, gid })).toBe(true);
    await chmod(folder, 0o755);
  });
});

it('the PostgreSQL that npm installed runs', async () => {
  const { postgres, initdb } = await prepareBinaries(undefined);
  for (const program of [postgres, initdb]) {
    const { stdout } = await promisify(execFile)(program, ['--version']);
    expect(stdout).toMatch(/PostgreSQL\) 17\./);
  }
});
