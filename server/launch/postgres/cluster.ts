import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../freePort.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { adoptOrClear, type Postmaster, probe, readPostmaster, stopPostmaster, waitUntil } from './postmaster.ts';
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
  /** Wanted port; any free one when absent or taken. */
  port?: number | undefined;
  /** Only for tests: no fsync. */
  isThrowaway?: boolean;
}

const owner = 'sextant_owner';
const logBytesMax = 10 * 1024 * 1024;
const attemptsMax = 5;

const settings = (port: number, isThrowaway: boolean): Record<string, string | number> => ({
  listen_addresses: '127.0.0.1',
  port,
  unix_socket_directories: '',
  max_connections: isThrowaway ? 100 : 50,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
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

/** Makes the data folder. It appears under its name only when it is whole, so a killed first start leaves nothing half made. */
async function initialise(binaries: Binaries, options: ClusterOptions, user: SystemUser | undefined): Promise<void> {
  const partial = join(options.home, 'data.partial');
  const passwordFile = join(options.home, 'password');
  await rm(partial, { recursive: true, force: true });
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
  const access = openAccess(options.home, user);
  const log = openSync(join(options.home, 'postgres.log'), 'a', 0o600);
  try {
    const args = [
      ...['-D', `${access.path}/data.partial`, '-U', owner, `--pwfile=${access.path}/password`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'],
      ...(options.isThrowaway === true ? ['--no-sync'] : []),
    ];
    const code = await exitOf(run(binaries.initdb, args, access, log));
    if (code !== 0) throw new Error(`the database folder could not be made: ${await logTail(options.home)}`);
    await rename(partial, join(options.home, 'data'));
  } finally {
    closeSync(log);
    access.close();
    await rm(passwordFile, { force: true });
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
  const flags = Object.entries(settings(port, options.isThrowaway === true)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
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
  const found = await findSystemUser();
  if (found === undefined || !existsSync(dataDir)) return found;
  const { uid, gid } = await stat(dataDir);
  return uid === 0 ? found : { name: uid === found.uid ? found.name : String(uid), uid, gid };
}

/** A running PostgreSQL with its data in `home`, started now or adopted from a run that was killed. Loopback only. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dataDir = join(options.home, 'data');
  const user = await userOf(dataDir);
  await prepareHome(options.home, user);
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
  if (!existsSync(join(options.home, 'data'))) await initialise(binaries, options, user);
  // Another program may take the port between our look and the start, and shared memory of a killed server takes a moment to go.
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const port = attempt === 1 && options.port !== undefined ? options.port : await freePort();
    const postmaster = await launch(binaries, options, user, port);
    if (postmaster !== undefined) return postmaster;
    await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
  }
  throw new Error(`PostgreSQL did not start: ${await logTail(options.home)}`);
}
