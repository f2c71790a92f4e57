import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../server/launch/freePort.ts';

export interface LabProduct {
  baseUrl: string;
  stop: () => Promise<void>;
}

const root = join(import.meta.dirname, '../../..');
const START_MAX_MS = 240_000;

/** Starts the whole product as `npm start` does, on its own ports and in its own folder. @throws Error when it does not respond */
export async function startLabProduct(): Promise<LabProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const child = fork(join(root, 'server/launch/start.ts'), [], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      TRUST_PROXY: 'loopback',
      PORT: new URL(baseUrl).port,
      EXCHANGES_PORT: String(await freePort()),
      DATA_DIR: folder,
    },
  });
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItResponds(baseUrl, child);
  } catch (cause) {
    await stop();
    throw cause;
  }
  return { baseUrl, stop };
}

async function untilItResponds(baseUrl: string, child: ChildProcess): Promise<void> {
  const untilMs = performance.now() + START_MAX_MS;
  for (;;) {
    const isUp = await fetch(`${baseUrl}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (child.exitCode !== null) throw new Error(`the product ended with code ${child.exitCode}`);
    if (performance.now() > untilMs) throw new Error('the product did not respond');
    await delay(200);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
