// Long because it is one parser of expressions: each form of the grammar stands once.
import { type Problems, quote, type Span } from './problems.ts';
import { type Argument, type BinarySign, type Expression, isComparison, spanFrom } from './syntax.ts';
import { type Token, UNKNOWN_SIGN } from './tokens.ts';

/** Most nodes of a text's expressions, and most brackets and signs around one of them. */
export const NODES_MAX = 200;
export const DEPTH_MAX = 32;

/** Where a parser is. Functions that return undefined have reported why. */
export interface Parsing {
  text: string;
  tokens: readonly Token[];
  at: number;
  problems: Problems;
  nodes: number;
  depth: number;
  /** Expressions in brackets: `(a < b) < c` is no chain. */
  grouped: WeakSet<Expression>;
}

export function peek(parsing: Parsing, ahead = 0): Token {
  const token = parsing.tokens[Math.min(parsing.at + ahead, parsing.tokens.length - 1)];
  if (token === undefined) throw new Error('a list of tokens has an end');
  return token;
}

export const isAt = (parsing: Parsing, text: string, ahead = 0): boolean => {
  const { kind, text: result } = peek(parsing, ahead);
  return (kind === 'symbol' || kind === 'name') && result === text;
};

export function advance(parsing: Parsing): Token {
  const token = peek(parsing);
  if (token.kind !== 'end') parsing.at++;
  return token;
}

export function accept(parsing: Parsing, text: string): boolean {
  if (!isAt(parsing, text)) return false;
  parsing.at++;
  return true;
}

export const endsStatement = ({ kind }: Token): boolean => kind === 'newline' || kind === 'end';
export const textAt = ({ text }: Parsing, { start, end }: Span): string => text.slice(start, end);

/** How a message names a token. */
export function describe(parsing: Parsing, token: Token): string {
  if (token.kind === 'end') return 'the end of the text';
  return token.kind === 'newline' ? 'the end of the line' : quote(textAt(parsing, token.at));
}

export function failAt(parsing: Parsing, at: Span, message: string, fix: string | (() => string)): undefined {
  parsing.problems.report(at, message, fix);
  return undefined;
}

function expect(parsing: Parsing, text: string, fix: string): boolean {
  if (accept(parsing, text)) return true;
  const token = peek(parsing);
  failAt(parsing, token.at, `expected ${quote(text)} instead of ${describe(parsing, token)}`, fix);
  return false;
}

const binaryPowers: Partial<Record<string, number>> = {
  or: 1,
  and: 2,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '==': 4,
  '!=': 4,
  '=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
};
const NOT_POWER = 3;
const SUM_POWER = 5;
const MINUS_POWER = 7;

/** @param power operators that bind less are left to the caller */
export function parseExpression(parsing: Parsing, power = 0): Expression | undefined {
  if (parsing.depth >= DEPTH_MAX) {
    const fix = 'name a part of it: part = ...';
    failAt(parsing, peek(parsing).at, `nested deeper than ${DEPTH_MAX}`, fix);
    return;
  }
  parsing.depth++;
  const left = parsePrefix(parsing);
  const whole = left === undefined ? undefined : parseInfix(parsing, left, power);
  parsing.depth--;
  return whole;
}

function parseInfix(parsing: Parsing, first: Expression, power: number): Expression | undefined {
  let left: Expression | undefined = first;
  for (;;) {
    const token = peek(parsing);
    const isOperator = token.kind === 'symbol' || token.kind === 'name';
    const binds = isOperator ? binaryPowers[token.text] : undefined;
    if (binds === undefined) return power <= 4 && token.kind === 'name' ? parseWords(parsing, left) : left;
    if (binds <= power) return left;
    advance(parsing);
    left = token.text === 'in' ? parseWithin(parsing, left) : parseBinary(parsing, left, token, binds);
    if (left === undefined) return undefined;
  }
}

