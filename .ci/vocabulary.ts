import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { screenTextsOf, templateText } from './screenTexts.ts';
import { root } from './steps.ts';

/** A row of the table "Replaced words" of docs/naming.md. */
interface Rule {
  pattern: RegExp;
  instead: string;
  /** Files in which the words have their ordinary sense, as starts of paths. */
  allowed: string[];
}

const words = (cell: string): string[] =>
  cell
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Reads the rules from the document. @throws Error when its table is missing or a row has no word */
export function rulesOf(document: string): Rule[] {
  const [, all = ''] = document.split(/^## Replaced words$/m);
  const [section = ''] = all.split(/^### /m);
  const [, , ...rows] = section
    .split(/\n\n(?!\|)/)
    .flatMap((part) => part.split('\n').filter((line) => line.startsWith('|')));
  if (rows.length === 0) throw new Error('docs/naming.md has no table under "Replaced words"');
  return rows.map((row) => {
    const [, not = '', instead = '', where = ''] = row.split('|').map((cell) => cell.trim());
    if (words(not).length === 0) throw new Error(`docs/naming.md: no words in the row ${row}`);
    return {
      pattern: new RegExp(
        `\\b(?:${words(not)
          .join('|')
          .replaceAll(' ', String.raw`\s+`)})\\b`,
        'i',
      ),
      instead,
      allowed: [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    };
  });
}

/** Comments, strings, regular expressions; then whatever else, so that a quote within one of them starts none. */
const token =
  /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[\s\S]/g;
const startsTest = /\b(?:it|test|describe)(?:\.(?:describe|each|for|only|skip|step|todo|concurrent))*\(\s*$/;

/** Prose of a file of code: its comments and the titles of its tests, each with its line number from 1. */
export function proseOf(code: string): { line: number; text: string }[] {
  const matches: { line: number; text: string }[] = [];
  for (const { 0: all, 1: comment, 2: string, index } of code.matchAll(token)) {
    const isTitle = string !== undefined && startsTest.test(code.slice(Math.max(0, index - 40), index));
    if (comment === undefined && !isTitle) continue;
    const first = code.slice(0, index).split('\n').length;
    all.split('\n').forEach((text, i) => matches.push({ line: first + i, text }));
  }
  return matches;
}

/** Parts of a string that are not checked: names of code, SQL, markers of generated figures, addresses (of email too), paths; then terms of networks. */
const noProse =
  /`[^`]*`|\{[^{}]*\}|\b[A-Z]{4,}\b|<!--.*?-->|https?:\S+|[\w.-]+@[\w.-]+|(?<=^|\s)\/[\w/{}:-]+|@param \S+|[\w./-]+\.(?:ts|tsx|md|txt|sql)\b/g;
const networkTerms = /\bmail servers?\b|\bconnection refused\b|\brefused the connection\b/g;

const withoutNames = (text: string): string =>
  text
    .replaceAll(noProse, '')
    .replaceAll(networkTerms, '')
    .replace(/\b(?:bids?|book|spread)\b.*/i, (rest) => rest.replaceAll(/\basks?\b/gi, ''))
    .replaceAll(/\basks?\b(?=.*\b(?:bids?|book|spread)\b)/gi, '');

const isDocument = (path: string): boolean => path.endsWith('.md') || path === '.env.example';

/** A help article without the lines before its text, which have the words that users search by; line numbers stay. */
const withoutHead = (text: string): string =>
  text.replace(/^---\n[\s\S]*?\n---\n/, (head) => head.replaceAll(/[^\n]/g, ''));

/** One error per line that has a replaced word. */
export function vocabularyProblems(path: string, text: string, rules: readonly Rule[]): string[] {
  const lines = isDocument(path)
    ? withoutHead(text)
        .split('\n')
        .map((each, i) => ({ line: i + 1, text: each }))
    : proseOf(text);
  return lines.flatMap(({ line, text: each }) =>
    rules.flatMap(({ pattern, instead, allowed }) => {
      if (allowed.some((start) => path.startsWith(start))) return [];
      const [word] = pattern.exec(withoutNames(each)) ?? [];
      return word === undefined ? [] : [`${path}:${line} says "${word}": ${instead}`];
    }),
  );
}

/** One error per comment and description of the API that leaves out its subject: `Of the order.` instead of `Stop of the order.` */
export function subjectProblems(path: string, code: string): string[] {
  const lines = code.split('\n');
  return lines.flatMap((line, i) =>
    /\/\*\* Of [a-z]|description: ['`]Of [a-z]/.test(line)
      ? [`${path}:${i + 1} starts with "Of": name the subject first`]
      : [],
  );
}

