import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Content of postmaster.pid, written by a running PostgreSQL. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** Recovery after a crash takes as long as there is log to replay. */
const adoptMs = 60_000;

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

/** @param signal ends it early */
export const pause = (durationMs: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(durationMs, undefined, { signal }).catch(() => undefined);

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

/** Tries to log in. `starting` covers recovery after a crash and a machine too busy to respond in time. */
export async function probe(url: string): Promise<Probe> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // cannot_connect_now, too_many_connections, a port that is not open yet, and the driver's own deadline.
    const isStarting = ['57P03', '53300', 'ECONNREFUSED'].includes(code) || /timeout/i.test(message);
    return isStarting ? 'starting' : 'not_ours';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether the process is the PostgreSQL of this folder, in which it works. A pid left in a file may belong to anything after a reboot. */
async function isPostgresOf(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => '');
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return /\/postgres( \(deleted\))?$/.test(executable) && folder === (await realpath(dataDir));
}

/** The pid comes first into the file, the port some milliseconds later. */
async function waitForPort(dataDir: string, pid: number): Promise<Postmaster | undefined> {
  let result: Postmaster | undefined;
  await waitUntil(async () => {
    const state = await readPostmaster(dataDir);
    result = state?.pid === pid && state.port > 0 ? state : undefined;
    return result !== undefined || !isAlive(pid);
  }, adoptMs);
  return result;
}

/**
 * Deals with what an earlier run left behind: a server that still runs and accepts the password is adopted, one that does not
 * respond is stopped, a pid file without a server is removed.
 */
export async function adoptOrClear(dataDir: string, urlOf: (port: number) => string): Promise<Postmaster | undefined> {
  const left = await readPostmaster(dataDir);
  if (left === undefined) return undefined;
  if (isAlive(left.pid) && (await isPostgresOf(left.pid, dataDir))) {
    const adopted = await waitForPort(dataDir, left.pid);
    if (adopted !== undefined) {
      let state: Probe = 'starting';
      await waitUntil(async () => {
        state = isAlive(left.pid) ? await probe(urlOf(adopted.port)) : 'not_ours';
        return state !== 'starting';
      }, adoptMs);
      if ((state as Probe) === 'ready') return adopted;
    }
    await stopPostmaster(left.pid);
  }
  await rm(join(dataDir, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Fast shutdown: sessions are ended, everything committed is on disk. After 20 s an immediate shutdown follows; the next start recovers. */
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
