import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildEngine, sourceSteps, typeSteps } from './checkSteps.ts';
import { root, type Step } from './steps.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Files that differ from the last commit, new ones included; in a clean checkout those of the last commit. */
export function changedFiles(): { present: string[]; deleted: string[] } {
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const paths = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
  const { present = [], deleted = [] } = Object.groupBy(paths, (path) =>
    existsSync(join(root, path)) ? 'present' : 'deleted',
  );
  return { present, deleted };
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

/** Who decides which words are replaced: their change concerns every file. */
const vocabularyOwners = ['docs/naming.md', '.ci/vocabulary.ts', '.ci/screenTexts.ts'];
/** Folders whose modules are cruised, as `.ci/importRules.ts` has them. */
const isCruised = (path: string): boolean =>
  isCode(path) && /^(?:\.ci|bench|db|engine-as|server|web|workers)\//.test(path);

/** A step of the whole check, limited to the changed files; undefined where they cannot fail it. */
function narrowed(step: Step, changed: readonly string[], deleted: readonly string[]): Step | undefined {
  const all = [...changed, ...deleted];
  const code = all.filter(isCode);
  const types = typeSteps.find(({ title }) => title === step.title);
  if (types !== undefined) {
    const isWeb = types.args.at(-1) === 'web';
    // What the run before has checked is not checked again.
    const cache = `node_modules/.cache/types-${isWeb ? 'web' : 'root'}.tsbuildinfo`;
    return { ...types, args: [...types.args, '--incremental', '--tsBuildInfoFile', cache] };
  }
  if (step.title === 'import rules') {
    if (all.length > 0 && code.length === 0) return undefined;
    const read = changed.filter(isCruised);
    // A file that is gone, or the rules themselves: every import counts.
    const isWhole = deleted.length > 0 || read.length < code.length || read.includes('.ci/importRules.ts');
    return isWhole ? step : { ...step, args: [...step.args, '--changed', ...read] };
  }
  if (step.title === 'dependency policy')
    return all.some((path) => /package(?:-lock)?\.json$/.test(path)) ? step : undefined;
  if (step.title.startsWith('vocabulary') && changed.length > 0 && !vocabularyOwners.some((path) => all.includes(path)))
    return { ...step, args: [...step.args, ...changed] };
  return step;
}

/**
 * The checks of a change, for the inner loop; `npm run check` and `npm test` check everything.
 * @param deleted files that the change removes
 */
export function changedSteps(changed: readonly string[], deleted: readonly string[] = []): Step[] {
  const code = changed.filter(isCode);
  const tests = testsOf(changed, globSync(unitTests, { cwd: root }));
  const steps = sourceSteps
    .filter(({ title }) => title !== 'lint' && title !== 'format')
    .map((step) => narrowed(step, changed, deleted))
    .filter((step) => step !== undefined);
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
