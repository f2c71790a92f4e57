import { describe, expect, it } from 'vitest';
import { changedSteps, testsOf } from '../changedSteps.ts';

const tests = ['workers/test/positions/sizing.test.ts', 'web/test/ui/Time.test.tsx', 'workers/test/plan.test.ts'];

describe('the unit tests of a change', () => {
  it.each([
    ['a source', ['workers/src/positions/sizing.ts'], ['workers/test/positions/sizing.test.ts']],
    ['a component', ['web/src/ui/Time.tsx'], ['web/test/ui/Time.test.tsx']],
    ['a test', ['workers/test/plan.test.ts'], ['workers/test/plan.test.ts']],
    ['a document', ['docs/sizing.md'], []],
    ['a source without a test of its name', ['workers/src/other.ts'], []],
  ])('%s', (_, changed, expected) => expect(testsOf(changed, tests)).toEqual(expected));
});

describe('the checks of a change', () => {
  const titles = (changed: string[]) => changedSteps(changed).map(({ title }) => title);
  it('builds the engine first when its source changed', () =>
    expect(titles(['engine-as/assembly/memory.ts'])[0]).toBe('engine builds'));
  it('lints code, checks the format of documents too, and reuses checked types', () => {
    expect(titles(['docs/naming.md'])).not.toContain('lint');
    expect(titles(['docs/naming.md'])).toContain('format');
    const lint = changedSteps(['.ci/check.ts', 'docs/naming.md']).find(({ title }) => title === 'lint');
    expect(lint?.args).toContain('.ci/check.ts');
    expect(lint?.args).not.toContain('docs/naming.md');
    const types = changedSteps([]).filter(({ title }) => title.startsWith('types'));
    expect(types.map(({ args }) => args.at(-1))).toEqual([
      'node_modules/.cache/types-root.tsbuildinfo',
      'node_modules/.cache/types-web.tsbuildinfo',
    ]);
  });

  it('reads the imports and words of the changed files alone', () => {
    const steps = changedSteps(['workers/src/plan.ts', 'README.md']);
    expect(steps.find(({ title }) => title === 'import rules')?.args.slice(1)).toEqual([
      '--changed',
      'workers/src/plan.ts',
    ]);
    expect(steps.find(({ title }) => title.startsWith('vocabulary'))?.args.slice(1)).toEqual([
      'workers/src/plan.ts',
      'README.md',
    ]);
  });

  it('reads everything where a file is gone, or the rules changed', () => {
    const argsOf = (title: string, changed: string[], deleted: string[] = []) =>
      changedSteps(changed, deleted)
        .find((step) => step.title.startsWith(title))
        ?.args.slice(1);
    expect(argsOf('import rules', ['web/src/a.ts'], ['web/src/b.ts'])).toEqual([]);
    expect(argsOf('import rules', ['.dependency-cruiser.mjs'])).toEqual([]);
    expect(argsOf('import rules', ['.ci/importRules.ts'])).toEqual([]);
    expect(argsOf('vocabulary', ['docs/naming.md', 'web/src/a.ts'])).toEqual([]);
  });

  it('leaves out what a change cannot fail', () => {
    expect(titles(['web/src/a.ts', 'package.json'])).toContain('dependency policy');
    expect(titles(['web/src/a.ts'])).not.toContain('dependency policy');
    expect(titles(['docs/bench.md'])).not.toContain('import rules');
  });
});
