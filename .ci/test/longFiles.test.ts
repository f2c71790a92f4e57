import { describe, expect, it } from 'vitest';
import { longFileProblem } from '../longFiles.ts';

const lines = (count: number): string => 'const a = 1;\n'.repeat(count);
const reason = 'Long because it is one table.';

describe('a file', () => {
  it.each([
    ['of 350 lines', lines(350)],
    ['of 351 lines with a reason in a line comment', `// ${reason}\n${lines(350)}`],
    [
      'with a reason in the second line of its first comment',
      `import a from 'https://a';\n\n// Words.\n// ${reason}\n${lines(350)}`,
    ],
    ['with a reason in a block comment', `/**\n * Words.\n * ${reason}\n */\n${lines(350)}`],
  ])('%s may stay', (_, text) => expect(longFileProblem('web/a.ts', text)).toBeUndefined());

  it.each([
    ['of 351 lines', lines(351)],
    ['with a reason in its second comment', `// Words.\n${lines(350)}// ${reason}\n`],
    ['with a reason in its code', `const text = '${reason}';\n${lines(350)}`],
  ])('%s is named with its length and what to do', (_, text) =>
    expect(longFileProblem('web/a.ts', text)).toMatch(/^web\/a\.ts has 35\d lines, more than 350: split it where/),
  );

  it('that is generated may be long', () => expect(longFileProblem('web/a.gen.ts', lines(900))).toBeUndefined());
});
