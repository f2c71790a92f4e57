import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** What a running PostgreSQL writes into postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
}

export async function readPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const postmaster = { pid: Number(lines[0]), port: Number(lines[3]) };
  return Number.isInteger(postmaster.pid) && postmaster.pid > 0 ? postmaster : undefined;
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs));

/** Polls until `isDone` or the deadline; false means the deadline came first. */
export async function waitUntil(isDone: () => boolean | Promise<boolean>, deadlineMs: number): Promise<boolean> {
  const endsAt = performance.now() + deadlineMs;
  while (performance.now() < endsAt) {
    if (await isDone()) return true;
    await pause(25);
  }
  return isDone();
}

export type Probe = 'ready' | 'starting' | 'not_ours';

/** Tries to log in. `starting` covers recovery after a crash, `not_ours` a closed port or somebody else's server. */
export async function probe(url: string): Promise<Probe> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    // 57P03: cannot_connect_now
    return (error as { code?: string }).code === '57P03' ? 'starting' : 'not_ours';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether the process is a PostgreSQL. A pid left in a file may belong to anything after a reboot. */
async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return /\/postgres( \(deleted\))?$/.test(executable);
}

/**
 * Deals with what an earlier run left behind: a server that still runs and accepts our password is adopted, one that does not
 * answer is stopped, a pid file without a server is removed.
 */
export async function adoptOrClear(dataDir: string, urlOf: (port: number) => string): Promise<Postmaster | undefined> {
  const left = await readPostmaster(dataDir);
  if (left === undefined) return undefined;
  if (isAlive(left.pid) && (await isPostgres(left.pid))) {
    const url = urlOf(left.port);
    await waitUntil(async () => (await probe(url)) !== 'starting', 30_000);
    if ((await probe(url)) === 'ready') return left;
    await stopPostmaster(left.pid);
  }
  await rm(join(dataDir, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Fast shutdown: sessions are ended, everything committed is on disk. After 20 s it is told to stop at once; the next start recovers. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return; // It is gone already.
    }
    if (await waitUntil(() => !isAlive(pid), signal === 'SIGINT' ? 20_000 : 5000)) return;
  }
}
