// Long because it is one walk over the expressions: types, units, constants and names are found together.
import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { oneOf } from '../core/oneOf.ts';
import { checkFunction, checkIndicator } from './checkCall.ts';
import { type Checked, type Form, isTimeless, operationForm } from './checked.ts';
import { quote, type Span } from './problems.ts';
import { checkCount, constant, fail, FRAMES_MAX, ofType, operation, type Scope, textOf } from './scope.ts';
import { type BinarySign, type Expression, isComparison, spanFrom } from './syntax.ts';
import {
  functionsByName,
  type RuleSeries,
  type RuleType,
  type RuleUnit,
  seriesByName,
  suggestWord,
} from './vocabulary.ts';

export function checkExpression(scope: Scope, of: Expression): Checked | undefined {
  switch (of.kind) {
    case 'number':
      return constant(of.value, 'number', of.at);
    case 'name':
      return checkName(scope, of.name, of.at);
    case 'unary':
      return checkUnary(scope, of);
    case 'binary':
      return checkBinary(scope, of.sign, of.left, of.right, of.at);
    case 'within':
      return checkWithin(scope, of);
    case 'past':
      return checkPast(scope, of);
    case 'call':
      return checkCall(scope, of);
    case 'output':
      return checkOutput(scope, of);
    case 'frame':
      return checkFrame(scope, of);
  }
}

// --- Names ---

function checkName(scope: Scope, name: string, at: Span): Checked | undefined {
  if (scope.names.has(name)) {
    scope.used.add(name);
    const known = scope.names.get(name);
    return known && { ...known, at };
  }
  const series = seriesByName.get(name);
  if (series !== undefined) return seriesValue(series, at);
  if (indicatorEntry(name) !== undefined) return checkIndicator(scope, { name, nameAt: at, inputs: [], at }, []);
  const own = functionsByName.get(name);
  if (own !== undefined) {
    const words = own.takes.map((one) => one.name).join(', ');
    fail(scope, at, `${quote(name)} is a function and has no arguments here`, `write ${name}(${words})`);
    return;
  }
  failUnknown(scope, name, at);
}

export function failUnknown(scope: Scope, name: string, at: Span): undefined {
  if (scope.later.has(name)) {
    fail(scope, at, `${quote(name)} is used before its line`, `move the line of ${name} above this one`);
    return;
  }
  // Only names above the line: later ones are added before the list is made.
  const known = [...scope.names.keys()];
  fail(scope, at, `${quote(name)} is not known`, () => {
    const near = suggestWord(name, known);
    return near === undefined ? `define it above: ${name} = ...` : `write ${near}`;
  });
}

function seriesValue(series: RuleSeries, at: Span): Checked {
  const { name, unit, range, input, meanOf = [], isBaseOnly } = series;
  const plain: Omit<Checked, 'form'> = { type: 'number', unit, at };
  if (range !== undefined) plain.range = range;
  if (isBaseOnly === true) plain.baseOnly = name;
  const column = (index: number): Checked => ({ ...plain, form: { kind: 'input', input: index } });
  if (input !== undefined) return column(input);
  const apply = (op: number, operands: Checked[]): Checked => ({
    ...plain,
    form: operationForm({ op, operands, lookBack: 0 }),
  });
  const sum = meanOf.map(column).reduce((left, right) => apply(abi.OP_ADD, [left, right]));
  return apply(abi.OP_DIV, [sum, constant(meanOf.length, 'number', at)]);
}

// --- Operators ---

const opOf: Record<BinarySign, number> = {
  '+': abi.OP_ADD,
  '-': abi.OP_SUB,
  '*': abi.OP_MUL,
  '/': abi.OP_DIV,
  '<': abi.OP_LT,
  '<=': abi.OP_LE,
  '>': abi.OP_GT,
  '>=': abi.OP_GE,
  '==': abi.OP_EQ,
  '!=': abi.OP_NE,
  and: abi.OP_AND,
  or: abi.OP_OR,
};

function checkUnary(scope: Scope, { sign, of, at }: Extract<Expression, { kind: 'unary' }>): Checked | undefined {
  const inner = ofType(scope, checkExpression(scope, of), sign === '-' ? 'number' : 'condition');
  if (inner === undefined) return undefined;
  const unit = inner.unit === '0..100' ? 'none' : inner.unit;
  return operation(
    scope,
    { type: inner.type, unit, at },
    { op: sign === '-' ? abi.OP_NEG : abi.OP_NOT, operands: [inner] },
  );
}

