import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ResultLine, rounded } from '../results.ts';

const root = join(import.meta.dirname, '../../..');
const OUTCOMES_MIN = 20_000;
const GOAL_S = 120;
/** Measured on, so that a slow machine gets its figure too. */
const END_S = 900;
const POLL_MS = 500;

interface Board {
  engine: {
    resolved: number;
    calibration: { count: number; ece: number | null; bins: { count: number; interval: unknown }[] };
  };
  replay: { series: number; series_wanted: number } | null;
}
interface Signal {
  direction: string;
  chance: number | null;
  expected_net_pct: number | null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGINT');
  await gone;
}

/** Undefined while the server starts. */
async function read<T>(url: string, init: RequestInit = {}): Promise<T | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** The first scan of a new account, all its results. */
async function scanFirst(url: string): Promise<Signal[]> {
  const credentials = { email: 'first@example.com', password: 'correct horse' };
  const headers = { 'content-type': 'application/json', origin: url };
  const signedUp = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify(credentials),
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  if (!signedUp.ok) throw new Error(`sign-up: ${signedUp.status} ${await signedUp.text()}`);
  const own = { ...headers, cookie };
  const started = await fetch(`${url}/api/scan`, { method: 'POST', headers: own, body: '{}' });
  if (!started.ok) throw new Error(`scan: ${started.status} ${await started.text()}`);
  const { scan_id: id } = (await started.json()) as { scan_id: string };
  for (;;) {
    const body = await read<{ scan: { status: string; results: { all: Signal[] } | null } }>(`${url}/api/scan/${id}`, {
      headers: own,
    });
    if (body?.scan.status === 'done') return body.scan.results?.all ?? [];
    if (body !== undefined && !['queued', 'running'].includes(body.scan.status))
      throw new Error(`the scan ended as ${body.scan.status}`);
    await delay(POLL_MS);
  }
}

interface Replayed {
  board: Board;
  /** From the start of the process, seconds. */
  readyS: number;
  enoughS: number;
}

/** Waits until the record has enough outcomes, or the time is over. */
async function untilReplayed(child: ChildProcess, url: string): Promise<Replayed> {
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  let board: Board | undefined;
  let readyS = 0;
  while (seconds() < END_S && (board?.engine.resolved ?? 0) < OUTCOMES_MIN) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    await delay(POLL_MS);
    const newest = await read<Board>(`${url}/api/scoreboard?origin=replayed`);
    if (board === undefined && newest !== undefined) readyS = seconds();
    board = newest ?? board;
  }
  if (board === undefined) throw new Error('the server did not start');
  return { board, readyS, enoughS: seconds() };
}

const isStated = ({ chance, expected_net_pct: net }: Signal): boolean => chance !== null && net !== null;

/** What the goal demands and the run did not have. */
function failuresOf({ board, enoughS }: Replayed, bets: readonly Signal[]): string[] {
  const { resolved, calibration } = board.engine;
  const shown = calibration.bins.filter(({ count }) => count > 0);
  const stated = bets.filter(isStated);
  const checks: [isMet: boolean, failure: string][] = [
    [enoughS <= GOAL_S, `${resolved} outcomes after ${Math.round(enoughS)} s, the goal is ${GOAL_S} s`],
    [shown.length > 0 && shown.every(({ interval }) => interval !== null), 'no reliability curve with intervals'],
    [bets.length > 0 && stated.length === bets.length, `${stated.length} of ${bets.length} signals state a chance`],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, failure]) => failure);
}

/** From `npm start` in an empty folder, on the simulated market: when the record is replayed, and what the first scan states. */
export async function measureFirstStart(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const lines: ResultLine[] = [];
  const add = (name: string, figure: number, unit: string): void => {
    const line = { suite: 'first-start', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'sextant-first-start-'));
  const child = spawn(process.execPath, ['--max-old-space-size=320', 'server/launch/start.mjs'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    const replayed = await untilReplayed(child, url);
    add('ready', replayed.readyS, 's');
    add(`${OUTCOMES_MIN} replayed outcomes`, replayed.enoughS, 's');
    add('judged by the reliability curve', replayed.board.engine.calibration.count, 'signals');
    const bets = (await scanFirst(url)).filter(({ direction }) => direction !== 'NEUTRAL');
    add('signals of the first scan', bets.length, 'signals');
    add('with chance and expected value', bets.filter(isStated).length, 'signals');
    for (const mismatch of failuresOf(replayed, bets)) lines.push({ suite: 'first-start', case: 'goal', mismatch });
    return {
      lines,
      notes: [`Goal: ${OUTCOMES_MIN} replayed outcomes within ${GOAL_S} s of npm start, build included.`],
    };
  } finally {
    await stop(child);
    await rm(dataDir, { recursive: true, force: true });
  }
}
