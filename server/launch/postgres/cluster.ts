import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../freePort.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import {
  adoptOrClear,
  isAlive,
  pause,
  type Postmaster,
  probe,
  readPostmaster,
  stopPostmaster,
  waitUntil,
} from './postmaster.ts';
import { findSystemUser, type SystemUser } from './systemUser.ts';

export interface Cluster {
  /** Connection of the owner, a superuser. Only for migrations and the launcher's lock. */
  ownerUrl: string;
  port: number;
  pid: number;
  stop: () => Promise<void>;
}

export interface ClusterOptions {
  /** Folder that is ours alone: `data`, the log and nothing else live in it. */
  home: string;
  password: string;
  database: string;
  /** The port it must have, because others know it; a free one when absent. */
  port?: number | undefined;
  /** Only for tests: no fsync. */
  isThrowaway?: boolean;
  /** By default enough for one node, and for the nodes of tests. */
  connectionsMax?: number;
}

const owner = 'sextant_owner';
const logBytesMax = 10 * 1024 * 1024;
const attemptsMax = 10;
const attemptPauseMsMax = 1000;
/** Folder of one attempt to make the data folder: the pid of its launcher, and a name that no other attempt has. */
const attemptName = /^init\.(\d+)\.[0-9a-f]{8}$/;

const settings = (
  port: number,
  { isThrowaway = false, connectionsMax = isThrowaway ? 300 : 50 }: ClusterOptions,
): Record<string, string | number> => ({
  listen_addresses: '127.0.0.1',
  port,
  unix_socket_directories: '',
  max_connections: connectionsMax,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  ...(isThrowaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' } : {}),
});

/**
 * How a child reaches our folder. As root the server runs as another user, who cannot enter a folder that is closed to
 * everybody but root; an open descriptor of the folder, followed through /proc, leads straight to it.
 */
interface Access {
  path: string;
  stdio: number[];
  user: SystemUser | undefined;
  close: () => void;
}

function openAccess(home: string, user: SystemUser | undefined): Access {
  if (user === undefined || process.platform !== 'linux')
    return { path: home, stdio: [], user, close: () => undefined };
  const folder = openSync(home, 'r');
  return { path: '/proc/self/fd/3', stdio: [folder], user, close: () => closeSync(folder) };
}

function run(file: string, args: string[], access: Access, output: number): ChildProcess {
  return spawn(file, args, {
    // A group of its own: Ctrl-C reaches us alone, so that requests are drained before the database stops.
    detached: true,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', output, output, ...access.stdio],
    ...(access.user === undefined ? {} : { uid: access.user.uid, gid: access.user.gid }),
  });
}

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? -1));
  });

async function logTail(home: string): Promise<string> {
  const text = await readFile(join(home, 'postgres.log'), 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-3).join(' | ');
}

/**
 * Removes what attempts of killed launchers left. Their initdb runs on without them: it is ended first, with all it started. The folder of a
 * launcher that is alive stays.
 */
async function clearAttempts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const launcher = Number(attemptName.exec(name)?.[1] ?? 0);
    // A number of our own is from before: in a container every start may have the same.
    if (launcher === 0 || (launcher !== process.pid && isAlive(launcher))) continue;
    const folder = join(home, name);
    await endGroup(Number(await readFile(join(folder, 'initdb.pid'), 'utf8').catch(() => '0')), folder);
    // A leftover does no harm: the next start tries again to remove it.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** Ends the process group of an initdb, unless its number belongs to another program by now. */
async function endGroup(pid: number, folder: string): Promise<void> {
  if (!(pid > 0) || !isAlive(-pid)) return;
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes(basename(folder))) return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    return; // It is gone already.
  }
  await waitUntil(() => !isAlive(-pid), 5000);
}

/**
 * Makes the data folder. Each attempt works in a folder of its own, and the data folder appears under its name only when it is whole: a
 * killed first start leaves nothing half made, and the initdb it leaves running touches nothing of the next start.
 */