function checkBinary(
  scope: Scope,
  sign: BinarySign,
  first: Expression,
  second: Expression,
  at: Span,
): Checked | undefined {
  const isLogic = sign === 'and' || sign === 'or';
  const type: RuleType = isLogic ? 'condition' : 'number';
  const left = ofType(scope, checkExpression(scope, first), type);
  const right = ofType(scope, checkExpression(scope, second), type);
  if (left === undefined || right === undefined) return undefined;
  const compares = isComparison(sign);
  if (compares) warnComparison(scope, left, right, at);
  const unit = isLogic || compares ? 'none' : unitOf(sign, left.unit, right.unit);
  const result = { type: isLogic || compares ? 'condition' : 'number', unit, at } as const;
  return operation(scope, result, { op: opOf[sign], operands: [left, right] });
}

/** A price times or plus a bare number is a price; a price over a price is a bare number. */
function unitOf(sign: '+' | '-' | '*' | '/', left: RuleUnit, right: RuleUnit): RuleUnit {
  const isScale = (unit: RuleUnit): boolean => unit === 'quote' || unit === 'base';
  if (sign === '+' || sign === '-') return isScale(left) ? left : isScale(right) ? right : 'none';
  if (sign === '*')
    return isScale(left) && isScale(right) ? 'none' : isScale(left) ? left : isScale(right) ? right : 'none';
  return isScale(left) && !isScale(right) ? left : 'none';
}

const scaleNames: Partial<Record<RuleUnit, string>> = {
  quote: 'a price',
  base: 'a volume',
  '0..100': 'a value from 0 to 100',
};

/** Comparisons that are allowed and hardly meant: of two scales, or with a number that is never reached. */
function warnComparison(scope: Scope, left: Checked, right: Checked, at: Span): void {
  const [one, other] = [scaleNames[left.unit], scaleNames[right.unit]];
  if (one !== undefined && other !== undefined && one !== other) {
    const fix = 'compare values of one scale, such as close > ema(close, 200) or rsi(14) < 30';
    scope.warnings.report(at, `compares ${one} with ${other}`, fix);
    return;
  }
  for (const [value, limit] of [
    [left, right],
    [right, left],
  ] as const) {
    const range = value.range ?? (value.unit === '0..100' ? ([0, 100] as const) : undefined);
    if (range === undefined || limit.form.kind !== 'constant' || isTimeless(value)) continue;
    const [low, high] = range;
    if (limit.form.value >= low && limit.form.value <= high) continue;
    const fix = `compare with a number from ${low} to ${high}`;
    scope.warnings.report(limit.at, `${quote(textOf(scope, value.at))} is always from ${low} to ${high}`, fix);
  }
}

function checkWithin(scope: Scope, within: Extract<Expression, { kind: 'within' }>): Checked | undefined {
  const { at } = within;
  const [of, low, high] = [within.of, within.low, within.high].map((one) =>
    ofType(scope, checkExpression(scope, one), 'number'),
  );
  if (of === undefined || low === undefined || high === undefined) return undefined;
  if (low.form.kind === 'constant' && high.form.kind === 'constant' && low.form.value > high.form.value) {
    const shown = textOf(scope, of.at);
    const fix = `write ${shown} >= ${low.form.value} or ${shown} <= ${high.form.value}`;
    fail(scope, spanFrom(low.at, high.at), 'the range ends below its start', fix);
    return;
  }
  warnComparison(scope, of, low, at);
  warnComparison(scope, of, high, at);
  const result = { type: 'condition', unit: 'none', at } as const;
  const above = operation(scope, result, { op: abi.OP_GE, operands: [of, low] });
  const below = operation(scope, result, { op: abi.OP_LE, operands: [of, high] });
  return above && below && operation(scope, result, { op: abi.OP_AND, operands: [above, below] });
}