function parseBinary(parsing: Parsing, left: Expression, token: Token, binds: number): Expression | undefined {
  if (token.text === '=') {
    failAt(parsing, token.at, '`=` gives a name a value and compares nothing', 'write == to compare');
  }
  const sign = (token.text === '=' ? '==' : token.text) as BinarySign;
  const right = parseExpression(parsing, binds);
  if (right === undefined) return undefined;
  const at = spanFrom(left.at, right.at);
  const isChain = isComparison(sign) && left.kind === 'binary' && isComparison(left.sign) && !parsing.grouped.has(left);
  if (!isChain) return node(parsing, { kind: 'binary', sign, left, right, at });
  const middle = textAt(parsing, left.right.at);
  const fix = `write ${textAt(parsing, left.at)} and ${middle} ${sign} ${textAt(parsing, right.at)}`;
  failAt(parsing, token.at, 'a comparison has two sides', fix);
}

function parseWithin(parsing: Parsing, of: Expression): Expression | undefined {
  const name = textAt(parsing, of.at);
  if (isAt(parsing, '[')) {
    failAt(parsing, peek(parsing).at, 'a range after `in` has no brackets', `write ${name} in 8..20`);
    return;
  }
  const low = parseExpression(parsing, SUM_POWER - 1);
  if (low === undefined || !expect(parsing, '..', `write ${name} in 8..20`)) return undefined;
  const high = parseExpression(parsing, SUM_POWER - 1);
  if (high === undefined) return undefined;
  return node(parsing, { kind: 'within', of, low, high, at: spanFrom(of.at, high.at) });
}

/** `close crosses above ema(200)`, `rsi is below 30`, `hour between 8 and 20`: reported with our spelling. */
function parseWords(parsing: Parsing, left: Expression): Expression | undefined {
  const start = parsing.at;
  const first = advance(parsing);
  const own = textAt(parsing, left.at);
  if (first.text === 'between') {
    failAt(parsing, first.at, '`between` is not part of the language', `write ${own} in 8..20`);
    return;
  }
  const isCross = /^cross(es|ed|ing)?$/.test(first.text);
  const hasVerb = isCross || first.text === 'is' || first.text === 'goes';
  const side = hasVerb ? peek(parsing) : first;
  const sign = sideSigns[side.text];
  if (sign === undefined && !isCross) {
    parsing.at = start;
    return left;
  }
  if (sign !== undefined && hasVerb) advance(parsing);
  const said = spanFrom(first.at, sign === undefined ? first.at : side.at);
  accept(parsing, 'than');
  const quiet = { ...parsing, problems: { ...parsing.problems, report: () => {} } };
  const right = parseExpression(quiet, SUM_POWER - 1);
  const other = right === undefined ? '...' : textAt(parsing, right.at);
  const crossed = `${sign === '<' ? 'crossunder' : 'crossover'}(${own}, ${other})`;
  const fix = isCross ? `write ${crossed}` : `write ${own} ${sign} ${other}`;
  failAt(parsing, said, `${quote(textAt(parsing, said))} is not part of the language`, fix);
  return;
}

const sideSigns: Partial<Record<string, '<' | '>'>> = {
  above: '>',
  over: '>',
  greater: '>',
  higher: '>',
  below: '<',
  under: '<',
  less: '<',
  lower: '<',
};

function parsePrefix(parsing: Parsing): Expression | undefined {
  const token = advance(parsing);
  if (token.kind === 'symbol' && token.text === '+') return parseExpression(parsing, MINUS_POWER);
  const isMinus = token.kind === 'symbol' && token.text === '-';
  if (isMinus || (token.kind === 'name' && token.text === 'not')) {
    const of = parseExpression(parsing, isMinus ? MINUS_POWER : NOT_POWER);
    if (of === undefined) return undefined;
    const at = spanFrom(token.at, of.at);
    return node(parsing, { kind: 'unary', sign: isMinus ? '-' : 'not', of, at });
  }
  const primary = parsePrimary(parsing, token);
  return primary === undefined ? undefined : parsePostfix(parsing, primary);
}