async function initialise(binaries: Binaries, options: ClusterOptions, user: SystemUser | undefined): Promise<void> {
  const name = `init.${process.pid}.${randomBytes(4).toString('hex')}`;
  const folder = join(options.home, name);
  const passwordFile = join(folder, 'password');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const access = openAccess(options.home, user);
  const log = openSync(join(options.home, 'postgres.log'), 'a', 0o600);
  try {
    const args = [
      '-D',
      `${access.path}/${name}/data`,
      '-U',
      owner,
      `--pwfile=${access.path}/${name}/password`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      ...(options.isThrowaway === true ? ['--no-sync'] : []),
    ];
    const child = run(binaries.initdb, args, access, log);
    const exit = exitOf(child);
    // At once: the next start ends this child should we be killed before it is done.
    writeFileSync(join(folder, 'initdb.pid'), String(child.pid ?? 0));
    if ((await exit) !== 0) throw new Error(`the database folder could not be made: ${await logTail(options.home)}`);
    await rename(join(folder, 'data'), join(options.home, 'data')).catch((error: unknown) => {
      // Another launcher was faster: its folder is used, and who may use it is decided later.
      if (!existsSync(join(options.home, 'data'))) throw error;
    });
  } finally {
    closeSync(log);
    access.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the server and waits until it takes connections; undefined when it ended first. */
async function launch(
  binaries: Binaries,
  options: ClusterOptions,
  user: SystemUser | undefined,
  port: number,
): Promise<Postmaster | undefined> {
  const dataDir = join(options.home, 'data');
  const access = openAccess(options.home, user);
  const log = openSync(join(options.home, 'postgres.log'), 'a', 0o600);
  const flags = Object.entries(settings(port, options)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = run(binaries.postgres, ['-D', `${access.path}/data`, ...flags], access, log);
  closeSync(log);
  access.close();
  const end = { hasCome: false };
  child.once('error', () => (end.hasCome = true));
  child.once('exit', () => (end.hasCome = true));
  child.unref();
  const url = urlFor(options, port, 'postgres');
  await waitUntil(async () => {
    if (end.hasCome) return true;
    const state = await readPostmaster(dataDir);
    return state?.pid === child.pid && (await probe(url)) === 'ready';
  }, 120_000);
  if (end.hasCome || child.pid === undefined) return undefined;
  return { pid: child.pid, port };
}

const urlFor = (options: ClusterOptions, port: number, database: string): string =>
  `postgres://${owner}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}`;

async function prepareHome(home: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  if (user !== undefined) await chown(home, user.uid, user.gid);
  const log = join(home, 'postgres.log');
  if (existsSync(log) && (await stat(log)).size > logBytesMax) await truncate(log);
}

/** The user that owns an existing data folder stays its user: PostgreSQL insists on it. */
async function userOf(dataDir: string): Promise<SystemUser | undefined> {
  const match = await findSystemUser();
  if (match === undefined || !existsSync(dataDir)) return match;
  const { uid, gid } = await stat(dataDir);
  return uid === 0 ? match : { name: uid === match.uid ? match.name : String(uid), uid, gid };
}

/** The owner's address of a PostgreSQL that runs with its data in `home`; undefined when none does. */
export async function readClusterUrl(options: ClusterOptions): Promise<string | undefined> {
  const postmaster = await readPostmaster(join(options.home, 'data'));
  return postmaster === undefined ? undefined : urlFor(options, postmaster.port, options.database);
}

/** A running PostgreSQL with its data in `home`, started now or adopted from a run that was killed. Loopback only. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dataDir = join(options.home, 'data');
  const user = await userOf(dataDir);
  await prepareHome(options.home, user);
  await clearAttempts(options.home);
  const running = existsSync(dataDir)
    ? await adoptOrClear(dataDir, (port) => urlFor(options, port, 'postgres'))
    : undefined;
  const postmaster = running ?? (await startFresh(options, user));
  await ensureDatabase(urlFor(options, postmaster.port, 'postgres'), options.database);
  return {
    ownerUrl: urlFor(options, postmaster.port, options.database),
    port: postmaster.port,
    pid: postmaster.pid,
    stop: () => stopPostmaster(postmaster.pid),
  };
}

/** Creates the database inside the cluster when it is missing. */
async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function startFresh(options: ClusterOptions, user: SystemUser | undefined): Promise<Postmaster> {
  const binaries = await prepareBinaries(user);
  const dataDir = join(options.home, 'data');
  if (!existsSync(dataDir)) await initialise(binaries, options, user);
  // Another program may take the port between our look and the start, and shared memory of a killed server takes a moment to go.
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const port = options.port ?? (await freePort());
    const postmaster = await launch(binaries, options, user, port);
    if (postmaster !== undefined) return postmaster;
    await pause(Math.min(200 * attempt, attemptPauseMsMax));
    // A start that was killed may leave a server that had not yet written its pid when we looked.
    const left = await adoptOrClear(dataDir, (at) => urlFor(options, at, 'postgres'));
    if (left !== undefined) return left;
  }
  throw new Error(`PostgreSQL did not start: ${await logTail(options.home)}`);
}
