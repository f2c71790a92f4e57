import type { Step } from './steps.ts';

const node = (...args: string[]): Pick<Step, 'command' | 'args'> => ({ command: 'node', args });

/** asc is the type checker of engine-as/assembly, so the build is a check too. */
export const buildEngine: Step = { title: 'engine builds', ...node('engine-as/build.ts') };

/** The quick gate: no database, no browser. */
export const checkSteps: Step[] = [
  { title: 'format', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { title: 'types of server, workers, db, bench', command: 'tsc', args: ['-p', '.'] },
  { title: 'types of web', command: 'tsc', args: ['-p', 'web'] },
  { title: 'lint', command: 'eslint', args: ['--max-warnings', '0', '.'] },
  { title: 'import rules', ...node('.ci/importRules.ts') },
  { title: 'dependency policy', ...node('.ci/dependencyPolicy.ts') },
  { title: 'requirements and citations', ...node('.ci/checkRequirements.ts') },
  { title: 'generated files are fresh', ...node('.ci/generate.ts', '--check') },
];
