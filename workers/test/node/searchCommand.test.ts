import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../package/src/threads.ts';
import { candleFields } from '../../src/candles/candleColumns.ts';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import { progressLine } from '../../src/node/progressLine.ts';
import { type CommandHost, respondToTask } from '../../src/node/respondToTask.ts';
import { npzOf } from '../../src/node/setTable.ts';
import { canonicalText } from '../../src/proof/canonicalJson.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { testSigner, unsignedProof } from '../support/proofs.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

const run = promisify(execFile);
const hasNumpy = await run('python3', ['-c', 'import numpy']).then(
  () => true,
  () => false,
);

let compiled: CompiledEngine;
let folder: string;
beforeAll(async () => {
  compiled = await testEngine();
  folder = await mkdtemp(join(tmpdir(), 'sextant-search-'));
}, engineTimeoutMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

const columns = randomCandles(seededRandom(11), 300);
const candles = Object.fromEntries(candleFields.map((name) => [name, Array.from(columns[name])]));
const optimize = { samples: 700, seed: 5, guide: true, trainOn: 'scored', walkForward: { folds: 2 } };
const request = { candles, params: { weights: { rsi: 0.7, macd: 1 }, slPct: 0.03 }, optimize };
const inFolder = (name: string): string => join(folder, name);

async function command(args: string[], input: unknown, host: CommandHost = {}) {
  const sent = typeof input === 'string' ? input : JSON.stringify(input);
  return respondToTask(
    args,
    () => Promise.resolve(sent),
    () => Promise.resolve(),
    host,
  );
}
async function json<T>(args: string[], input: unknown, host?: CommandHost): Promise<T> {
  const { code, stdout, stderr } = await command(args, input, host);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}
/** Three threads, each an engine in this process: what splits the work is under test, not the thread. */
const threads: CommandHost['openPool'] = (engine, count = 3) =>
  Promise.resolve(
    createThreads({
      engine,
      count,
      start() {
        const own = startEngine(compiled);
        let listen: Parameters<ReturnType<Parameters<typeof createThreads>[0]['start']>['onMessage']>[0] = () =>
          undefined;
        return {
          post: (sent) =>
            'message' in sent && void Promise.resolve().then(() => listen({ result: runTask(own, sent.message) })),
          onMessage: (listener) => void (listen = listener),
          onFailure: () => undefined,
          end: () => undefined,
        };
      },
    }),
  );

interface Found {
  best: { hashes: object };
  trials: { value: number[] };
  refined: { value: number[] };
  trialCount: number;
}

describe('optimize on threads', () => {
  it('PKG-025 gives the bytes of one thread on three, and reports its samples', async () => {
    const larger = { ...request, optimize: { ...optimize, samples: 2000 } };
    const alone = await command(['optimize'], larger);
    const reported: number[] = [];
    const onProgress = (done: number): void => void reported.push(done);
    const split = await command(['optimize', '--threads', '3'], larger, { openPool: threads, onProgress });
    expect(JSON.parse(split.stdout)).toEqual(JSON.parse(alone.stdout));
    expect([reported.length, reported.at(-1)]).toEqual([3, 2000]);
    expect((await command(['optimize', '--threads', '0'], request)).stderr).toContain(
      '--threads: a whole number from 1',
    );
  });

  it('PKG-025 writes a line of progress after a pause, rewritten on a terminal', () => {
    let now = 0;
    const written: string[] = [];
    const output = { isTTY: true, write: (text: string) => written.push(text) };
    const line = progressLine(output, () => now);
    line.report(1, 1000);
    now = 1000;
    line.report(250, 1000);
    line.end();
    expect(written.map((text) => text.trim())).toEqual(['250 of 1,000 sets, 3 s left', '']);
  });

  it('PKG-026 writes parameters and figures of every set as CSV, JSON lines and npz', async () => {
    const paths = ['sets.csv', 'sets.jsonl', 'sets.npz'].map(inFolder);
    const [found] = await Promise.all(paths.map((path) => json<Found>(['optimize', '--sets', path], request)));
    const [csv = '', jsonl = '', npz = ''] = await Promise.all(paths.map((path) => readFile(path, 'latin1')));
    expect(npz.match(/PK\x03\x04/g)).toHaveLength((csv.split('\n')[0] ?? '').split(',').length);
    const rows = jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, number | null>);
    const count = (found?.trials.value.length ?? 0) + (found?.refined.value.length ?? 0);
    expect(rows).toHaveLength(count);
    expect(rows.slice(0, 700).map(({ value }) => value)).toEqual(found?.trials.value);
    expect(rows.slice(700).map(({ value }) => value)).toEqual(found?.refined.value);
    expect(rows[700]).toMatchObject({ isRefined: 1, index: 0 });
    // Set 0 is the one of the request.
    expect(rows[0]).toMatchObject({ isRefined: 0, 'set.stopLoss': 0.03, 'weight.rsi': 0.7 });
    const [names = '', first = ''] = csv.split('\n');
    expect(names.split(',')).toEqual(Object.keys(rows[0] ?? {}));
    expect(first.split(',').map((cell) => (cell === '' ? null : Number(cell)))).toEqual(Object.values(rows[0] ?? {}));
    expect((await command(['optimize', '--sets', 'sets.txt'], request)).stderr).toContain('.csv, .jsonl or .npz');
  });

  it.skipIf(!hasNumpy)('PKG-026 writes archives that NumPy reads', async () => {
    const path = inFolder('numpy.npz');
    const { trials, refined } = await json<Found>(['optimize', '--sets', path], request);
    const program = 'import sys, numpy; a = numpy.load(sys.argv[1])["value"]; print(a.shape[0], repr(float(a[0])))';
    const { stdout } = await run('python3', ['-c', program, path]);
    expect(stdout.trim()).toBe(`${trials.value.length + refined.value.length} ${String(trials.value[0])}`);
  });

  it('PKG-026 lays out a npz archive as the formats of ZIP and NumPy say', () => {
    const bytes = npzOf([['a', Float64Array.of(1.5, -2)]]);
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    expect(bytes.subarray(30, 35).toString('latin1')).toBe('a.npy');
    expect(bytes.subarray(35, 41).toString('latin1')).toBe('\x93NUMPY');
    const start = 35 + 10 + bytes.readUInt16LE(35 + 8);
    expect((start - 35) % 64).toBe(0);
    expect([bytes.readDoubleLE(start), bytes.readDoubleLE(start + 8)]).toEqual([1.5, -2]);
  });

  it('PKG-027 continues a stopped search, also after a torn write, to the result of one that was not stopped', async () => {
    const path = inFolder('long.search');
    const whole = await command(['optimize'], request);
    const first = await command(['optimize', '--resume', path], request, { openPool: threads });
    expect(JSON.parse(first.stdout)).toEqual(JSON.parse(whole.stdout));
    // As a kill leaves it: the end of the last part is missing.
    const { size } = await stat(path);
    await truncate(path, size - 1000);
    const done: number[] = [];
    const onProgress = (count: number): void => void done.push(count);
    const again = await command(['optimize', '--resume', path], request, { onProgress });
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(whole.stdout));
    expect(done[0]).toBeLessThan(700);
    // Complete: no sample is run again.
    done.length = 0;
    await appendFile(path, Buffer.from('torn'));
    const complete = await command(['optimize', '--resume', path], request, { onProgress });
    expect(JSON.parse(complete.stdout)).toEqual(JSON.parse(whole.stdout));
    expect(done).toEqual([700]);
    const nowhere = await command(['optimize', '--resume', join(folder, 'none', 'a')], request);
    expect(nowhere.stderr).toContain('a cannot be written (ENOENT)');
    const other = await command(['optimize', '--resume', path], { ...request, optimize: { ...optimize, seed: 6 } });
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain('belongs to another search');
  });
});

