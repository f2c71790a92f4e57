import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeMemoryFolder, memoryRoot, removeLeftFolders } from './memoryFolder.ts';

it('only folders of ended processes that are older than an hour are removed', async () => {
  const { pid: ended } = spawnSync('true');
  const folderOf = (pid: number, name: string, ageS: number): string => {
    const path = join(memoryRoot, `sextant-${pid}-${name}`);
    mkdirSync(path);
    utimesSync(path, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
    return path;
  };
  const left = folderOf(ended, 'old', 3700);
  const young = folderOf(ended, 'young', 60);
  const running = folderOf(process.pid, 'old', 3700);
  const own = await makeMemoryFolder('own');
  try {
    removeLeftFolders();
    expect([left, young, running, own].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  } finally {
    for (const path of [left, young, running, own]) rmSync(path, { recursive: true, force: true });
  }
});
