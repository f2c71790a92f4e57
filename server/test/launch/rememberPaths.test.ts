import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const rememberPaths = pathToFileURL(join(import.meta.dirname, '../../launch/rememberPaths.mjs')).href;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sextant-paths-'));
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  mkdirSync(join(root, 'node_modules/pair'), { recursive: true });
  write('package.json', '{"type":"module"}');
  // One name, two files: import and require resolve differently.
  const exports = { import: './a.mjs', require: './b.cjs' };
  write('node_modules/pair/package.json', JSON.stringify({ name: 'pair', version: '1.0.0', exports }));
  write('node_modules/pair/a.mjs', "export default 'imported';");
  write('node_modules/pair/b.cjs', "module.exports = 'required';");
  write('other.ts', "export const other: string = 'typed';");
  write(
    'program.ts',
    `import { createRequire } from 'node:module'; import pair from 'pair'; import { other } from './other.ts';
     console.log(pair, createRequire(import.meta.url)('pair'), other satisfies string);`,
  );
  write(
    'start.mjs',
    `import { rememberPaths } from '${rememberPaths}';
     const keep = rememberPaths('${root}/paths.json', '${root}'); await import('./program.ts'); keep();`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (): string =>
  execFileSync(process.execPath, [join(root, 'start.mjs')], { encoding: 'utf8', stdio: 'pipe' }).trim();
const stored = (): string => readFileSync(join(root, 'paths.json'), 'utf8');

it('the second start runs the same files without resolving them', () => {
  expect(run()).toBe('imported required typed');
  const first = stored();
  expect(run()).toBe('imported required typed');
  expect(stored()).toBe(first);
  // The cache file decides: where it names another file, that one runs.
  writeFileSync(join(root, 'paths.json'), first.replace('node_modules/pair/a.mjs', 'changed.mjs'));
  writeFileSync(join(root, 'changed.mjs'), "export default 'changed';");
  expect(run()).toBe('changed required typed');
});

it('the cache is dropped when a start fails, when a manifest changes and when the file is broken', () => {
  run();
  writeFileSync(join(root, 'paths.json'), stored().replaceAll('node_modules/pair/a.mjs', 'gone.mjs'));
  expect(run).toThrow();
  expect(run()).toBe('imported required typed');
  writeFileSync(join(root, 'paths.json'), stored().replaceAll('node_modules/pair/a.mjs', 'gone.mjs'));
  writeFileSync(join(root, 'package.json'), '{"type":"module","version":"2.0.0"}');
  expect(run()).toBe('imported required typed');
  writeFileSync(join(root, 'paths.json'), '{"state":');
  expect(run()).toBe('imported required typed');
});