const MAX_SCREEN_WORDS = 25;

/** Files whose screen sentences may be longer, as starts of paths, with the reason. */
const longSentences = new Map([
  ['web/src/features/public/LegalPages.tsx', 'a legal text lists every item in one sentence'],
  ['web/src/features/arbitrage/pairNet.ts', 'the two conditions under which a spread pays belong together'],
]);

/** One error per screen text of a file of the page that has a replaced word or a sentence above the bound. */
export function screenProblems(path: string, code: string, rules: readonly Rule[]): string[] {
  const mayBeLong = [...longSentences.keys()].some((start) => path.startsWith(start));
  return screenTextsOf(path, code).flatMap(({ line, text }) => {
    const sentences = text.split(/(?<=[.!?:;])\s+/);
    const longest = Math.max(...sentences.map((sentence) => sentence.split(' ').length));
    const match = rules.flatMap(({ pattern, instead, allowed }) => {
      if (allowed.some((start) => path.startsWith(start))) return [];
      const [word] = pattern.exec(withoutNames(text)) ?? [];
      return word === undefined ? [] : [`${path}:${line} shows "${word}": ${instead}`];
    });
    if (longest > MAX_SCREEN_WORDS && !mayBeLong)
      match.push(`${path}:${line} shows a sentence of ${longest} words, at most ${MAX_SCREEN_WORDS}`);
    return match;
  });
}

/** Statements of SQL and parts of them, whose words are keywords and names. */
const sql =
  /^\s*(?:select|insert into|update \w+|delete from|create|alter|lock table|with \w+ as|do \$|begin\b|from \w+ where|\w+ = '|\w+\.\w+ = )/;

const commentsOfSql = (text: string): string => (text.match(/--\s.*$/gm) ?? []).join('\n');

/** Whether a string names a module or a type, or is the title of a test, which is read with the comments. */
function isNoText(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  return ts.isCallExpression(parent) && startsTest.test(`${parent.expression.getText()}(`);
}

/** Strings of code that have a space, of SQL its comments only, with their lines from 1; `{}` stands for each value. */
export function stringsOf(path: string, code: string): { line: number; text: string }[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const strings: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isTemplate = ts.isTemplateExpression(node);
    if ((isTemplate || ts.isStringLiteralLike(node)) && !isNoText(node)) {
      const whole = isTemplate ? templateText(node) : node.text;
      const text = sql.test(whole) ? commentsOfSql(whole) : whole;
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (text.trim().includes(' ')) strings.push({ line, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return strings;
}

/** One error per string of code that has a replaced word. Texts of the page are read by `screenProblems`. */
export function stringProblems(path: string, code: string, rules: readonly Rule[]): string[] {
  return stringsOf(path, code).flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, instead, allowed }) => {
      if (allowed.some((start) => path.startsWith(start))) return [];
      const [word] = pattern.exec(withoutNames(text)) ?? [];
      return word === undefined ? [] : [`${path}:${line} writes "${word}": ${instead}`];
    }),
  );
}

