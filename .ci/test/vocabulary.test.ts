import { describe, expect, it } from 'vitest';
import {
  nameProblems,
  ordinaryNamesOf,
  proseOf,
  rulesOf,
  stringProblems,
  subjectProblems,
  unreadStringsOf,
  vocabularyProblems,
} from '../vocabulary.ts';

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

describe('a string of code', () => {
  const problemsIn = (code: string, path = 'server/test/a.test.ts') => stringProblems(path, code, rules);

  it.each([
    ['of a test', "\nfail('No answer.');", 'server/test/a.test.ts:2 writes "answer": response'],
    [
      'in a table of tests',
      "it.each([['asks twice', 1]])('%s', () => 1);",
      'server/test/a.test.ts:1 writes "asks": request',
    ],
    ['with a value', 'fail(`${name} answered`);', 'server/test/a.test.ts:1 writes "answered": response'],
    ['in a comment of SQL', 'query(`select 1\n-- The answer.`);', 'server/test/a.test.ts:1 writes "answer": response'],
    ['of a type of error', "throw new Error('look at it');", 'server/test/a.test.ts:1 writes "look at": check'],
  ])('%s is read', (_, code, problem) => expect(problemsIn(code)).toEqual([problem]));

  it.each([
    ['without a space', "send('answer');"],
    ['with the word as a name', "fail('set `answer` here');"],
    ['with a path', "row('POST /api/support/ask');"],
    ['of SQL', "query('select answer from questions');"],
    ['of a part of SQL', `query("answer = 'yes' and done");`],
    ['that is the title of a test, read elsewhere', "it('is answered in time', () => 1);"],
    ['with the name of a module', "import a from './my answer.ts';"],
    ['with a value of that name', 'fail(`none: ${ask(answer)} left`);'],
    ['with the words of networks', "fail('Connection refused: the host refused the connection');"],
  ])('%s is allowed', (_, code) => expect(problemsIn(code)).toEqual([]));

  it('is not read in the files that the document lists', () =>
    expect(unreadStringsOf('### Strings\n\n| `server/help/` | words of users |\n')).toEqual(['server/help/']));
});

it('a comment or description of the API that starts with "Of" is named with its line', () => {
  const code =
    "/** Stop of the order. */\nconst a = 1;\n/** Of the order. */\nz.int().meta({ description: 'Of the fill.' });\n";
  expect(subjectProblems('server/a.ts', code)).toEqual([
    'server/a.ts:3 starts with "Of": name the subject first',
    'server/a.ts:4 starts with "Of": name the subject first',
  ]);
});

describe('a declared name', () => {
  const ordinary = ordinaryNamesOf('### Names\n\n| `askLeft` | book |\n');
  const named = (code: string, path = 'web/a.ts') => nameProblems(path, code, rules, ordinary);

  it.each([
    ['of a variable', 'const lastAnswer = 1;', 'web/a.ts:1 names lastAnswer with "answer": response'],
    ['of a function', '\nfunction askTwice() {}', 'web/a.ts:2 names askTwice with "ask": request'],
    ['of a constant', 'const ANSWER_MS = 1;', 'web/a.ts:1 names ANSWER_MS with "answer": response'],
    ['of a method', 'class A { askAll() {} }', 'web/a.ts:1 names askAll with "ask": request'],
    ['of a private field', 'class A { #asks = 1; }', 'web/a.ts:1 names #asks with "asks": request'],
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
