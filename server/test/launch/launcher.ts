import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnv, startFlags } from '../support/childEnv.ts';
import { freePort } from '../../launch/freePort.ts';

const program = join(import.meta.dirname, 'launchWithoutBuild.ts');
const readyMs = 90_000;

export interface Launched {
  pid: number;
  url: string;
  output: () => string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  exit: Promise<number | string>;
  signal: (name: NodeJS.Signals) => void;
}

export interface Start {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | string>;
}

/** Starts the launcher with only PATH of our environment. Market requests go nowhere: no test here needs candles. */
export function start(env: Record<string, string>): Start {
  const child = spawn(process.execPath, [...startFlags, program], {
    env: { ...childEnv, EXCHANGES_URL: 'http://127.0.0.1:9', MARKET_STREAMS: 'off', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exit = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? -1)),
  );
  return { child, output: () => text, exit };
}

/** The last line of a start's output; earlier output may arrive in pieces. */
const lastLine = /^ {2}database {2}.*\n/m;

/** Starts the launcher and waits until it reports that it is ready. */
export async function launchReady(env: Record<string, string>): Promise<Launched> {
  const port = env['PORT'] ?? String(await freePort());
  const { child, output, exit } = start({ ...env, PORT: port });
  const endsAt = Date.now() + readyMs;
  const end = { hasCome: false };
  void exit.then(() => (end.hasCome = true));
  while (!lastLine.test(output())) {
    if (end.hasCome || Date.now() > endsAt) throw new Error(`the launcher did not get ready: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const pid = child.pid!;
  return { pid, url: `http://127.0.0.1:${port}`, output, exit, signal: (name) => void process.kill(pid, name) };
}

/** Parent and start time of a process; the start in ticks since the machine's boot. */
function readStat(pid: number): { pid: number; parent: number; startedAt: number } {
  try {
    // After the name: state, parent, and seventeen more fields before the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { pid, parent: Number(fields[1]), startedAt: Number(fields[19]) };
  } catch {
    return { pid, parent: 0, startedAt: 0 };
  }
}

/** The postmaster of a data folder and its backends, the oldest first; empty when none runs. */
export function postgresPids(dataDir: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
    // The file is empty for a moment when a postmaster starts. Pid 0 would mean the process group of this test.
    if (!(postmaster > 0)) return [];
    process.kill(postmaster, 0);
  } catch {
    return [];
  }
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .map(readStat);
  const backends = all.filter(({ parent }) => parent === postmaster);
  // By start time, then by pid: pids wrap around.
  backends.sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid);
  return [postmaster, ...backends.map(({ pid }) => pid)];
}

/** Whether the process existed. @throws RangeError for 0 and below: they name process groups, 0 that of the test itself */
export function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  if (!(pid > 0)) throw new RangeError(`no process has the number ${pid}`);
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** kill -9; ignores processes that have ended. */
export function killHard(pids: number[]): void {
  for (const pid of pids) sendSignal(pid, 'SIGKILL');
}
