import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv, startFlags } from './childEnv.ts';
import { testSecret } from './globalDatabase.ts';
import { freePort } from '../../launch/freePort.ts';

/** A whole node in a process of its own; it is there to be killed. */
export interface KillableNode {
  /** Its port stays the same from one start to the next. */
  url: string;
  /** Its secrets and pictures; a second node gets the same by DATA_DIR. */
  dataDir: string;
  /** Resolves when it listens. */
  start: (env?: Record<string, string>) => Promise<void>;
  /** SIGKILL: nothing is finished, nothing is told. */
  kill: () => Promise<void>;
  /** SIGSTOP freezes the process with its connections open, SIGCONT wakes it. SIGUSR2: see blockThread.mjs. */
  signal: (name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2') => void;
  pid: () => number | undefined;
  /** All it printed since it was started. */
  said: () => string;
  close: () => Promise<void>;
}

const root = join(import.meta.dirname, '../../..');

/** @param baseEnv `MARKET_STREAMS: 'on'` for a test that needs prices as they come */
export async function createKillableNode(baseEnv: Record<string, string>): Promise<KillableNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sextant-killed-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  let said = '';

  async function kill(): Promise<void> {
    const killed = child;
    child = undefined;
    // One that ended by itself has no exit to wait for.
    if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
    const exit = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exit;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    async start(more = {}) {
      const env = {
        ...childEnv,
        AUTH_SECRET: testSecret,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: 'silent',
        // A node that follows the market works most of a second more at each start, and so does the simulated exchange.
        MARKET_STREAMS: 'off',
        ...baseEnv,
        ...more,
      };
      child = spawn(process.execPath, [...startFlags, 'server/src/main.ts'], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      said = '';
      const url = Promise.withResolvers<undefined>();
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (text: Buffer) => {
          said += String(text);
          if (said.includes('http://')) url.resolve(undefined);
        });
      }
      const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the node ended: ${said}`)));
      ended.catch(() => undefined);
      await Promise.race([url.promise, ended]);
    },
    kill,
    signal: (name) => void child?.kill(name),
    pid: () => child?.pid,
    said: () => said,
    async close() {
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
