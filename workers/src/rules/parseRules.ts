// Long because it is one parser of statements: each kind of statement stands once.
import {
  accept,
  advance,
  describe,
  endsStatement,
  failAt,
  isAt,
  misfit,
  parseExpression,
  type Parsing,
  peek,
  textAt,
} from './parseExpression.ts';
import { type Problems, quote, type Span } from './problems.ts';
import {
  type Amount,
  type ConditionKind,
  type ExitStatement,
  type LevelSyntax,
  type ParameterRange,
  spanFrom,
  type Statement,
} from './syntax.ts';
import { significantTokens, readTokens, type Token } from './tokens.ts';
import { isReserved, nearestWord, ruleStatements, statementWords } from './vocabulary.ts';

/** The statements of a text. A statement with a syntax error is left out, or stays without its expression. */
export function parseRules(text: string, problems: Problems): Statement[] {
  const tokens = significantTokens(readTokens(text, problems));
  const parsing: Parsing = { text, tokens, at: 0, problems, nodes: 0, depth: 0, grouped: new WeakSet() };
  const statements: Statement[] = [];
  while (peek(parsing).kind !== 'end') {
    if (peek(parsing).kind === 'newline') {
      advance(parsing);
      continue;
    }
    parsing.depth = 0;
    const statement = parseStatement(parsing);
    if (statement !== undefined) {
      statements.push(expectEnd(parsing, statement));
    }
    while (!endsStatement(peek(parsing))) advance(parsing);
  }
  return statements;
}

/** The statement, without an expression that could not be read up to the end of the line. */
function expectEnd(parsing: Parsing, statement: Statement): Statement {
  const hasExpression = statement.kind === 'value' || statement.kind === 'condition';
  const token = peek(parsing);
  // Behind a part that could not be read, nothing is expected.
  if (endsStatement(token) || (hasExpression && statement.of === undefined)) return statement;
  const isBracket = token.text === ')' || token.text === ']';
  const [message, fix] = misfit(parsing, token) ?? [
    `expected the end of the line instead of ${describe(parsing, token)}`,
    isBracket ? 'remove the bracket or open one before it' : 'remove it or start a new line',
  ];
  failAt(parsing, token.at, message, fix);
  if (!hasExpression) return statement;
  const { of: _, ...rest } = statement;
  return rest;
}

function parseStatement(parsing: Parsing): Statement | undefined {
  const token = peek(parsing);
  const next = peek(parsing, 1);
  if (token.kind !== 'name') {
    failStatement(parsing, token);
    return;
  }
  if (next.kind === 'symbol' && (next.text === '=' || next.text === '==')) return parseDefinition(parsing);
  if (token.text === 'long' || token.text === 'short') return parseEntry(parsing);
  if (token.text === 'exit') return parseExit(parsing);
  const read = exitReaders[token.text];
  if (read === undefined) {
    failStatement(parsing, token);
    return;
  }
  advance(parsing);
  const of = read(parsing, token);
  if (of === undefined) return undefined;
  return { ...of, at: spanFrom(token.at, parsing.tokens[parsing.at - 1]?.at ?? token.at) };
}

const foreignStatements: Partial<Record<string, string>> = {
  buy: 'long when ...',
  sell: 'short when ... or exit long when ...',
  enter: 'long when ...',
  entry: 'long when ...',
  go: 'long when ...',
  when: 'long when ...',
  strategy: 'long when ...',
  close_long: 'exit long when ...',
  sl: 'stop 2 %',
  stoploss: 'stop 2 %',
  stop_loss: 'stop 2 %',
  tp: 'target 3R',
  takeprofit: 'target 3R',
  take_profit: 'target 3R',
  trailing: 'trail 1 %',
  breakeven: 'break even after 1R',
  var: 'name = value',
  let: 'name = value',
  input: 'name = 12 [5..50 step 1]',
  leverage: 'risk 1 %',
};

