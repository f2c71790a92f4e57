import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareDataDir } from '../../src/platform/dataDir.ts';
import { readOrMakeSecrets } from '../../src/platform/secrets.ts';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-data-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('the data folder', () => {
  it('is created with its parents, accessible to its owner only', async () => {
    const inner = join(dataDir, 'a/b');
    expect(await prepareDataDir(inner)).toBe(inner);
    expect(await modeOf(inner)).toBe(0o700);
    expect(await readdir(inner)).toEqual([]);
  });

  it('is restricted to its owner when others could only read it', async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    await prepareDataDir(dataDir);
    expect(await modeOf(dataDir)).toBe(0o700);
  });

  it.each([0o777, 0o775, 0o757])('that others could write (%o) is rejected and stays unchanged', async (mode) => {
    await mkdir(dataDir);
    await chmod(dataDir, mode);
    await expect(prepareDataDir(dataDir)).rejects.toThrow(/^DATA_DIR .*\/data is writable by other users/);
    expect(await modeOf(dataDir)).toBe(mode);
  });

  it('must not be a link or a file', async () => {
    await mkdir(dataDir);
    await symlink(dataDir, join(folder, 'link'));
    await expect(prepareDataDir(join(folder, 'link'))).rejects.toThrow('is a link');
    await writeFile(join(folder, 'file'), '');
    await expect(prepareDataDir(join(folder, 'file'))).rejects.toThrow('is not a folder');
  });

  it.skipIf(process.getuid?.() !== 0)('must not belong to another user', async () => {
    await mkdir(dataDir);
    await chown(dataDir, 54_321, 54_321);
    await expect(prepareDataDir(dataDir)).rejects.toThrow('belongs to another user');
  });
});

describe('the secrets', () => {
  it('are created once, readable by their owner only, and without leftovers', async () => {
    await prepareDataDir(dataDir);
    const made = await readOrMakeSecrets(dataDir);
    expect(await readOrMakeSecrets(dataDir)).toEqual(made);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
    expect(await modeOf(join(dataDir, 'secrets.json'))).toBe(0o600);
  });

  it('are never written or read through a link that another user prepared', async () => {
    await prepareDataDir(dataDir);
    const victim = join(folder, 'victim');
    await writeFile(victim, 'untouched');
    await symlink(victim, join(dataDir, `secrets.json.${process.pid}`));
    await readOrMakeSecrets(dataDir);
    expect(await readFile(victim, 'utf8')).toBe('untouched');
    await rm(join(dataDir, 'secrets.json'));
    await symlink(victim, join(dataDir, 'secrets.json'));
    await expect(readOrMakeSecrets(dataDir)).rejects.toThrow('ELOOP');
    expect(await readFile(victim, 'utf8')).toBe('untouched');
  });
});