/** Reads the starts of paths whose strings are not read. @throws Error when the document has no table of them */
export function unreadStringsOf(document: string): string[] {
  const [, section] = document.split(/^### Strings$/m);
  if (section === undefined) throw new Error('docs/naming.md has no table under "Strings"');
  return [...section.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

/** Words of a name: split at capitals, underscores, dots and hyphens, in lower case. */
const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$.#-]+/);

/** Reads the names that keep a replaced word. @throws Error when the document has no table of them */
export function ordinaryNamesOf(document: string): ReadonlySet<string> {
  const [, all] = document.split(/^### Names$/m);
  const [section] = all?.split(/^### /m) ?? [];
  if (section === undefined) throw new Error('docs/naming.md has no table under "Names"');
  return new Set([...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const isName = (node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier =>
  ts.isIdentifier(node) || ts.isPrivateIdentifier(node);

/**
 * Names that a file declares, with their lines from 1. Properties keep the spelling of what they are read from, and so
 * do variables destructured under the name of a property.
 */
export function declaredNames(path: string, code: string): { line: number; name: string }[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const declared: { line: number; name: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isProperty =
      ts.isBindingElement(node) && node.propertyName === undefined && ts.isObjectBindingPattern(node.parent);
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    if (isDeclaration && !isProperty && node.name !== undefined && isName(node.name)) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart());
      declared.push({ line: line + 1, name: node.name.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return declared;
}

/** One error per declared name and file name that has a replaced word. */
export function nameProblems(
  path: string,
  code: string,
  rules: readonly Rule[],
  ordinary: ReadonlySet<string>,
): string[] {
  const names = [{ line: 0, name: basename(path) }, ...declaredNames(path, code)];
  return names.flatMap(({ line, name }) => {
    if (ordinary.has(name)) return [];
    const text = wordsOfName(name).join(' ');
    return rules.flatMap(({ pattern, instead, allowed }) => {
      const [word] = pattern.exec(text) ?? [];
      if (word === undefined || allowed.some((start) => path.startsWith(start))) return [];
      return [`${path}${line === 0 ? '' : `:${line}`} names ${name} with "${word}": ${instead}`];
    });
  });
}

/** Written from code or from texts of the product, which have their own owners; the table itself. */
const generated = ['metrics', 'indicators', 'errors', 'naming'].map((name) => `docs/${name}.md`);

/**
 * Comments, test titles, strings and names of all code that is written by hand, documents, and texts of the page.
 * @param only files to read; all when empty
 */
export function allVocabularyProblems(only: readonly string[] = []): string[] {
  const naming = readFileSync(join(root, 'docs/naming.md'), 'utf8');
  const rules = rulesOf(naming);
  const ordinary = ordinaryNamesOf(naming);
  const unread = unreadStringsOf(naming);
  const paths = globSync(['{web,server,workers,engine-as,bench,db,.ci}/**/*.{ts,tsx,mjs}', '*.ts'], {
    cwd: root,
    exclude: ['**/node_modules', '**/build', '**/dist', '**/*.gen.ts'],
  });
  const documents = globSync(
    ['README.md', 'CONTRIBUTING.md', '.env.example', 'docs/{*,adr/*,help/*}.md', 'workers/package/README.md'],
    { cwd: root },
  );
  paths.push(...documents.filter((path) => !generated.includes(path)));
  const selected = only.length === 0 ? paths : paths.filter((path) => only.includes(path));
  return selected.sort().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const isPage = path.startsWith('web/src/');
    const screen = isPage ? screenProblems(path, text, rules) : [];
    // Names of AssemblyScript are not read: its files are no modules of this compiler.
    const isCode = !isDocument(path) && !path.startsWith('engine-as/assembly/');
    const declared = isCode ? nameProblems(path, text, rules, ordinary) : [];
    const isData = unread.some((start) => path.startsWith(start));
    const strings = isCode && !isPage && !isData ? stringProblems(path, text, rules) : [];
    const subjects = isDocument(path) || isData ? [] : subjectProblems(path, text);
    return [...vocabularyProblems(path, text, rules), ...screen, ...strings, ...declared, ...subjects];
  });
}