describe('other tasks of the command line', () => {
  it('PKG-028 walks forward as the search does', async () => {
    const walked = await json<object>(['walk-forward'], request);
    expect(walked).toEqual((await json<{ walkForward: object }>(['optimize'], request)).walkForward);
  });

  it('PKG-028 resamples markets, and names the detectable Sharpe ratio by its formula', async () => {
    const made = await json<{ netPnl: number[]; blockLength: number }>(['monte-carlo'], {
      candles,
      marketCount: 20,
      blockLength: 10,
    });
    expect(made).toMatchObject({ blockLength: 10 });
    expect(made.netPnl).toHaveLength(20);
    // One trial: no luck to exceed, (z(.95) + z(.8)) / sqrt(400) = (1.644854 + 0.841621) / 20.
    const input = { trialCount: 1, barCount: 401, barMs: 3_600_000 };
    expect((await json<{ sharpePerBar: number }>(['detectable'], input)).sharpePerBar).toBeCloseTo(0.1243237, 6);
    expect((await command(['detectable'], { ...input, barCount: 1 })).stderr).toContain('barCount');
  });

  it('PKG-029 reads candles and rules from files, and rejects options by name', async () => {
    const start = Date.UTC(2025, 0, 1);
    const rows = columns.close
      .map((_, i) => i)
      .reduce<string[]>((lines, i) => {
        const cells = (['open', 'high', 'low', 'close', 'volume'] as const).map((name) => columns[name][i]);
        return [...lines, [start + i * 3_600_000, ...cells].join(',')];
      }, []);
    await writeFile(inFolder('c.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const rules = 'long when rsi(5) < 45\nexit long when rsi(5) > 55\nstop 3 %';
    await writeFile(inFolder('r.txt'), rules);
    const args = ['backtest', '--candles', inFolder('c.csv'), '--rules', inFolder('r.txt')];
    const time = columns.close.map((_, i) => start + i * 3_600_000);
    const sent = await json<{ hashes: object }>(['backtest'], {
      candles: { ...candles, time: Array.from(time) },
      rules,
    });
    expect((await json<{ hashes: object }>(args, '')).hashes).toEqual(sent.hashes);
    const rejected = async (...words: string[]) => (await command(words, { candles })).stderr.trim();
    expect(await rejected('backtest', '--candles', inFolder('c.csv'))).toContain('leave out "candles"');
    expect(await rejected('backtest', '--candles', inFolder('none.csv'))).toMatch(
      /^--candles: .*none\.csv cannot be read \(ENOENT\)$/,
    );
    expect(await rejected('backtest', '--sets', 'a.csv')).toBe(
      'backtest has no option --sets: it takes --candles, --rules',
    );
    expect(await rejected('optimize', '--sets')).toBe('--sets needs a value: --sets FILE');
    expect((await command(['--help'], '')).stdout).toContain('optimize --candles BTCUSDT-1h.csv');
  });

  it('PKG-017 verifies the file of a proof in one line, with the exit code of its verdict', async () => {
    const engine = startEngine(compiled);
    const { keys, signed } = testSigner();
    const text = canonicalText(signed(unsignedProof(engine)));
    await Promise.all([
      writeFile(inFolder('proof.json'), text),
      writeFile(inFolder('changed.json'), text.replace('"trials":41', '"trials":4')),
      writeFile(inFolder('keys.json'), JSON.stringify(keys)),
    ]);
    const good = await command(['verify', inFolder('proof.json'), '--keys', inFolder('keys.json')], '');
    expect(good.code).toBe(0);
    expect(good.stdout.split('\n')[0]).toBe(
      'Verified. Agrees: file, signature, key, engine, candles, rules and costs, result.',
    );
    const bad = await command(['verify', inFolder('changed.json')], '');
    expect([bad.code, bad.stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(
        /^Not verified\. Differs: signature\. Agrees: file, engine, candles, rules and costs, result\./,
      ),
    ]);
    expect((await command(['verify'], '')).stderr).toContain('verify FILE');
  });
});
