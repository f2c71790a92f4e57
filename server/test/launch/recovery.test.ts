import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMemoryFolder } from '../support/memoryFolder.ts';
import { freePort } from '../../launch/freePort.ts';
import { killHard, type Launched, launchReady, postgresPids, sendSignal, start } from './launcher.ts';

// Processes are found through /proc; the product itself does not need it.
const isLinux = process.platform === 'linux';
/** More with `npm run test:statistics`. */
const roundCount = Number(process.env['CRASHES'] ?? 3);

let dataDir: string;
let running: Launched | undefined;
beforeEach(async () => {
  dataDir = await makeMemoryFolder('launch');
});
afterEach(async () => {
  if (running !== undefined) killHard([running.pid]);
  killHard(postgresPids(dataDir));
  running = undefined;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

interface Writer {
  bearer: { authorization: string };
  email: string;
  /** The last value the server acknowledged, and the last one that was sent. */
  acknowledged: number;
  sent: number;
}

const request = (launched: Launched, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${launched.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function makeWriter(launched: Launched, index: number): Promise<Writer> {
  const email = `writer${index}@example.com`;
  const response = await request(launched, 'POST', '/api/auth/signup', {}, { email, password: 'correct horse' });
  const { token } = (await response.json()) as { token: string };
  return { bearer: { authorization: `Bearer ${token}` }, email, acknowledged: 0, sent: 0 };
}

/** Writes increasing numbers until the connection breaks. */
async function writeUntilKilled(launched: Launched, writer: Writer): Promise<void> {
  for (;;) {
    writer.sent += 1;
    try {
      const response = await request(launched, 'PUT', '/api/preferences', writer.bearer, { balance_usdt: writer.sent });
      if (response.status === 200) writer.acknowledged = writer.sent;
      await response.arrayBuffer();
    } catch {
      return;
    }
  }
}

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

describe.skipIf(!isLinux)('kill -9', () => {
  it(
    `of everything, ${roundCount} times under writes: the next start recovers and no acknowledged row is lost`,
    { timeout: 600_000 },
    async () => {
      const seed = Date.now() % 1_000_000;
      process.stdout.write(`kill moments from seed ${seed}\n`);
      running = await launchReady({ DATA_DIR: dataDir });
      const writers = await Promise.all([0, 1, 2, 3].map((index) => makeWriter(running!, index)));
      const adopted = { count: 0 };
      for (let round = 0; round < roundCount; round += 1) {
        const writing = writers.map((writer) => writeUntilKilled(running!, writer));
        // Wait until every writer got a response, however slow the machine is.
        const before = writers.map(({ acknowledged }) => acknowledged);
        while (writers.some(({ acknowledged }, i) => acknowledged === before[i])) await pause(5);
        await pause((seed + round * 7919) % 300);
        // Every third round leaves the database running without its parent: the next start adopts it.
        const isOrphaned = round % 3 === 2;
        const database = postgresPids(dataDir);
        killHard([running.pid, ...(isOrphaned ? [] : database)]);
        await Promise.all(writing);
        await running.exit;
        running = await launchReady({ DATA_DIR: dataDir });
        if (isOrphaned && postgresPids(dataDir)[0] === database[0]) adopted.count += 1;
        for (const writer of writers) {
          const response = await request(running, 'GET', '/api/preferences', writer.bearer);
          const { balance_usdt: stored } = (await response.json()) as { balance_usdt: number };
          expect(response.status).toBe(200);
          expect(stored).toBeGreaterThanOrEqual(Math.max(writer.acknowledged, 1));
          expect(stored === 1000 || stored <= writer.sent).toBe(true);
        }
      }
      expect(adopted.count).toBe(Math.floor(roundCount / 3));
      expect(writers.reduce((sum, writer) => sum + writer.acknowledged, 0)).toBeGreaterThan(roundCount);
      running.signal('SIGTERM');
      expect(await running.exit).toBe(0);
      expect(postgresPids(dataDir)).toEqual([]);
    },
  );

  it('of the first start at any moment leaves nothing that stops the next one', { timeout: 300_000 }, async () => {
    const port = String(await freePort());
    const home = join(dataDir, 'postgres');
    const listed = () => (existsSync(home) ? readdirSync(home) : []);
    let before: string[] = [];
    const attempts = () => listed().filter((name) => name.startsWith('init.') && !before.includes(name));
    const initdbPids = () =>
      attempts().flatMap((name) => {
        const path = join(home, name, 'initdb.pid');
        return existsSync(path) ? [Number(readFileSync(path, 'utf8'))] : [];
      });
    // Moments are observed, not timed, so they occur at the same step on any machine.
    const moments: [string, () => boolean][] = [
      ['the folder is there', () => existsSync(home)],
      ['initdb has started', () => initdbPids().length > 0],
      ['initdb is half way', () => attempts().some((name) => existsSync(join(home, name, 'data/global')))],
      ['the data folder is whole', () => existsSync(join(home, 'data'))],
      ['the database starts', () => existsSync(join(home, 'data/postmaster.pid'))],
    ];
    for (const [what, hasCome] of moments) {
      before = listed();
      const first = start({ DATA_DIR: dataDir, PORT: port });
      await expect.poll(hasCome, { timeout: 120_000, interval: 1, message: what }).toBe(true);
      killHard([first.child.pid!]);
      await first.exit;
    }
    running = await launchReady({ DATA_DIR: dataDir });
    await makeWriter(running, 1);
    expect(listed().filter((name) => name.startsWith('init.') || name.startsWith('data.'))).toEqual([]);
    running.signal('SIGTERM');
    expect(await running.exit).toBe(0);
  });

  it(
    'of the database alone, even with a lingering process: 503 until the launcher restarts it, and no acknowledged data is lost',
    { timeout: 300_000 },
    async () => {
      running = await launchReady({ DATA_DIR: dataDir });
      const writer = await makeWriter(running, 1);
      const statuses = new Set<number>();
      const read = async (): Promise<number | undefined> => {
        const response = await request(running!, 'GET', '/api/preferences', writer.bearer);
        const body = (await response.json()) as { balance_usdt?: number };
        statuses.add(response.status);
        return body.balance_usdt;
      };
      const timesIn = (text: string, part: string) => text.split(part).length - 1;
      /** Kills all database processes but one, whose shared memory makes the first restarts fail. */
      const killAllButOne = async (): Promise<number> => {
        // The oldest child serves no session, so the sessions of the server and the launcher break.
        const [postmaster = 0, lingering = 0, ...others] = postgresPids(dataDir);
        const rejections = () =>
          timesIn(readFileSync(join(dataDir, 'postgres/postgres.log'), 'utf8'), 'shared memory block');
        const before = rejections();
        expect(sendSignal(lingering, 'SIGSTOP')).toBe(true);
        killHard([postmaster, ...others]);
        await expect.poll(rejections, { timeout: 60_000 }).toBeGreaterThan(before);
        return lingering;
      };
      const everyProcess = () => Promise.resolve(postgresPids(dataDir));
      const theLastOne = async () => [await killAllButOne()];
      for (const [index, toKill] of [everyProcess, theLastOne].entries()) {
        const value = Math.floor(Math.random() * 10_000) + 1;
        const put = await request(running, 'PUT', '/api/preferences', writer.bearer, { balance_usdt: value });
        expect(put.status).toBe(200);
        killHard(await toKill());
        // Polls rarely enough that a slow restart of the database does not use up the rate limit of the address.
        await expect.poll(read, { timeout: 60_000, interval: 500 }).toBe(value);
        // Wait for the launcher's report, which may follow the server's recovery: a second kill before it would yield only one report.
        await expect
          .poll(() => timesIn(running!.output(), 'the database is back'), { timeout: 30_000 })
          .toBe(index + 1);
      }
      expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
      // Stopped while it restarts the database, it leaves no process behind.
      const [before] = postgresPids(dataDir);
      killHard(postgresPids(dataDir));
      // An attempt that meets the shared memory of the killed database ends within milliseconds, with its pid file: then stop the next one.
      const stopped: number[] = [];
      const stopNext = (): number[] => {
        const [pid] = postgresPids(dataDir);
        if (pid !== undefined && pid !== before && sendSignal(pid, 'SIGSTOP')) stopped.push(pid);
        return stopped;
      };
      await expect.poll(stopNext, { timeout: 60_000, interval: 1 }).toHaveLength(1);
      running.signal('SIGTERM');
      await Promise.race([running.exit, pause(1500)]);
      for (const pid of stopped) sendSignal(pid, 'SIGCONT');
      expect(await running.exit).toBe(0);
      expect(postgresPids(dataDir)).toEqual([]);
    },
  );
});