function parsePrimary(parsing: Parsing, token: Token): Expression | undefined {
  if (token.kind === 'number') return node(parsing, { kind: 'number', value: token.value ?? 0, at: token.at });
  if (token.kind === 'interval') return parseFrame(parsing, token);
  if (token.kind === 'symbol' && token.text === '(') return parseGroup(parsing, token);
  if (token.kind === 'name' && !notValues.has(token.text)) return parseName(parsing, token);
  if (endsStatement(token)) {
    if (token.kind === 'newline') parsing.at--;
    failAt(parsing, token.at, `a value is missing before ${describe(parsing, token)}`, 'write a value, such as close');
    return;
  }
  if (token.text === UNKNOWN_SIGN) return undefined;
  const fix = valueFixes[token.text] ?? 'write a value, such as close or rsi(14)';
  failAt(parsing, token.at, `expected a value instead of ${describe(parsing, token)}`, fix);
}

const notValues = new Set(
  'and or in when step after long short exit stop target trail break hold on risk size even opposite fixed reverse R'.split(
    ' ',
  ),
);
const valueFixes: Partial<Record<string, string>> = {
  '=': 'write == to compare',
  ')': 'remove the bracket or write a value before it',
  when: 'remove it',
};

function parseGroup(parsing: Parsing, open: Token): Expression | undefined {
  const inner = parseExpression(parsing);
  if (inner === undefined) return undefined;
  if (isAt(parsing, '..')) {
    failAt(parsing, open.at, 'a range after `in` has no brackets', 'write it like hour in 8..20');
    return;
  }
  const end = peek(parsing).at;
  if (!expectClose(parsing, ')')) return undefined;
  const whole: Expression = { ...inner, at: spanFrom(open.at, end) };
  parsing.grouped.add(whole);
  return whole;
}

function expectClose(parsing: Parsing, bracket: ')' | ']'): boolean {
  const token = peek(parsing);
  if (accept(parsing, bracket)) return true;
  const [message, fix] = misfit(parsing, token) ?? [
    `expected \`${bracket}\` instead of ${describe(parsing, token)}`,
    `write ${bracket} here`,
  ];
  failAt(parsing, token.at, message, fix);
  return false;
}

function parseFrame(parsing: Parsing, token: Token): Expression | undefined {
  const interval = token.text as Extract<Expression, { kind: 'frame' }>['interval'];
  if (!isAt(parsing, '(')) {
    const fix = `write ${token.text}(close)`;
    failAt(parsing, token.at, `${quote(token.text)} has no expression`, fix);
    return;
  }
  advance(parsing);
  const of = parseExpression(parsing);
  const end = peek(parsing).at;
  if (of === undefined || !expectClose(parsing, ')')) return undefined;
  return node(parsing, { kind: 'frame', interval, of, at: spanFrom(token.at, end) });
}

/** Prefixes of other languages, as in `ta.ema(close, 20)`. */
const prefixes = new Set('ta math strategy input indicators talib df self'.split(' '));

function parseName(parsing: Parsing, token: Token): Expression | undefined {
  const next = peek(parsing, 1);
  if (prefixes.has(token.text) && isAt(parsing, '.') && next.kind === 'name') {
    const isInput = token.text === 'input' || token.text === 'strategy';
    const fix = isInput ? 'write a parameter: length = 14 [5..50 step 1]' : `write ${next.text}`;
    const shown = spanFrom(token.at, next.at);
    failAt(parsing, shown, `${quote(textAt(parsing, shown))} is not known`, fix);
    if (isInput) return undefined;
    advance(parsing);
    return parseName(parsing, advance(parsing));
  }
  const { text: name, at: nameAt } = token;
  if (!accept(parsing, '(')) return node(parsing, { kind: 'name', name, at: nameAt });
  const inputs = parseArguments(parsing);
  if (inputs === undefined) return undefined;
  const at = { start: nameAt.start, end: parsing.tokens[parsing.at - 1]?.at.end ?? nameAt.end };
  return node(parsing, { kind: 'call', name, nameAt, inputs, at });
}

