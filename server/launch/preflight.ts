import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { StartError } from './startError.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use; stop the other program or set PORT to a free one',
  EACCES: 'may not be used by this user; set PORT to 1024 or above',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST to one',
  ENOTFOUND: 'is not an address of this machine; set HOST to one',
};

/** Finds out before anything heavy is started. */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(
        new StartError(`${host}:${port} ${reasons[error.code ?? ''] ?? `cannot be listened on (${error.message})`}`),
      );
    });
    server.listen(port, host, () => server.close(() => done()));
  });
}

/** Makes the data folder, closed to others, and writes into it once. Gives its absolute path. */
export async function prepareDataDir(path: string): Promise<string> {
  const dataDir = resolve(path);
  const probe = join(dataDir, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    if (!existsSync(dataDir)) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be written (${code ?? 'unknown error'}); make it writable or set DATA_DIR`,
    );
  }
  return dataDir;
}
