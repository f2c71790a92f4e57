import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../steps.ts';

/** The rules that each line of the sample breaks. */
const planted: readonly [rule: string, line: string][] = [
  ['house(named-exports)', 'export default 3;'],
  ['house(no-barrels)', "export * from '../steps.ts';"],
  ['house(no-re-exports)', "export { root } from '../steps.ts';"],
  ['house(no-packed-spread)', 'export const packed = { a: 1, ...{ b: 2, c: 3 } };'],
  ['house(no-packed-list)', "export const list = [...['a', 'b'], 'c'];"],
  ['house(no-packed-list)', "export const fixed = [...(['a', 'b'] as const), 'c'];"],
  ['house(no-packed-arguments)', 'export const most = Math.max(...[1, 2], 3);'],
  ['house(one-result)', 'export interface Outcome { ok: true; found: number }'],
  ['house(locale-of-formatter)', 'export const format = new Intl.NumberFormat();'],
  ['house(locale-of-call)', 'export const text = (1).toLocaleString();'],
  ['house(locale-of-call)', "export const order = 'a'.localeCompare('b');"],
  ['typescript(no-floating-promises)', 'Promise.resolve(1);'],
  ['typescript(no-misused-promises)', 'if (Promise.resolve(true)) await Promise.resolve();'],
  ['typescript(no-unnecessary-condition)', "export const length = 'a'?.length;"],
  ['typescript(no-unsafe-assignment)', "export const parsed: string = JSON.parse('1');"],
  ['typescript(restrict-template-expressions)', 'export const shown = `${new Date(0)}`;'],
];
const allowed: readonly string[] = [
  "export const named = new Intl.NumberFormat('en');",
  "export const compared = 'a'.localeCompare('b', 'en');",
  "export const canonical = Intl.getCanonicalLocales('en');",
  'export const copied = { ...packed, d: 1 };',
];
let folder: string;
let matches: { line: number; rule: string }[];

beforeAll(async () => {
  // Outside the source tree, because the project's lint may run beside this test.
  folder = await mkdtemp(join(tmpdir(), 'sextant-planted-'));
  // Without its own tsconfig, type-aware rules would load the whole project's.
  const tsconfig = { extends: join(root, 'tsconfig.base.json'), include: ['planted.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'planted.ts'), [...planted.map(([, line]) => line), ...allowed].join('\n'));
  const args = ['--type-aware', '--format=json', '-c', join(root, '.oxlintrc.json'), folder];
  // oxlint exits with 1 when it has findings; they are still on standard output.
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/oxlint'), args, { cwd: root }).catch(
    (failure: unknown) => failure as { stdout: string },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  matches = diagnostics.map(({ code, labels }) => ({ line: labels[0]!.span.line, rule: code }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('lint', () => {
  it.each(planted.map(([rule, line], index) => ({ rule, line, index })))('$rule finds $line', ({ rule, index }) => {
    expect(matches).toContainEqual({ line: index + 1, rule });
  });

  it('finds nothing where the locale is named or an object is copied', () => {
    expect(matches.filter(({ line }) => line > planted.length)).toEqual([]);
  });
});
