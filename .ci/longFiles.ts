import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

const LINES_MAX = 350;
const generated = /\.gen\.[a-z]+$/;
const firstComment = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/m;

/** The error for a file above the limit without a reason; undefined otherwise. */
export function longFileProblem(path: string, text: string): string | undefined {
  const lines = text.split('\n').length - 1;
  if (lines <= LINES_MAX || generated.test(path)) return undefined;
  if (firstComment.exec(text)?.[0].includes('Long because') === true) return undefined;
  return `${path} has ${lines} lines, more than ${LINES_MAX}: split it where it has two subjects, or say "Long because ..." in its first comment`;
}

/** Code, styles and tests of the whole repository; data, documents and migrations are not read as code. */
export function longFileProblems(): string[] {
  const paths = globSync('{web,server,workers,engine-as,bench,db,.ci}/**/*.{ts,tsx,mjs,css,c}', {
    cwd: root,
    exclude: ['**/node_modules', '**/build', '**/dist'],
  });
  return paths.flatMap((path) => longFileProblem(path, readFileSync(join(root, path), 'utf8')) ?? []);
}
