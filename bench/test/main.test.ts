import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatRun } from '../src/results.ts';
import { suites } from '../src/suites/catalogue.ts';

const main = join(import.meta.dirname, '../src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

function results(name: string, ratio: number, commit = 'aaaaaaa'): string {
  const environment = { node: 'v24', cpu: 'c', cores: 2, commit, engine: 'e', load1: 0, date: '2026-01-01' };
  const line = { suite: 's', case: 'rsi', figure: 1, unit: 'ns', against: 'typescript', ratio, margin: 0.01 };
  const path = join(folder, name);
  writeFileSync(path, formatRun({ environment, lines: [line] }), { flag: 'a' });
  return path;
}

describe('npm run bench', () => {
  it('lists every suite with its question', () => {
    const { status, stdout } = bench();
    expect(status).toBe(0);
    for (const { name, question } of suites) expect(stdout).toContain(`${name.padEnd(13)}  ${question}`);
  });

  it('names the suites when there is no such suite', () => {
    const { status, stderr } = bench('nonsense');
    expect(status).toBe(1);
    expect(stderr).toContain('no suite "nonsense"; there are indicators, ');
  });

  it('PKG-080 names the engine file that the suite engine needs, and no other suite takes', () => {
    const missing = bench('engine');
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain('engine needs --candidate and a wasm file');
    const other = bench('indicators', '--candidate', 'engine.wasm');
    expect(other.status).toBe(1);
    expect(other.stderr).toContain('--candidate and --against are of the suite engine');
  });

  it('rejects an unknown flag in one line', () => {
    const { status, stderr } = bench('indicators', '--fast');
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('npm run bench -- compare', () => {
  it('ends with 0 when nothing got worse', () => {
    const { status, stdout } = bench('compare', results('a', 2), results('b', 2.5));
    expect(stdout).toContain('better  s/rsi against typescript: 2x -> 2.5x (25.0 %');
    expect(status).toBe(0);
  });

  it('ends with 1 when a ratio fell beyond the margins', () => {
    const { status, stdout } = bench('compare', results('c', 2), results('d', 1.5), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ case: 'rsi', before: 2, after: 1.5, verdict: 'worse' });
    expect(status).toBe(1);
  });

  it('takes the last run of a file, or that of a commit', () => {
    const path = results('e', 2, 'aaaaaaa');
    results('e', 3, 'bbbbbbb');
    expect(bench('compare', `${path}@aaa`, path).stdout).toContain('2x -> 3x');
    expect(bench('compare', `${path}@ccc`, path)).toMatchObject({
      status: 1,
      stderr: `${path} holds no run of commit ccc\n`,
    });
  });

  it('says what it needs', () => {
    const { status, stderr } = bench('compare', 'one');
    expect(status).toBe(1);
    expect(stderr).toContain('compare needs two results files');
  });
});
