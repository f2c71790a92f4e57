import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respondToTask } from '../../src/node/respondToTask.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest } from '../support/randomRuns.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const folderOfSources = join(root, 'workers/package/python');

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import numpy, pip'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Skipped, and reported as skipped, where python3, pip or numpy is missing. */
describe.skipIf(!hasPython())('sextant for Python', () => {
  let folder: string;
  beforeAll(async () => {
    await testEngine();
    folder = await mkdtemp(join(tmpdir(), 'sextant-python-'));
    const { stdout } = await run('python3', [join(folderOfSources, 'pack.py'), folder]);
    const wheel = stdout.trim();
    expect((await stat(wheel)).size).toBeLessThan(50_000);
    const target = ['--target', join(folder, 'site'), '--no-index', '--no-deps', '--disable-pip-version-check'];
    await run('python3', ['-m', 'pip', 'install', '-q', ...target, wheel]);
  }, engineTimeoutMs);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Output of a Python program, with the sources of the command. */
  async function python(source: string): Promise<string> {
    await writeFile(join(folder, 'program.py'), source);
    const command = `${process.execPath} ${join(root, 'workers/package/bin/sextant.js')}`;
    const env = { ...process.env, PYTHONPATH: join(folder, 'site'), SEXTANT_COMMAND: command };
    const { stdout } = await run('python3', ['-W', 'error', 'program.py'], { cwd: folder, env });
    return stdout;
  }

  it('PKG-060 runs every example of its README from its wheel', async () => {
    const text = await readFile(join(folderOfSources, 'README.md'), 'utf8');
    const examples = [...text.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    const lines = (await python(examples.join('\n'))).trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['rsi', 'trades', 'sets', 'luck', 'error']);
    expect(lines[1]).toMatch(/^trades [1-9]\d* net -?\d.* equity \(\d+,\)$/);
    // Every sample, and as many refinements as the stages draw.
    expect(Number(lines[2]?.split(' ')[1])).toBeGreaterThan(500);
    expect(lines[4]).toMatch(/^error costs\.leverage/);
  }, 300_000);

  it('PKG-061 gives arrays with the bits of the command line, NaN where a value is not defined', async () => {
    const { candles } = randomBacktest(11, 3);
    const sent = Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, [...(column as number[])]]));
    const request = {
      candles: sent,
      rules: 'long when rsi(5) < 45\nexit long when rsi(5) > 55\nstop 3 %',
      interval: '1h',
    };
    await writeFile(join(folder, 'request.json'), JSON.stringify(request));
    const output = await python(`
import json, warnings, numpy as np, sextant
warnings.simplefilter("ignore")
request = json.load(open("request.json"))
candles = {name: np.array(column) for name, column in request.pop("candles").items()}
engine = sextant.Engine()
run = engine.backtest(candles, **request)
rsi = engine.indicators(candles, ["rsi"])["rsi"]["rsi"]
assert rsi.dtype == np.float64 and np.isnan(rsi[0]) and not np.isnan(rsi[-1])
records = np.rec.fromarrays(list(candles.values()), names=list(candles))
again = engine.backtest(records, **request)
assert again["hashes"] == run["hashes"]
print(json.dumps({"hashes": run["hashes"], "equity": run["equity"].tolist(), "rsi": rsi[-5:].tolist()}))
`);
    const task = async (name: string, input: object): Promise<Record<string, unknown>> => {
      const { stdout } = await respondToTask(
        [name],
        () => Promise.resolve(JSON.stringify(input)),
        () => Promise.resolve(),
      );
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { hashes, equity } = await task('backtest', request);
    const { rsi } = (await task('indicators', { candles: sent, indicators: ['rsi'] })) as { rsi: { rsi: number[] } };
    expect(JSON.parse(output)).toEqual({ hashes, equity, rsi: rsi.rsi.slice(-5) });
  }, 300_000);

  it('PKG-062 rejects what cannot run: a missing column, a number that is not finite, a command that is not there', async () => {
    const output = await python(`
import numpy as np, sextant
candles = {name: np.ones(10) for name in ("time", "open", "high", "low", "close", "volume")}
def rejected(work):
    try:
        work()
        print("ran")
    except sextant.SextantError as error:
        print(error)
engine = sextant.Engine()
rejected(lambda: engine.backtest({name: candles[name] for name in list(candles)[:5]}))
rejected(lambda: engine.backtest({**candles, "close": np.full(10, np.nan)}))
rejected(lambda: engine.task("nothing", {}))
rejected(lambda: engine.detectable(0, 100, 3_600_000))
rejected(lambda: sextant.Engine(command=["no-such-command"]).detectable(1, 100, 3_600_000))
rejected(lambda: sextant.Engine(timeout=0.001).detectable(1, 100, 3_600_000))
print(engine.detectable(50, 626, 3_600_000)["luckPerBar"])
`);
    const lines = output.trim().split('\n');
    expect(lines[0]).toBe('candles: the columns volume are missing.');
    expect(lines[1]).toContain('not finite');
    expect(lines[2]).toContain('unknown task "nothing"');
    expect(lines[3]).toContain('trialCount');
    expect(lines[4]).toContain('no-such-command is not installed');
    expect(lines[5]).toContain('took longer than 0.001 s');
    // The luckiest of 50 is expected at 2.276 deviations of 1 / 25.
    expect(Number(lines[6])).toBeCloseTo(2.276 / 25, 3);
  }, 300_000);
});