function checkPast(scope: Scope, past: Extract<Expression, { kind: 'past' }>): Checked | undefined {
  const of = checkExpression(scope, past.of);
  const back = checkExpression(scope, past.back);
  if (of === undefined || back === undefined) return undefined;
  if (back.form.kind === 'constant' && back.form.value < 0) {
    const fix = `write ${textOf(scope, past.of.at)}[${-back.form.value}] for a candle before`;
    fail(scope, back.at, 'rules cannot see the future', fix);
    return;
  }
  const counted = checkCount(scope, back, { from: 0, to: abi.RULE_PERIOD_MAX }, 'a shift');
  if (counted === undefined) return undefined;
  const { quantity, most } = counted;
  const { type, unit, range } = of;
  const result = range === undefined ? { type, unit, at: past.at } : { type, unit, range, at: past.at };
  return operation(scope, result, { op: abi.OP_SHIFT, operands: [of], quantity, lookBack: most });
}

// --- Calls, outputs, longer intervals ---

function checkCall(scope: Scope, call: Extract<Expression, { kind: 'call' }>): Checked | undefined {
  const { name, nameAt } = call;
  if (!scope.names.has(name) && !seriesByName.has(name)) {
    const own = functionsByName.get(name);
    const inputs = call.inputs.map(({ value }) => checkExpression(scope, value));
    if (own !== undefined) return checkFunction(scope, own, call, inputs);
    if (indicatorEntry(name) !== undefined) return checkIndicator(scope, call, inputs);
    failUnknown(scope, name, nameAt);
    return;
  }
  scope.used.add(name);
  const [first] = call.inputs;
  const back = first?.value.kind === 'number' ? textOf(scope, first.value.at) : '1';
  fail(
    scope,
    nameAt,
    `${quote(name)} is a series and takes no arguments`,
    `write ${name}, or ${name}[${back}] for a candle before`,
  );
}

function checkOutput(
  scope: Scope,
  { of, name, nameAt, at }: Extract<Expression, { kind: 'output' }>,
): Checked | undefined {
  const isCall = of.kind === 'call' && !scope.names.has(of.name);
  const isBare = of.kind === 'name' && !scope.names.has(of.name);
  if ((isCall || isBare) && indicatorEntry(of.name) !== undefined) {
    const call = of.kind === 'call' ? of : { name: of.name, nameAt: of.at, inputs: [], at: of.at };
    const inputs = call.inputs.map(({ value }) => checkExpression(scope, value));
    return checkIndicator(scope, { ...call, at }, inputs, { name, at: nameAt });
  }
  const shown = textOf(scope, of.at);
  if (checkExpression(scope, of) === undefined) return;
  fail(scope, nameAt, `${quote(shown)} has no outputs`, `write ${shown}`);
}

function checkFrame(scope: Scope, { interval, of, at }: Extract<Expression, { kind: 'frame' }>): Checked | undefined {
  if (scope.isInFrame) {
    checkExpression(scope, of);
    fail(scope, at, 'an interval cannot stand inside another', 'write both beside each other');
    return;
  }
  const longer = intervals.filter((one) => intervalMs[one] > intervalMs[scope.base]);
  const isLonger = longer.includes(interval);
  if (isLonger) scope.frames.add(interval);
  const inner = checkExpression({ ...scope, isInFrame: true }, of);
  if (!isLonger) {
    const [only] = longer;
    const fix =
      only === undefined
        ? `use it on candles shorter than ${scope.base}`
        : longer.length === 1
          ? `write ${only}(${textOf(scope, of.at)})`
          : `use ${oneOf(longer)}`;
    fail(scope, at, `${interval} is not longer than the candles of ${scope.base}`, fix);
    return;
  }
  if (scope.frames.size > FRAMES_MAX) {
    fail(scope, at, `${scope.frames.size} longer intervals, at most ${FRAMES_MAX} are allowed`, 'remove one of them');
    return;
  }
  if (inner === undefined) return undefined;
  if (inner.baseOnly !== undefined) {
    fail(
      scope,
      of.at,
      `${quote(inner.baseOnly)} exists on the base interval only`,
      `write it outside ${interval}(...)`,
    );
    return;
  }
  const { type, unit, range } = inner;
  const form: Form = { kind: 'frame', interval, of: inner };
  const checked: Checked = { type, unit, at, baseOnly: `${interval}(...)`, form };
  return range === undefined ? checked : { ...checked, range };
}
