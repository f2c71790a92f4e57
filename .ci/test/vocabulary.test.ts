import { describe, expect, it } from 'vitest';
import { nameProblems, ordinaryNamesOf, proseOf, rulesOf, vocabularyProblems } from '../vocabulary.ts';

const document = `# Words

## Replaced words

| not              | write    | ordinary sense in |
| ---------------- | -------- | ----------------- |
| answer, answered | response | \`server/help/\`  |
| ask, asks        | request  |                   |
| look at          | check    |                   |
`;
const rules = rulesOf(document);
const problems = (text: string, path = 'web/a.ts') => vocabularyProblems(path, text, rules);

describe('the table of replaced words', () => {
  it('has a rule for each row', () =>
    expect(rules.map(({ instead }) => instead)).toEqual(['response', 'request', 'check']));
  it('must exist', () => expect(() => rulesOf('# Words\n')).toThrow('no table under "Replaced words"'));
  it('must name words in every row', () =>
    expect(() => rulesOf(document.replace('ask, asks', ' , '))).toThrow('no words in the row'));
});

describe('a replaced word', () => {
  it.each([
    ['in a line comment', 'const a = 1;\n// The answer of the server.\n', 'web/a.ts:2 says "answer": response'],
    ['in a block comment', '/**\n * Reads it.\n * Asks the server.\n */\n', 'web/a.ts:3 says "Asks": request'],
    ['in a test title', "it('is answered in time', () => 1);", 'web/a.ts:1 says "answered": response'],
    ['in a title of a table of tests', "test.describe('look at it', () => 1);", 'web/a.ts:1 says "look at": check'],
    ['after a string with a quote', `const a = 'it\\'s "'; // an answer\n`, 'web/a.ts:1 says "answer": response'],
  ])('%s is named with its line and what to write', (_, text, problem) => expect(problems(text)).toEqual([problem]));

  it('in a document is named with its line', () =>
    expect(problems('# A\n\nThe answer.\n', 'docs/a.md')).toEqual(['docs/a.md:3 says "answer": response']));

  it('in a help article is named with its line, but not in the search words of its head', () =>
    expect(problems('---\nquestion: Who answers?\n---\n\nThe answer.\n', 'docs/help/a.md')).toEqual([
      'docs/help/a.md:5 says "answer": response',
    ]));

  it('in the example of the settings is named, but not in an address of email', () =>
    expect(problems('# The answer.\n# FROM=<no-answer@a.example>\n', '.env.example')).toEqual([
      '.env.example:1 says "answer": response',
    ]));

  it.each([
    ['in code', 'const answer = ask();\n'],
    ['in a string', "say('the answer');\n"],
    ['in a comment sign within a string', "const url = 'https://a/answer';\n"],
    ['in a regular expression', 'const words = /\\/* answer/;\n'],
    ['in backticks', '// Sets `answer`.\n'],
    ['of an order book', '// Mean of bid and ask.\n// The book has asks.\n'],
    ['as a part of another word', '// A task of unanswered calls.\n'],
  ])('%s is allowed', (_, text) => expect(problems(text)).toEqual([]));

  it('is allowed where it has its ordinary sense', () =>
    expect(problems('// The answer to a question.\n', 'server/help/a.ts')).toEqual([]));
});

it('the prose of code is its comments and titles, each with its line', () =>
  expect(proseOf("// One\nconst a = 'b';\nit('two', () => {\n  /* three\n     four */\n});\n")).toEqual([
    { line: 1, text: '// One' },
    { line: 3, text: "'two'" },
    { line: 4, text: '/* three' },
    { line: 5, text: '     four */' },
  ]));

describe('a declared name', () => {
  const ordinary = ordinaryNamesOf('### Names\n\n| `askLeft` | book |\n');
  const named = (code: string, path = 'web/a.ts') => nameProblems(path, code, rules, ordinary);

  it.each([
    ['of a variable', 'const lastAnswer = 1;', 'web/a.ts:1 names lastAnswer with "answer": response'],
    ['of a function', '\nfunction askTwice() {}', 'web/a.ts:2 names askTwice with "ask": request'],
    ['of a constant', 'const ANSWER_MS = 1;', 'web/a.ts:1 names ANSWER_MS with "answer": response'],
  ])('%s is split at its capitals', (_, code, problem) => expect(named(code)).toEqual([problem]));

  it('of a file is read', () =>
    expect(named('', 'web/askAgain.ts')).toEqual(['web/askAgain.ts names askAgain.ts with "ask": request']));

  it.each([
    ['that is listed', 'const askLeft = 1;'],
    ['of a property', 'interface A { answer: string }'],
    ['of a variable named by a property', 'const { answer } = a;'],
    ['with the word as a part of another', 'const task = 1;'],
  ])('%s is allowed', (_, code) => expect(named(code)).toEqual([]));
});