function failStatement(parsing: Parsing, token: Token): undefined {
  const shown = describe(parsing, token);
  const own = foreignStatements[token.text.toLowerCase()];
  if (own !== undefined) {
    failAt(parsing, token.at, `${shown} starts no statement`, `write ${own}`);
    return;
  }
  const next = peek(parsing, 1);
  const isDefinition = next.kind === 'symbol' && next.text === '?' && textAt(parsing, next.at) === ':';
  if (isDefinition) {
    failAt(parsing, next.at, 'a definition has `=`', `write ${token.text} = ...`);
    return;
  }
  const isWord = token.kind === 'name' && (next.kind === 'name' || next.kind === 'number');
  failAt(parsing, token.at, `${shown} starts no statement`, () => {
    const near = isWord ? nearestWord(token.text, statementWords) : undefined;
    const form = ruleStatements.find(({ word }) => word === near)?.form;
    return form === undefined ? `write long when ${restOfLine(parsing, token)}, or name = ...` : `write ${form}`;
  });
}

function restOfLine(parsing: Parsing, token: Token): string {
  const rest = parsing.text.slice(token.at.start).split(/[\r\n;]/, 1)[0] ?? '';
  return rest.length > 40 || rest === '' ? '...' : rest.trim();
}

// --- Definitions ---

function parseDefinition(parsing: Parsing): Statement | undefined {
  const { text: name, at: nameAt } = advance(parsing);
  const sign = advance(parsing);
  if (sign.text === '==') failAt(parsing, sign.at, '`==` compares', `write ${name} = ... to give it a value`);
  if (isReserved(name)) {
    failAt(parsing, nameAt, `${quote(name)} is a word of the language`, `use another name, such as my_${name}`);
  }
  const isMinus = isAt(parsing, '-') && peek(parsing, 1).kind === 'number';
  const number = peek(parsing, isMinus ? 1 : 0);
  const after = peek(parsing, isMinus ? 2 : 1);
  const isPlain = endsStatement(after) || (after.kind === 'symbol' && (after.text === '[' || after.text === '%'));
  if (number.kind === 'number' && isPlain) return parseParameter(parsing, name, nameAt);
  const of = parseExpression(parsing);
  const at = spanFrom(nameAt, of?.at ?? nameAt);
  return of === undefined ? { kind: 'value', name, nameAt, at } : { kind: 'value', name, nameAt, of, at };
}

function parseParameter(parsing: Parsing, name: string, nameAt: Span): Statement | undefined {
  const { value, at: valueAt } = parseSigned(parsing) ?? { value: 0, at: nameAt };
  const percent = peek(parsing);
  if (accept(parsing, '%')) {
    failAt(
      parsing,
      percent.at,
      'a parameter has no unit',
      `write ${name} = ${value}, and the % where it is used: stop ${name} %`,
    );
  }
  const statement = { kind: 'parameter', name, nameAt, value, valueAt, at: nameAt } as const;
  if (!isAt(parsing, '[')) return statement;
  const range = parseRange(parsing, value);
  return range === undefined ? { kind: 'value', name, nameAt, at: nameAt } : { ...statement, range };
}

/** A number with its sign. */
function parseSigned(parsing: Parsing): (Amount & { kind: 'number' }) | undefined {
  const sign = peek(parsing);
  const isMinus = accept(parsing, '-');
  const token = peek(parsing);
  if (token.kind !== 'number') return undefined;
  advance(parsing);
  const value = token.value ?? 0;
  return { kind: 'number', value: isMinus ? -value : value, at: isMinus ? spanFrom(sign.at, token.at) : token.at };
}

