import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFirefox } from '../../e2e/support/firefox.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  folders.push(folder);
  return folder;
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('a browser that starts and does not accept the connection is ended, and its profile removed', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'firefox');
  const started = join(folder, 'started');
  // Reports an address as Firefox does, then runs until it is ended. Its last argument is the profile.
  const script = [
    '#!/bin/sh',
    'for last in "$@"; do :; done',
    `printf '%s\\n%s\\n' "$$" "$last" > '${started}'`,
    `echo 'WebDriver BiDi listening on ws://127.0.0.1:${await closedPort()}' >&2`,
    'exec sleep 600',
  ];
  await writeFile(path, script.join('\n'));
  await chmod(path, 0o755);

  await expect(openFirefox(path)).rejects.toThrow('Firefox does not accept the connection');
  const [pid, profile = ''] = (await readFile(started, 'utf8')).split('\n');
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  await expect(stat(profile)).rejects.toThrow('ENOENT');
});

it('a file that cannot be started is an error, and no wait without end', async () => {
  const folder = await makeFolder();
  await expect(openFirefox(join(folder, 'none'))).rejects.toThrow('ENOENT');
});
