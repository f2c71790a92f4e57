import { type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { oneOf } from '../core/oneOf.ts';
import { type Problems, quote, type Span } from './problems.ts';
import { isReserved, statementWords } from './vocabulary.ts';

export interface Token {
  kind: 'number' | 'interval' | 'name' | 'symbol' | 'comment' | 'newline' | 'end';
  /** As it is meant: a foreign spelling that was reported is ours here. */
  text: string;
  at: Span;
  /** Value of a number. */
  value?: number;
}

export const isInterval = (text: string): text is IntervalName => (intervals as readonly string[]).includes(text);

/** Spellings of other languages with one plain meaning. The longest come first. */
const foreignSigns: Record<string, string> = {
  '===': '==',
  '!==': '!=',
  '&&': 'and',
  '||': 'or',
  '<>': '!=',
  '=>': '>=',
  '=<': '<=',
  ':=': '=',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '×': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '，': ',',
  '；': ';',
  '（': '(',
  '）': ')',
  '…': '..',
  '&': 'and',
  '|': 'or',
  '!': 'not',
};
const foreignPattern = /===|!==|&&|\|\||<>|=>|=<|:=|[≥≤≠×÷−–，；（）…&|!]/y;
const signPattern = /\.\.|==|!=|<=|>=|[-+*/%<>=()[\],.;]/y;
const spacePattern = /[^\S\r\n]+/y;
const linePattern = /\r\n?|\n/y;
const commentPattern = /(?:#|\/\/)[^\r\n]*/y;
const numberPattern = /(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_]\w*/y;
/** A run of characters that start no token. */
const strangePattern = /[^\s\w#/<>=()[\],.;%*+&|!≥≤≠×÷−–，；（）…-]+/y;

interface Reader {
  text: string;
  at: number;
  tokens: Token[];
  problems: Problems;
}

const match = (reader: Reader, pattern: RegExp, at = reader.at): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(reader.text)?.[0];
};

/** Appends a token of the next `length` characters. */
function take(reader: Reader, kind: Token['kind'], length: number, meant?: string): Token {
  const at = { start: reader.at, end: reader.at + length };
  const token: Token = { kind, text: meant ?? reader.text.slice(at.start, at.end), at };
  reader.tokens.push(token);
  reader.at = at.end;
  return token;
}

/** Every token with comments and newlines, ended by one `end`. */
export function readTokens(text: string, problems: Problems): Token[] {
  const reader: Reader = { text, at: 0, tokens: [], problems };
  while (reader.at < text.length) {
    const space = match(reader, spacePattern);
    if (space !== undefined) {
      reader.at += space.length;
      continue;
    }
    const line = match(reader, linePattern);
    const comment = match(reader, commentPattern);
    if (line !== undefined) take(reader, 'newline', line.length, '\n');
    else if (comment !== undefined) take(reader, 'comment', comment.length);
    else if (!readNumber(reader) && !readWord(reader)) readSign(reader);
  }
  take(reader, 'end', 0);
  return reader.tokens;
}

/** A number, an interval (`4h`), or a multiple (`3R`, two tokens). */
function readNumber(reader: Reader): boolean {
  const { problems } = reader;
  const digits = match(reader, numberPattern);
  if (digits === undefined) return false;
  const unit = match(reader, wordPattern, reader.at + digits.length) ?? '';
  const whole = digits + unit;
  if (/^\d+(m|min|h|d|w)$/i.test(whole)) {
    readInterval(reader, whole);
    return true;
  }
  const token = take(reader, 'number', digits.length);
  token.value = Number(digits);
  if (!Number.isFinite(token.value)) {
    problems.report(token.at, `${quote(digits)} is too large for a number`, 'write a number below 1e308');
    token.value = 1;
  }
  if (unit === '') return true;
  if (unit.toUpperCase() === 'R') {
    if (unit === 'r') problems.report(token.at, `${quote(whole)} is not known`, `write ${digits}R`);
    take(reader, 'name', unit.length, 'R');
    return true;
  }
  const fix = unit.startsWith('_') ? `write ${whole.replaceAll('_', '')}` : `write ${digits} * ${unit}`;
  reader.at += unit.length;
  problems.report({ start: token.at.start, end: reader.at }, `${quote(whole)} is neither a number nor a name`, fix);
  return true;
}

function readInterval(reader: Reader, whole: string): void {
  const lower = whole.toLowerCase();
  const meant = sameIntervals[lower] ?? lower.replace('min', 'm');
  const token = take(reader, 'interval', whole.length, isInterval(meant) ? meant : '1d');
  if (token.text === whole) return;
  const fix = isInterval(meant) ? `write ${meant}` : `use ${oneOf(intervals)}`;
  reader.problems.report(token.at, `${quote(whole)} is not an interval`, fix);
}

const sameIntervals: Partial<Record<string, IntervalName>> = {
  '60m': '1h',
  '60min': '1h',
  '240m': '4h',
  '240min': '4h',
  '24h': '1d',
  '1440m': '1d',
};

/** A word in capitals that is ours in lower case is reported and read as ours; the names of outputs have capitals. */
function readWord(reader: Reader): boolean {
  const word = match(reader, wordPattern);
  if (word === undefined) return false;
  const before = reader.tokens.at(-1);
  const isOutput = before?.kind === 'symbol' && before.text === '.';
  const lower = word.toLowerCase();
  const meant = !isOutput && !isReserved(word) && isReserved(lower) ? lower : word;
  const token = take(reader, 'name', word.length, meant);
  if (meant !== word) {
    reader.problems.report(token.at, `${quote(word)} is not known: words are in lower case`, `write ${meant}`);
  }
  return true;
}

function readSign(reader: Reader): void {
  const foreign = match(reader, foreignPattern);
  const own = match(reader, signPattern);
  if (foreign !== undefined && foreign.length > (own?.length ?? 0)) {
    const meant = foreignSigns[foreign] ?? foreign;
    const token = take(reader, /\w/.test(meant) ? 'name' : 'symbol', foreign.length, meant);
    reader.problems.report(token.at, `${quote(foreign)} is not part of the language`, `write ${meant}`);
    return;
  }
  if (own !== undefined) {
    take(reader, 'symbol', own.length);
    return;
  }
  const strange = match(reader, strangePattern) ?? reader.text.slice(reader.at, reader.at + 1);
  // The token stays in the list: the parser must not read on as if nothing stood there.
  const token = take(reader, 'symbol', strange.length, UNKNOWN_SIGN);
  const fix = strangeFixes[strange.charAt(0)] ?? 'remove it';
  reader.problems.report(token.at, `${quote(strange)} is not part of the language`, fix);
}

/** Text of a token that is no part of the language and was reported. */
export const UNKNOWN_SIGN = '?';

const strangeFixes: Record<string, string> = {
  '?': 'write if(condition, then, else)',
  '^': 'write a product, such as x * x',
  '"': 'names stand without quotes',
  "'": 'names stand without quotes',
  '{': 'use round brackets',
  '}': 'use round brackets',
  ':': 'write = to give a name a value, else remove it',
  $: 'names have letters, digits and _',
  '@': 'write 4h(...) for a longer interval',
};

const continuing = new Set('= == != < <= > >= + - * / , .. ( [ . and or not in when step after'.split(' '));
const continued = new Set('== != < <= > >= + - * / , .. ) ] . and or in'.split(' '));

/**
 * The tokens that the parser reads: comments and newlines inside an expression are left out, and a `;` is a newline. A line that starts with
 * the word of a statement starts a statement, even where a bracket is open.
 */
export function significantTokens(all: readonly Token[]): Token[] {
  const rest = all.filter(({ kind }) => kind !== 'comment');
  const tokens: Token[] = [];
  let depth = 0;
  rest.forEach((token, i) => {
    const isSemicolon = isSign(token, ';');
    if (token.kind !== 'newline' && !isSemicolon) {
      if (isSign(token, '([')) depth++;
      if (isSign(token, ')]')) depth = Math.max(0, depth - 1);
      tokens.push(token);
      return;
    }
    const before = tokens.at(-1);
    const after = rest[i + 1];
    if (before === undefined || before.kind === 'newline') return;
    // Of several newlines the last one decides.
    if (!isSemicolon && (after?.kind === 'newline' || (!startsStatement(after) && isContinued(depth, before, after))))
      return;
    depth = 0;
    tokens.push({ kind: 'newline', text: token.text, at: token.at });
  });
  return tokens;
}

/** One of the characters of `signs`. */
const isSign = ({ kind, text }: Token, signs: string): boolean =>
  kind === 'symbol' && text.length === 1 && signs.includes(text);

const startsStatement = (token?: Token): boolean => token?.kind === 'name' && statementWords.has(token.text);

const isContinued = (depth: number, before: Token, after?: Token): boolean =>
  depth > 0 || continuing.has(before.text) || (after !== undefined && continued.has(after.text));