function parseRange(parsing: Parsing, value: number): ParameterRange | undefined {
  const open = advance(parsing);
  const fix = `write it like ${value} [5..50 step 1]`;
  const fail = (): void => {
    const next = peek(parsing);
    const isEarlyEnd = endsStatement(next) || next.text === ']';
    const message = isEarlyEnd ? 'the range is not complete' : `${describe(parsing, next)} does not belong in a range`;
    failAt(parsing, next.at, message, fix);
  };
  const from = parseSigned(parsing);
  if (from === undefined || !accept(parsing, '..')) {
    fail();
    return;
  }
  const to = parseSigned(parsing);
  if (to === undefined) {
    fail();
    return;
  }
  if (isAt(parsing, ']')) {
    failAt(parsing, peek(parsing).at, 'the step of the range is missing', `write [${from.value}..${to.value} step 1]`);
    return;
  }
  if (!accept(parsing, 'step')) {
    fail();
    return;
  }
  const step = parseSigned(parsing);
  if (step === undefined) {
    fail();
    return;
  }
  const end = peek(parsing).at;
  if (!accept(parsing, ']')) {
    fail();
    return;
  }
  return { from: from.value, to: to.value, step: step.value, at: spanFrom(open.at, end) };
}

// --- Entries and exits by a condition ---

function parseEntry(parsing: Parsing): Statement | undefined {
  const word = advance(parsing);
  return parseCondition(parsing, word, word.text === 'long' ? 'long' : 'short', word.text);
}

function parseExit(parsing: Parsing): Statement | undefined {
  const word = advance(parsing);
  const side = peek(parsing);
  if (side.text !== 'long' && side.text !== 'short') {
    const fix = 'write exit long when ... or exit short when ...';
    failAt(parsing, side.at, `\`exit\` names no side before ${describe(parsing, side)}`, fix);
    return;
  }
  advance(parsing);
  return parseCondition(parsing, word, side.text === 'long' ? 'exitLong' : 'exitShort', `exit ${side.text}`);
}

function parseCondition(parsing: Parsing, word: Token, side: ConditionKind, said: string): Statement | undefined {
  const token = peek(parsing);
  if (!accept(parsing, 'when')) {
    // Another word or sign in its place is skipped: the condition is still read.
    const isOther = /^(if|where|while|on|=|:|\?)$/.test(token.text);
    failAt(parsing, token.at, `\`when\` is missing after \`${said}\``, `write ${said} when ...`);
    if (isOther) advance(parsing);
    if (endsStatement(peek(parsing))) return { kind: 'condition', side, at: word.at };
  }
  const of = parseExpression(parsing);
  return of === undefined
    ? { kind: 'condition', side, at: word.at }
    : { kind: 'condition', side, of, at: spanFrom(word.at, of.at) };
}

// --- Exits by distance, time and size ---

type ExitReader = (parsing: Parsing, word: Token) => ExitStatement | undefined;

const exitReaders: Partial<Record<string, ExitReader>> = {
  stop: (parsing, { at }) => {
    const level = parseLevel(parsing, 'stop 2 * atr(14) or stop 2 %');
    if (level?.unit !== 'R') return level && { kind: 'stop', level, at };
    failAt(parsing, level.amount.at, 'R is the distance of the stop itself', 'write stop 2 % or stop 2 * atr(14)');
  },
  target: (parsing, { at }) => {
    const level = parseLevel(parsing, 'target 3R, target 4 % or target 4 * atr(14)');
    return level && { kind: 'target', level, at };
  },
  trail: parseTrail,
  break: (parsing, { at }) => {
    const fix = 'write break even after 1R';
    if (!expectWord(parsing, 'even', fix) || !expectWord(parsing, 'after', fix)) return undefined;
    const amount = parseAmount(parsing, fix);
    return amount && expectWord(parsing, 'R', fix) ? { kind: 'break even', amount, at } : undefined;
  },
  hold: (parsing, { at }) => {
    const amount = parseAmount(parsing, 'write hold 24, in candles');
    if (isAt(parsing, 'candles') || isAt(parsing, 'bars')) {
      failAt(parsing, peek(parsing).at, '`hold` counts candles without a unit', 'write hold 24');
      advance(parsing);
    }
    return amount && { kind: 'hold', amount, at };
  },
  on: parseOpposite,
  risk: (parsing, { at }) => {
    const amount = parseAmount(parsing, 'write risk 1 %');
    return amount && expectWord(parsing, '%', 'write risk 1 %') ? { kind: 'risk', amount, at } : undefined;
  },
  size: (parsing, { at }) =>
    expectWord(parsing, 'fixed', 'write size fixed, or risk 1 %') ? { kind: 'size fixed', at } : undefined,
};

