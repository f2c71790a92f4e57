import type { Step } from './steps.ts';

const node = (...args: string[]): Pick<Step, 'command' | 'args'> => ({ command: 'node', args });

/** TypeScript 7, about half of the processor time of 6; by its path, because both packages bring a `tsc`. */
const compiler = 'node_modules/typescript7/bin/tsc';

/** A comment that switches off a rule which would not have spoken is an error too. */
const lintArgs = ['--type-aware', '--report-unused-disable-directives-severity=error', '--deny-warnings'];

/** asc is the type checker of engine-as/assembly, so the build is a check too. */
export const buildEngine: Step = { title: 'engine builds', ...node('engine-as/build.ts') };

export const typeSteps: Step[] = [
  { title: 'types of server, workers, db, bench', ...node(compiler, '-p', '.') },
  { title: 'types of web', ...node(compiler, '-p', 'web') },
];

/** These read sources alone, so the engine is built beside them. */
export const sourceSteps: Step[] = [
  { title: 'lint', command: 'oxlint', args: lintArgs },
  { title: 'format', command: 'oxfmt', args: ['--check', '.'] },
  ...typeSteps,
  { title: 'import rules', ...node('.ci/importRules.ts') },
  { title: 'dependency policy', ...node('.ci/dependencyPolicy.ts') },
  { title: 'requirements and citations', ...node('.ci/checkRequirements.ts') },
  { title: 'lengths of files', ...node('.ci/checkLongFiles.ts') },
  { title: 'vocabulary of comments and test titles', ...node('.ci/checkVocabulary.ts') },
];

/** These run the engine. */
export const generatedFiles: Step = { title: 'generated files are fresh', ...node('.ci/generate.ts', '--check') };
export const buildWeb: Step = { title: 'web builds', ...node('.ci/buildPages.ts') };
