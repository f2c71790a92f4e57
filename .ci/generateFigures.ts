import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { facts } from '../server/src/features/help/facts.ts';
import { root } from './steps.ts';

/** Written by hand, but for the figures between `<!-- {{spreadMax}} -->` and `<!-- / -->`. */
const documents = ['docs/signals.md', 'docs/security.md', 'docs/errors.md'];

const figurePattern = /(<!-- \{\{(\w+)\}\} -->).*?(<!-- \/ -->)/g;

/** The documents with each marked figure as its owner has it, in the words of the help articles. */
export function withFigures(path: string, text: string): string {
  return text.replaceAll(figurePattern, (_all, start: string, name: string, end: string) => {
    const figure = (facts as Record<string, string | number>)[name];
    if (figure === undefined) throw new Error(`${path}: {{${name}}} has no owner in facts.ts`);
    return `${start}${figure}${end}`;
  });
}

export const figureFiles = (): Promise<{ path: string; content: string }[]> =>
  Promise.all(
    documents.map(async (path) => ({ path, content: withFigures(path, await readFile(join(root, path), 'utf8')) })),
  );