function expectWord(parsing: Parsing, word: string, fix: string): boolean {
  if (accept(parsing, word)) return true;
  const token = peek(parsing);
  failAt(parsing, token.at, `expected \`${word}\` instead of ${describe(parsing, token)}`, fix);
  return false;
}

function parseAmount(parsing: Parsing, fix: string): Amount | undefined {
  const token = peek(parsing);
  if (token.kind === 'number') {
    advance(parsing);
    if (isAt(parsing, ',') && peek(parsing, 1).kind === 'number') {
      const [message, own] = misfit(parsing, peek(parsing)) ?? ['', ''];
      failAt(parsing, peek(parsing).at, message, own);
      return;
    }
    return { kind: 'number', value: token.value ?? 0, at: token.at };
  }
  if (token.kind === 'name' && !isReserved(token.text)) {
    advance(parsing);
    return { kind: 'name', name: token.text, at: token.at };
  }
  failAt(parsing, token.at, `expected a number instead of ${describe(parsing, token)}`, fix);
}

function parseLevel(parsing: Parsing, forms: string): LevelSyntax | undefined {
  const fix = `write ${forms}`;
  if (isAt(parsing, 'atr')) {
    failAt(parsing, peek(parsing).at, 'the multiple of `atr` is missing', 'write it like 1 * atr(14)');
    return;
  }
  const amount = parseAmount(parsing, fix);
  if (amount === undefined) return undefined;
  if (accept(parsing, '%')) return { unit: '%', amount };
  if (accept(parsing, 'R')) return { unit: 'R', amount };
  const sign = peek(parsing);
  if (!accept(parsing, '*')) {
    const shown = textAt(parsing, amount.at);
    const own = sign.text === 'atr' ? `write ${shown} * atr(14)` : `write a unit: ${shown} % or ${shown} * atr(14)`;
    failAt(parsing, sign.at, `the unit of the distance is missing before ${describe(parsing, sign)}`, own);
    return;
  }
  if (!expectWord(parsing, 'atr', fix)) return undefined;
  if (!accept(parsing, '(') || accept(parsing, ')')) return { unit: 'atr', amount };
  const period = parseAmount(parsing, fix);
  return period && expectWord(parsing, ')', fix) ? { unit: 'atr', amount, period } : undefined;
}

function parseTrail(parsing: Parsing, { at }: Token): ExitStatement | undefined {
  const fix = 'write trail 1 % step 0.2 % after 2 %, or trail 2 * atr(14)';
  const level = parseLevel(parsing, 'trail 1 % or trail 2 * atr(14)');
  if (level === undefined) return undefined;
  if (level.unit === 'R') {
    failAt(parsing, level.amount.at, 'a trailing stop has no R', fix);
    return;
  }
  const parts: { step?: Amount; after?: Amount } = {};
  for (const word of ['step', 'after'] as const) {
    if (!accept(parsing, word)) continue;
    const amount = parseAmount(parsing, fix);
    if (amount === undefined || !expectWord(parsing, '%', fix)) return undefined;
    parts[word] = amount;
  }
  return { kind: 'trail', level, ...parts, at };
}

function parseOpposite(parsing: Parsing, { at }: Token): ExitStatement | undefined {
  const fix = 'write on opposite hold, on opposite exit or on opposite reverse';
  if (!expectWord(parsing, 'opposite', fix)) return undefined;
  const token = peek(parsing);
  if (token.text === 'hold' || token.text === 'exit' || token.text === 'reverse') {
    advance(parsing);
    return { kind: 'on opposite', action: token.text, at };
  }
  failAt(parsing, token.at, `expected hold, exit or reverse instead of ${describe(parsing, token)}`, fix);
}