/** Up to the closing bracket, which is read. */
function parseArguments(parsing: Parsing): Argument[] | undefined {
  const inputs: Argument[] = [];
  if (accept(parsing, ')')) return inputs;
  for (;;) {
    const first = peek(parsing);
    const isNamed = first.kind === 'name' && isAt(parsing, '=', 1);
    if (isNamed) parsing.at += 2;
    const value = parseExpression(parsing);
    if (value === undefined) return undefined;
    inputs.push(isNamed ? { name: { text: first.text, at: first.at }, value } : { value });
    if (accept(parsing, ',')) continue;
    return expectClose(parsing, ')') ? inputs : undefined;
  }
}

function parsePostfix(parsing: Parsing, first: Expression): Expression | undefined {
  let of: Expression | undefined = first;
  while (of !== undefined) {
    if (isAt(parsing, '[')) of = parsePast(parsing, of);
    else if (isAt(parsing, '.')) of = parseOutput(parsing, of);
    else return of;
  }
  return undefined;
}

function parsePast(parsing: Parsing, of: Expression): Expression | undefined {
  advance(parsing);
  const back = parseExpression(parsing);
  if (back === undefined) return undefined;
  if (isAt(parsing, '..')) {
    const fix = 'write the range behind the number of a parameter: fast = 12 [5..50 step 1]';
    failAt(parsing, peek(parsing).at, 'a range belongs to a parameter', fix);
    return;
  }
  const end = peek(parsing).at;
  if (!expectClose(parsing, ']')) return undefined;
  return node(parsing, { kind: 'past', of, back, at: spanFrom(of.at, end) });
}

function parseOutput(parsing: Parsing, of: Expression): Expression | undefined {
  const dot = advance(parsing);
  const token = peek(parsing);
  if (token.kind !== 'name') {
    failAt(parsing, dot.at, 'the name of an output is missing', 'write it like macd(12, 26, 9).signal');
    return;
  }
  advance(parsing);
  return node(parsing, { kind: 'output', of, name: token.text, nameAt: token.at, at: spanFrom(of.at, token.at) });
}

function node(parsing: Parsing, expression: Expression): Expression | undefined {
  if (++parsing.nodes <= NODES_MAX) return expression;
  const fix = `shorten the text: name what is used twice, and use at most ${NODES_MAX} values, operators and calls`;
  if (parsing.nodes === NODES_MAX + 1) failAt(parsing, expression.at, `more than ${NODES_MAX} parts`, fix);
  // Nothing behind it is read.
  parsing.at = parsing.tokens.length - 1;
  return undefined;
}

/** Why a token cannot follow an expression, for the spellings that are seen often. */
export function misfit(parsing: Parsing, token: Token): readonly [message: string, fix: string] | undefined {
  const before = parsing.tokens[parsing.at - 1];
  const after = peek(parsing, 1);
  const shown = describe(parsing, token);
  if (token.kind === 'symbol' && token.text === '%') {
    return ['`%` stands only in stop, target, trail and risk', 'write a fraction: 0.02 for 2 %'];
  }
  if (token.kind === 'symbol' && token.text === ',' && before?.kind === 'number' && after.kind === 'number') {
    return ['`,` separates arguments', `write a decimal with a point: ${before.text}.${after.text}`];
  }
  if (token.kind === 'symbol' && token.text === UNKNOWN_SIGN) {
    return [`${shown} is not part of the language`, 'remove it'];
  }
  if (token.kind === 'number' || token.kind === 'name' || token.kind === 'interval' || isAt(parsing, '(')) {
    return [
      `an operator is missing before ${shown}`,
      'write and, or, a sign or a comma before it, or start a new line',
    ];
  }
  return undefined;
}
