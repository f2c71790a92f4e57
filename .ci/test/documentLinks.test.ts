import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks, readTarget } from '../documentLinks.ts';
import { root } from '../steps.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('links of documents', () => {
  const files = new Map([
    ['docs/a.md', '# A\n\n## What is deleted, and when\n\n### `POST /api/x`, as Auto\n'],
    ['web/src', 'exists'],
  ]);
  const broken = (text: string): string[] => brokenLinks('docs/b.md', text, (path) => files.get(path));

  it.each([
    ['a document', '[a](a.md)'],
    ['a heading', '[a](a.md#what-is-deleted-and-when)'],
    ['a heading with code', '[a](a.md#post-apix-as-auto)'],
    ['a heading of the document', '# Here it is\n\n[b](#here-it-is)'],
    ['a folder', '[web](../web/src)'],
    ['an address and a page of the product', '[x](https://example.com/a) [y](/help/first-steps)'],
  ])('lead to %s', (_, text) => expect(broken(text)).toEqual([]));

  it.each([
    ['a document', '[c](c.md)', 'c.md'],
    ['a heading', '[a](a.md#deleted)', 'a.md#deleted'],
    ['a heading of the document', '# Here\n\n[b](#there)', '#there'],
    ['a folder', '[web](../web/lib)', '../web/lib'],
  ])('are reported without %s', (_, text, target) => expect(broken(text)).toEqual([target]));

  it('lead somewhere in every document', () => {
    const documents = globSync(['*.md', 'docs/**/*.md', '{server/client,workers/package,deploy}/**/*.md'], {
      cwd: root,
      exclude: ['**/node_modules/**'],
    });
    expect(documents.length).toBeGreaterThan(80);
    const problems = documents.flatMap((path) =>
      brokenLinks(path, read(path), readTarget).map((target) => `${path}: ${target}`),
    );
    expect(problems).toEqual([]);
  });
});

it('docs/architecture.md starts with the problem and a picture, then names the files of four journeys in order', () => {
  const page = read('docs/architecture.md');
  const sections = page.split(/^## /m).slice(1);
  expect(sections.slice(0, 2).map((section) => section.split('\n')[0])).toEqual(['The problem', 'The picture']);
  expect(sections[1]).toContain('```mermaid');
  const journeys = sections.slice(2, 6);
  for (const [at, journey] of journeys.entries()) {
    expect(journey).toMatch(new RegExp(`^Journey ${String(at + 1)}: `));
    const steps = journey.match(/^\d+\. .*$/gm) ?? [];
    expect(steps.length).toBeGreaterThanOrEqual(6);
    for (const step of steps) expect(step).toMatch(/\]\(\S+\)|`\w+\.ts`|\(#/);
  }
});
