import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationCheck } from '../requirements.ts';
import { root } from '../steps.ts';

// Concatenated, so that the check of this file does not find the citations.
const splice = (head: string, tail: string): string => head + tail;
const id = splice('X', '1');
const foreignId = splice('K', '2');
const paper = splice('QUANT', '.md');
const decision = splice('ADR', ' 9876');
const decisionPath = splice('docs/adr/', '9876');
const file = splice('noSuchFile', '.ts');

describe('the check of citations', () => {
  const problemsOf = citationCheck();

  it.each([
    ['docs/page.md', `Needed by ${id}.`, id],
    ['a.ts', `// Needed by ${id}.`, id],
    ['a.test.ts', `  it('${foreignId} loses nothing', () => {`, foreignId],
    ['a.test.ts', `    \`${foreignId} loses nothing\`,`, foreignId],
    ['docs/page.md', `See ${paper}.`, 'paper'],
    ['a.ts', `// See ${decision}.`, decision],
    ['a.sql', `-- ${decisionPath} says why.`, decisionPath],
    ['docs/page.md', `The figures are made by \`${file}\`.`, file],
    ['a.ts', ` * The figures are made by ${file}.`, file],
    ['docs/page.md', `[steps](../.ci/${file})`, file],
  ])('finds one problem in %s: %s', (path, line, word) => {
    const problems = problemsOf(path, line);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(word);
  });

  it.each([
    ['a.test.ts', `  it('${id} loses nothing', () => {`],
    [
      'docs/page.md',
      'The rules of commits are in CONTRIBUTING.md, the steps in `.ci/checkSteps.ts` and `checkSteps.ts`.',
    ],
    ['docs/page.md', '[steps](../.ci/checkSteps.ts)'],
    ['a.ts', `import { some } from './${file}';`],
  ])('finds none in %s: %s', (path, line) => {
    expect(problemsOf(path, line)).toEqual([]);
  });
});

describe('the decisions', () => {
  const folder = join(root, 'docs/adr');
  const pages = readdirSync(folder)
    .sort()
    .filter((name) => name !== 'README.md');
  const index = readFileSync(join(folder, 'README.md'), 'utf8');

  it('are numbered without gaps and stand in the index', () => {
    expect(pages.map((name) => Number(name.slice(0, 4)))).toEqual(pages.map((_, place) => place + 1));
    expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  it.each(pages)('%s has a status and says what would reopen it', (name) => {
    const page = readFileSync(join(folder, name), 'utf8');
    expect(page).toMatch(/^Status: (accepted|superseded)/m);
    expect(page).toMatch(/^(## Would reopen it|\*\*Would reopen it\.\*\*)/m);
  });
});
