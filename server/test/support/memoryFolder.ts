import { accessSync, constants, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../launch/postgres/postmaster.ts';

const memory = '/dev/shm';
/** A run of all server tests needs up to 600 MiB at once: its database, copies of it for running files, and a few clusters. */
const bytesMin = 2 * 2 ** 30;
const hourMs = 3_600_000;
const ownName = /^sextant-(\d+)-/;

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= bytesMin && freemem() >= 2 * bytesMin;
  } catch {
    return false;
  }
}

/** Whether tests store in memory what would otherwise be on disk. */
export const isInMemory: boolean = hasRoom();

/**
 * Folder of test databases: in memory on a Linux with enough space, otherwise on disk. On disk a copy of the migrated database takes
 * 50 to 600 ms of processor time, nearly all of it in the kernel, in memory 20 to 40, and each test file makes one.
 */
export const memoryRoot: string = isInMemory ? memory : tmpdir();

/** Creates a folder there. Its name contains the pid, so that a later run can remove what a killed one left. */
export const makeMemoryFolder = (name: string): Promise<string> =>
  mkdtemp(join(memoryRoot, `sextant-${process.pid}-${name}-`));

/** Removes folders of killed runs, which would hold memory for ever. At least an hour old, because pids of another container may match. */
export function removeLeftFolders(): void {
  for (const entry of readdirSync(memoryRoot)) {
    const pid = Number(ownName.exec(entry)?.[1] ?? 0);
    const path = join(memoryRoot, entry);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (pid > 0 && !isAlive(pid) && Date.now() - madeAt > hourMs) rmSync(path, { recursive: true, force: true });
  }
}
