import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../server/launch/freePort.ts';
import { root } from './steps.ts';

/**
 * Part of `npm run test:verify`: installs the committed tree for production in a temporary folder, with the built files of this one, makes it
 * read-only and starts it, as another user when this one is root. Needs npm's cache or a registry.
 */
const sizeMbMax = 400;
const readyMsMax = 180_000;
const databaseStopMs = 5000;
/** User and group `nobody`. */
const otherUser = 65_534;
const run = promisify(execFile);

async function sizeMb(path: string): Promise<number> {
  const { stdout } = await run('du', ['-sm', path]);
  return Number(stdout.split('\t', 1)[0]);
}

/** The committed files, as a release has them, beside the built ones. */
async function exportTree(folder: string): Promise<void> {
  const archive = join(folder, '../tree.tar');
  await run('git', ['archive', '--output', archive, 'HEAD'], { cwd: root });
  await run('tar', ['-xf', archive, '-C', folder]);
  for (const built of ['engine-as/build/engine.wasm', 'web/dist'])
    await cp(join(root, built), join(folder, built), { recursive: true });
}

async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await lstat(path);
    if (!entry.isSymbolicLink()) await chmod(path, mode & 0o555);
  }
  await chmod(folder, 0o555);
}

async function waitFor(url: string, isReady: (status: number) => boolean, child: ChildProcess): Promise<boolean> {
  const endMs = performance.now() + readyMsMax;
  while (performance.now() < endMs && child.exitCode === null) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (isReady(status)) return true;
    await pause(200);
  }
  return false;
}

/** Starts the tree and reads a page, a file of it and the probes. @returns what failed */
async function checkStart(folder: string, dataDir: string): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  const [port, probePort] = [await freePort(), await freePort()];
  const env = {
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    HOME: dataDir,
    NODE_ENV: 'production',
    DATA_DIR: join(dataDir, 'data'),
    PORT: String(port),
    PROBE_PORT: String(probePort),
  };
  const user = isRoot ? { uid: otherUser, gid: otherUser } : {};
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    ...user,
  });
  const probes = `http://127.0.0.1:${probePort}`;
  const product = `http://127.0.0.1:${port}`;
  const isReady = await waitFor(`${probes}/readyz`, (status) => status === 200, child);
  const textOf = (url: string) =>
    fetch(url).then(
      (response) => response.text(),
      () => '',
    );
  const home = await textOf(`${product}/`);
  const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(home) ?? [];
  const checks: [string, boolean][] = [
    ['ready', isReady],
    ['the home page is built', script !== '' && (await textOf(`${product}${script}`)).length > 1000],
    ['metrics', (await textOf(`${probes}/metrics`)).includes('sextant_info')],
    ['health', (await textOf(`${product}/api/health`)).includes('"status"')],
  ];
  // The group: npm itself may end before the server has stopped. The probe port closes last.
  if (child.exitCode === null && child.pid !== undefined) {
    const exit = once(child, 'exit');
    process.kill(-child.pid, 'SIGTERM');
    await exit;
    while (
      await fetch(`${probes}/livez`).then(
        () => true,
        () => false,
      )
    )
      await pause(200);
    // The embedded database stops after the server.
    await pause(databaseStopMs);
  }
  return checks.filter(([, isOk]) => !isOk).map(([name]) => name);
}

const parent = await mkdtemp(join(tmpdir(), 'sextant-production-'));
const folder = join(parent, 'tree');
const dataDir = join(parent, 'state');
try {
  await chmod(parent, 0o755);
  await mkdir(folder);
  await mkdir(dataDir, { mode: 0o700 });
  if (process.getuid?.() === 0) await chown(dataDir, otherUser, otherUser);
  await exportTree(folder);
  const startedMs = performance.now();
  await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder, maxBuffer: 1 << 24 });
  const seconds = (performance.now() - startedMs) / 1000;
  const nodeMb = await sizeMb(join(folder, 'node_modules/node'));
  const besideMb = (await sizeMb(join(folder, 'node_modules'))) - nodeMb;
  console.log(`production install: ${besideMb} MB beside ${nodeMb} MB of Node, ${seconds.toFixed(0)} s`);
  const problems = besideMb > sizeMbMax ? [`${besideMb} MB is more than ${sizeMbMax} MB`] : [];
  await makeReadOnly(folder);
  problems.push(...(await checkStart(folder, dataDir)));
  for (const problem of problems) console.error(`failed: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  // rm cannot empty a read-only folder.
  await run('chmod', ['-R', 'u+w', parent]);
  await rm(parent, { recursive: true, force: true });
}
