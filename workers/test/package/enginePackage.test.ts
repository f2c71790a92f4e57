import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packEngine } from '../../package/pack.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { backtestFromWire, BacktestRequestWire, rulesFromWire } from '../../src/protocol/wire/backtest.ts';
import { optimizeFromWire, OptimizeRequestWire } from '../../src/protocol/wire/optimize.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest } from '../support/randomRuns.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const PACKED_BYTES_MAX = 1_000_000;

/** An empty folder in which the packed file is the only package. */
let folder: string;
let packed: string;
beforeAll(async () => {
  await testEngine();
  folder = await mkdtemp(join(tmpdir(), 'sextant-package-'));
  packed = await packEngine(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: folder });
}, engineTimeoutMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in that folder, in an environment without the one of the repository, and returns its output. */
async function inFolder(source: string, name = 'program.mjs'): Promise<string> {
  await writeFile(join(folder, name), source);
  const { stdout } = await run(process.execPath, [name], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

const columnsOf = (candles: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, [...(column as number[])]])),
  );

describe('@sextant/engine in an empty folder', () => {
  it('PKG-001 is one file below a megabyte, without other packages', async () => {
    expect((await stat(packed)).size).toBeLessThan(PACKED_BYTES_MAX);
    const manifest = await readFile(join(folder, 'node_modules/@sextant/engine/package.json'), 'utf8');
    expect(JSON.parse(manifest)).not.toHaveProperty('dependencies');
    // What npm calls the unpacked size: the bytes of the files.
    const installed = join(folder, 'node_modules/@sextant/engine');
    const entries = await readdir(installed, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(PACKED_BYTES_MAX);
  });

  it('PKG-112 the command stores its compiled code in the package, and starts from it', async () => {
    const stored = join(folder, 'node_modules/@sextant/engine/dist/.code-cache');
    const command = 'node_modules/@sextant/engine/bin/sextant.js';
    const { NODE_COMPILE_CACHE: _cache, ...plain } = process.env;
    const start = async () => (await run(process.execPath, [command, '--help'], { cwd: folder, env: plain })).stdout;
    const first = await start();
    const filesIn = async () =>
      (await readdir(stored, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    expect((await filesIn()).length).toBeGreaterThan(0);
    expect(await start()).toBe(first);
    // The user's own cache comes first.
    await rm(stored, { recursive: true });
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'own-cache') };
    await run(process.execPath, [command, '--help'], { cwd: folder, env });
    await expect(stat(stored)).rejects.toThrow('ENOENT');
  });

  it.runIf(process.getuid?.() === 0)('PKG-113 the command stores nothing in a package of another user', async () => {
    const command = join(folder, 'node_modules/@sextant/engine/bin/sextant.js');
    const { uid, gid } = await stat(command);
    const { NODE_COMPILE_CACHE: _cache, ...plain } = process.env;
    const stored = join(folder, 'node_modules/@sextant/engine/dist/.code-cache');
    await rm(stored, { recursive: true, force: true });
    try {
      await chown(command, 65_534, 65_534);
      await run(process.execPath, [command, '--help'], { cwd: folder, env: plain });
      await expect(stat(stored)).rejects.toThrow('ENOENT');
    } finally {
      await chown(command, uid, gid);
    }
    await run(process.execPath, [command, '--help'], { cwd: folder, env: plain });
    expect((await stat(stored)).isDirectory()).toBe(true);
  });

  it('PKG-002 gives the bits of the product: own rules, classic rules and a search on two threads', async () => {
    const { candles } = randomBacktest(11, 3);
    const columns = columnsOf(candles);
    const rules = 'long when rsi(5) < 45\nexit long when rsi(5) > 55\nstop 3 %';
    const search = { optimize: { samples: 1200, seed: 5, guide: true, trainOn: 'scored' } };
    const output = await inFolder(`
      import { createEngine } from '@sextant/engine';
      const candles = ${columns};
      const engine = await createEngine({ threads: 2 });
      const own = await engine.backtest({ candles, rules: ${JSON.stringify(rules)}, interval: '1h' });
      const classic = await engine.backtest({ candles });
      const { best, trials, refined, leaders } = await engine.optimize({ candles, ...${JSON.stringify(search)} });
      const search = { best: best.scored.hashes, value: [...trials.value], refined: [...refined.value], leaders };
      console.log(JSON.stringify({ hash: engine.hash, own: own.hashes, classic: classic.hashes, search }));
      await engine.close();
    `);
    const engine = startEngine(await testEngine());
    const sent = { candles: JSON.parse(columns) as object };
    const ownWire = BacktestRequestWire.parse({ ...sent, rules, interval: '1h' });
    const { params: _params, ...market } = backtestFromWire(ownWire);
    const ownRules = rulesFromWire(ownWire);
    const own = runTask(engine, { name: 'backtestStrategy', input: { ...market, ...ownRules! } });
    const classic = runTask(engine, { name: 'backtest', input: backtestFromWire(BacktestRequestWire.parse(sent)) });
    const searched = runTask(engine, {
      name: 'optimize',
      input: optimizeFromWire(OptimizeRequestWire.parse({ ...sent, ...search })),
    });
    const { best, trials, refined, leaders } = valueOf(searched as TaskResult<OptimizeResult>);
    expect(JSON.parse(output)).toEqual(
      JSON.parse(
        JSON.stringify({
          hash: engine.hash,
          own: valueOf(own as TaskResult<BacktestResult>).hashes,
          classic: valueOf(classic as TaskResult<BacktestResult>).hashes,
          search: { best: best?.scored.hashes, value: [...trials.value], refined: [...refined.value], leaders },
        }),
      ),
    );
  }, 120_000);

  it('PKG-003 rejects bad input by its field, cancels, and runs again afterwards', async () => {
    const { candles } = randomBacktest(11, 4);
    const output = await inFolder(`
      import { createEngine, EngineError } from '@sextant/engine';
      const candles = ${columnsOf(candles)};
      const engine = await createEngine({ threads: 1 });
      const failures = [];
      const rejected = (work) => work.then(() => failures.push('ran'), (error) =>
        failures.push(error instanceof EngineError ? [error.code, error.field ?? null] : String(error)));
      await rejected(engine.backtest({ candles, costs: { leverage: 9999 } }));
      await rejected(engine.backtest({ candles, rules: 'long when rsl(14) < 30', interval: '1h' }));
      await rejected(engine.backtest({ candles: { ...candles, high: candles.high.slice(1) } }));
      await rejected(engine.indicators({ candles, indicators: ['nothing'] }));
      const stop = new AbortController();
      const long = rejected(engine.optimize({ candles, optimize: { samples: 1_000_000, trainOn: 'scored' } }, { signal: stop.signal }));
      setTimeout(() => stop.abort(), 50);
      await long;
      const { summary } = await engine.backtest({ candles });
      await engine.close();
      await rejected(engine.backtest({ candles }));
      console.log(JSON.stringify({ failures, trades: summary.tradeCount >= 0 }));
    `);
    expect(JSON.parse(output)).toEqual({
      failures: [
        ['bad_input', 'costs.leverage'],
        ['bad_input', 'rules'],
        ['bad_input', 'candles.high'],
        ['bad_input', 'indicators[0].id'],
        ['cancelled', null],
        ['cancelled', null],
      ],
      trades: true,
    });
  }, 60_000);

  it('PKG-004 runs every example of its README', async () => {
    const text = await readFile(join(root, 'workers/package/README.md'), 'utf8');
    const examples = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(3);
    const output = await inFolder(examples.join('\n'), 'readme.mjs');
    const lines = output.trim().split('\n');
    expect(lines).toHaveLength(examples.length + 1);
    expect(lines.at(-1)).toMatch(/^bad_input costs\.leverage costs\.leverage: /);
    for (const line of lines) expect(line).not.toMatch(/undefined|NaN/);
  }, 120_000);

  it('PKG-005 has types that a strict program compiles with', async () => {
    await writeFile(
      join(folder, 'typed.ts'),
      `import { createEngine, type BacktestResult, type CandleColumns, EngineError } from '@sextant/engine';
export async function netOf(candles: CandleColumns): Promise<number> {
  const engine = await createEngine({ threads: 1 });
  const result: BacktestResult = await engine.backtest({ candles, rules: 'long when rsi(14) < 30' });
  const series = await engine.indicators({ candles, indicators: ['rsi'] });
  const first: number | undefined = series['rsi']?.['rsi']?.[0];
  // @ts-expect-error a name that does not exist
  await engine.backtest({ candles, rulez: 'long when rsi(14) < 30' });
  return first === undefined || new EngineError({ code: 'bad_input', message: '' }).field === 'x' ? 0 : result.summary.netPnl;
}
`,
    );
    const compiler = join(root, 'node_modules/typescript7/bin/tsc');
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'typed.ts'];
    const checked = await run(process.execPath, [compiler, ...strict], { cwd: folder }).catch(
      (failure: unknown) => failure as { stdout: string },
    );
    expect(checked.stdout).toBe('');
  }, 60_000);

  it('PKG-006 has a command: the tasks of the repository, JSON in, JSON out', async () => {
    const command = join(folder, 'node_modules/.bin/sextant');
    const { stdout } = await run(command, ['--help'], { cwd: folder });
    expect(stdout).toContain('npx sextant backtest < input.json');
    const piped = execFile(command, ['indicators'], { cwd: folder });
    const { candles } = randomBacktest(11, 3);
    piped.stdin?.end(JSON.stringify({ candles: JSON.parse(columnsOf(candles)) as object, indicators: ['sma20'] }));
    let text = '';
    for await (const part of piped.stdout ?? []) text += String(part);
    expect(JSON.parse(text)).toHaveProperty('sma20');
  }, 60_000);

  it('NODE-082 has no doctor: that reads an installation', async () => {
    const command = join(folder, 'node_modules/.bin/sextant');
    await expect(run(process.execPath, [command, 'doctor'], { cwd: folder })).rejects.toMatchObject({
      code: 2,
      stderr: 'doctor: run it in the folder of a Sextant installation\n',
    });
  });

  it('PKG-025 searches by its command on two threads, to the bits of one, and writes every set', async () => {
    const command = join(folder, 'node_modules/.bin/sextant');
    const { candles } = randomBacktest(11, 3);
    const request = {
      candles: JSON.parse(columnsOf(candles)) as object,
      optimize: { samples: 1200, trainOn: 'scored' },
    };
    const outputs = [];
    for (const threads of ['1', '2']) {
      const piped = execFile(command, ['optimize', '--threads', threads, '--sets', `sets${threads}.jsonl`], {
        cwd: folder,
      });
      piped.stdin?.end(JSON.stringify(request));
      let text = '';
      for await (const part of piped.stdout ?? []) text += String(part);
      outputs.push(text);
    }
    expect(JSON.parse(outputs[0] ?? '')).toHaveProperty('best.hashes.engine');
    expect(outputs[1]).toBe(outputs[0]);
    const [one, two] = await Promise.all(
      ['sets1.jsonl', 'sets2.jsonl'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(one?.split('\n').length).toBeGreaterThan(1200);
    expect(two).toBe(one);
  }, 120_000);
});

function valueOf<T>(result: TaskResult<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.error.message);
}
