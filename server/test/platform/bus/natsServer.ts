import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../launch/freePort.ts';

const program = process.env['NATS_SERVER'] ?? 'nats-server';
/** Whether tests with NATS are skipped: its server is not installed (`apt-get install nats-server`). */
export const noNats = spawnSync(program, ['-v']).status !== 0;
if (noNats) process.stderr.write('nats-server is not installed: tests with NATS are skipped\n');

export interface NatsServer {
  url: string;
  /** Starts it on the same port. */
  start: () => Promise<void>;
  kill: () => Promise<void>;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });

/** @param login of its only user; anyone may connect when absent */
export async function createNatsServer(login?: { user: string; password: string }): Promise<NatsServer> {
  const port = await freePort();
  const rules = login === undefined ? [] : ['--user', login.user, '--pass', login.password];
  let child: ChildProcess | undefined;
  return {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      child = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...rules], { stdio: 'ignore' });
      while (!(await isOpen(port))) await pause(20);
    },
    async kill() {
      const killed = child;
      child = undefined;
      if (killed === undefined || killed.exitCode !== null) return;
      const exit = once(killed, 'exit');
      killed.kill('SIGKILL');
      await exit;
    },
  };
}
