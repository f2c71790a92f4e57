import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv, startFlags } from './childEnv.ts';
import { testSecret } from './globalDatabase.ts';
import { freePort } from '../../launch/freePort.ts';

/** A whole node in a child process, to be killed by tests. */
export interface KillableNode {
  /** Its port stays the same across starts. */
  url: string;
  /** Its secrets and pictures; a second node shares them by DATA_DIR. */
  dataDir: string;
  /** Resolves when it listens. */
  start: (env?: Record<string, string>) => Promise<void>;
  /** SIGKILL: no cleanup, no notification. */
  kill: () => Promise<void>;
  /** SIGSTOP freezes the process with its connections open, SIGCONT resumes it. SIGUSR2: see blockThread.mjs. */
  signal: (name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2') => void;
  pid: () => number | undefined;
  /** Its output since the start. */
  said: () => string;
  close: () => Promise<void>;
}

const root = join(import.meta.dirname, '../../..');

/** @param baseEnv `MARKET_STREAMS: 'on'` for a test that needs streamed prices */
export async function createKillableNode(baseEnv: Record<string, string>): Promise<KillableNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sextant-killed-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  let said = '';

  async function kill(): Promise<void> {
    const killed = child;
    child = undefined;
    // A process that has already ended emits no exit event.
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
        // Streaming the market costs most of a second at each start, for the node and for the simulated exchange.
        MARKET_STREAMS: 'off',
        // Without a gateway a node of one role requests the exchanges itself.
        MARKET_GATEWAY: 'off',
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
