import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildEngine, sourceSteps, typeSteps } from './checkSteps.ts';
import { root, type Step } from './steps.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Files that differ from the last commit, new ones included, deleted ones not; in a clean checkout those of the last commit. */
export function changedFiles(): string[] {
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const paths = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
  return paths.filter((path) => existsSync(join(root, path)));
}

const isCode = (path: string): boolean => /\.(?:ts|tsx|mjs)$/.test(path);
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
/** Tests of these projects need no database. */
const unitTests = '{web,workers,engine-as,bench,.ci}/test/**/*.test.{ts,tsx}';

/** Changed unit tests, and those named like a changed file. */
export function testsOf(changed: readonly string[], tests: readonly string[]): string[] {
  const names = new Set(changed.filter(isCode).map((path) => basename(path).replace(/(?:\.test)?\.\w+$/, '')));
  return tests.filter((test) => changed.includes(test) || names.has(basename(test).replace(/\.test\.\w+$/, '')));
}

/** The checks of a change, for the inner loop; `npm run check` and `npm test` check everything. */
export function changedSteps(changed: readonly string[]): Step[] {
  const code = changed.filter(isCode);
  const tests = testsOf(changed, globSync(unitTests, { cwd: root }));
  const steps: Step[] = sourceSteps
    .filter(({ title }) => title !== 'lint' && title !== 'format')
    .map((step) => {
      const types = typeSteps.find(({ title }) => title === step.title);
      if (types === undefined) return step;
      // What the run before has checked is not checked again.
      const cache = `node_modules/.cache/types-${types.args.at(-1) === 'web' ? 'web' : 'root'}.tsbuildinfo`;
      return { ...types, args: [...types.args, '--incremental', '--tsBuildInfoFile', cache] };
    });
  const formatted = changed.filter((path) => /\.(?:ts|tsx|mjs|css|json|md)$/.test(path));
  if (formatted.length > 0)
    steps.push({
      title: 'format',
      command: 'oxfmt',
      args: ['--check', '--no-error-on-unmatched-pattern', ...formatted],
    });
  if (code.length > 0)
    steps.push({ title: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings', ...code] });
  if (changed.some((path) => path.startsWith('engine-as/assembly/'))) steps.unshift(buildEngine);
  if (tests.some(isTest))
    steps.push({ title: `unit tests of ${tests.length} files`, command: 'vitest', args: ['run', ...tests] });
  return steps;
}
