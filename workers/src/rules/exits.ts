import { type ParameterBounds, runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { liveExits, type StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { boundsOf, type Quantity } from './checked.ts';
import { failUnknown } from './check.ts';
import { fail, type Scope } from './scope.ts';
import type { Amount, ExitStatement, LevelSyntax } from './syntax.ts';

/** The exits of a rule set: those of a strategy, whose numbers may be parameters of the text. */
export interface RuleExits {
  direction: StrategyExits['direction'];
  stop: RuleLevel;
  /** `multiple`: times the stop. */
  target: { mode: RuleLevel['mode'] | 'multiple'; amount: Quantity };
  atrPeriod: Quantity;
  trailing: { mode: 'off' } | (RuleLevel & { stepPct: Quantity; activationPct: Quantity });
  breakEvenR: Quantity;
  onOpposite: StrategyExits['onOpposite'];
  holdingBarsMax: Quantity;
  sizing: { mode: 'fixed' } | { mode: 'risk'; riskPct: Quantity };
}

/** `percent`: 2 is 2 %. `atr`: a multiple. */
interface RuleLevel {
  mode: 'percent' | 'atr';
  amount: Quantity;
}

const fixed = (value: number): Quantity => ({ kind: 'constant', value });

/** Those of live signals: what a text without exits has. */
function defaultExits(direction: StrategyExits['direction']): RuleExits {
  return {
    direction,
    stop: { mode: 'atr', amount: fixed(runParameters.stopMultiple.default) },
    target: { mode: 'atr', amount: fixed(runParameters.targetMultiple.default) },
    atrPeriod: fixed(liveExits.atrPeriod),
    trailing: { mode: 'off' },
    breakEvenR: fixed(0),
    onOpposite: liveExits.onOpposite,
    holdingBarsMax: fixed(0),
    sizing: { mode: 'risk', riskPct: fixed(100 * runParameters.riskFraction.default) },
  };
}

/** @returns undefined when a statement has an error, which is reported */
export function checkExits(
  scope: Scope,
  statements: readonly ExitStatement[],
  direction: StrategyExits['direction'],
): RuleExits | undefined {
  const exits = defaultExits(direction);
  const before = scope.errors.count();
  const seen = new Map<string, ExitStatement>();
  const lineOf = createLineOf(scope);
  for (const statement of statements) {
    const kind = statement.kind === 'size fixed' ? 'risk' : statement.kind;
    const first = seen.get(kind);
    if (first === undefined) {
      seen.set(kind, statement);
      applyStatement(scope, exits, statement);
    } else failTwice(scope, statement, first, lineOf(first));
  }
  checkPeriods(scope, exits, statements);
  const target = seen.get('target') ?? seen.get('stop');
  if (target !== undefined && scope.errors.count() === before) checkMultiple(scope, exits, target);
  return scope.errors.count() === before ? exits : undefined;
}

/** Line of a statement, counted once: a text may repeat one hundreds of times. */
function createLineOf({ text }: Scope): (statement: ExitStatement) => number {
  const lines = new Map<ExitStatement, number>();
  return (statement) => {
    const line = lines.get(statement) ?? text.slice(0, statement.at.start).split(/\r\n?|\n/).length;
    lines.set(statement, line);
    return line;
  };
}

function failTwice(scope: Scope, statement: ExitStatement, first: ExitStatement, line: number): void {
  const names = statement.kind === first.kind ? `\`${first.kind}\` stands` : 'the size of a position stands';
  fail(scope, statement.at, `${names} in line ${line} already`, 'remove one of them');
}

function applyStatement(scope: Scope, exits: RuleExits, statement: ExitStatement): void {
  switch (statement.kind) {
    case 'stop': {
      const level = levelOf(scope, statement.level, runParameters.stopFraction, runParameters.stopMultiple);
      if (level !== undefined && isDistance(level)) exits.stop = level;
      return;
    }
    case 'target':
      exits.target =
        levelOf(scope, statement.level, runParameters.targetFraction, runParameters.targetMultiple) ?? exits.target;
      return;
    case 'trail':
      exits.trailing = trailingOf(scope, statement) ?? exits.trailing;
      return;
    case 'break even':
      exits.breakEvenR = amountOr(exits.breakEvenR, scope, statement.amount, runParameters.breakEvenR);
      return;
    case 'hold':
      exits.holdingBarsMax = amountOr(exits.holdingBarsMax, scope, statement.amount, runParameters.holdingBarsMax);
      return;
    case 'on opposite':
      exits.onOpposite = statement.action;
      return;
    case 'risk':
      exits.sizing = riskOf(scope, statement.amount) ?? exits.sizing;
      return;
    case 'size fixed':
      exits.sizing = { mode: 'fixed' };
  }
}

function trailingOf(
  scope: Scope,
  statement: Extract<ExitStatement, { kind: 'trail' }>,
): RuleExits['trailing'] | undefined {
  const { step, after } = statement;
  const level = levelOf(scope, statement.level, trailBounds.distance, runParameters.trailingMultiple);
  const stepPct = step === undefined ? fixed(0) : amountOf(scope, step, trailBounds.step, 100);
  const activationPct = after === undefined ? fixed(0) : amountOf(scope, after, trailBounds.after, 100);
  if (level === undefined || !isDistance(level) || stepPct === undefined || activationPct === undefined)
    return undefined;
  return { ...level, stepPct, activationPct };
}

const amountOr = (before: Quantity, scope: Scope, amount: Amount, field: ParameterBounds): Quantity =>
  amountOf(scope, amount, field) ?? before;

function riskOf(scope: Scope, amount: Amount): RuleExits['sizing'] | undefined {
  const riskPct = amountOf(scope, amount, runParameters.riskFraction, 100);
  return riskPct && { mode: 'risk', riskPct };
}

const isDistance = (level: { mode: RuleLevel['mode'] | 'multiple'; amount: Quantity }): level is RuleLevel =>
  level.mode !== 'multiple';

/** Bounds of the parts of a trailing stop, fractions. One at the best price itself is none. */
export const trailBounds: Record<'distance' | 'step' | 'after', ParameterBounds> = {
  distance: { ...runParameters.callbackFraction, isOpen: true },
  step: runParameters.stepFraction,
  after: runParameters.activationFraction,
};

function levelOf(
  scope: Scope,
  { unit, amount }: LevelSyntax,
  fraction: ParameterBounds,
  multiple: ParameterBounds,
): { mode: RuleLevel['mode'] | 'multiple'; amount: Quantity } | undefined {
  const field = unit === '%' ? fraction : unit === 'atr' ? multiple : timesTheStop;
  const quantity = amountOf(scope, amount, field, unit === '%' ? 100 : 1);
  const mode = { '%': 'percent', atr: 'atr', R: 'multiple' } as const;
  return quantity && { mode: mode[unit], amount: quantity };
}

/** The product with the stop has the bounds of a target: checkMultiple. */
const timesTheStop: ParameterBounds = { min: 0, max: 1000, isOpen: true };

/** A number or parameter within the bounds of a field, in all of its range. @param scale 100 where the text has percent */
function amountOf(scope: Scope, amount: Amount, field: ParameterBounds, scale = 1): Quantity | undefined {
  const quantity = resolveAmount(scope, amount);
  if (quantity === undefined) return undefined;
  const { min, max, isOpen, isInteger } = field;
  const wrong = boundsOf(quantity, scope.parameters).find((value) => {
    const own = value / scale;
    return (
      !(own >= min && own <= max) || (isOpen === true && own === min) || (isInteger === true && !Number.isInteger(own))
    );
  });
  const parameter = quantity.kind === 'parameter' ? scope.parameters[quantity.index] : undefined;
  const isPartStep = isInteger === true && parameter !== undefined && !Number.isInteger(parameter.step);
  if (wrong === undefined && !isPartStep) return quantity;
  const unit = scale === 100 ? ' %' : '';
  const from = isOpen === true ? `above ${min * scale}` : `from ${min * scale}`;
  const kind = isInteger === true ? 'a whole number' : 'a number';
  const result = wrong === undefined ? `has a step of ${parameter?.step}` : `is ${wrong}${unit}`;
  fail(scope, amount.at, `the number ${result}`, `use ${kind} ${from} to ${max * scale}${unit}`);
}

function resolveAmount(scope: Scope, amount: Amount): Quantity | undefined {
  if (amount.kind === 'number') return fixed(amount.value);
  const { name, at } = amount;
  if (!scope.names.has(name)) {
    failUnknown(scope, name, at);
    return;
  }
  scope.used.add(name);
  const known = scope.names.get(name);
  if (known === undefined) return undefined;
  if (known.form.kind === 'constant' || known.form.kind === 'parameter') return known.form;
  fail(scope, at, `\`${name}\` is a series, and an exit has one number`, 'write a number or the name of a parameter');
}

/** Every average true range of the exits has one period. */
function checkPeriods(scope: Scope, exits: RuleExits, statements: readonly ExitStatement[]): void {
  let first: Quantity | undefined;
  for (const statement of statements) {
    if (!('level' in statement) || statement.level.unit !== 'atr') continue;
    const { period, amount } = statement.level;
    const own = period ? amountOf(scope, period, runParameters.atrPeriod) : fixed(runParameters.atrPeriod.default);
    if (own === undefined) continue;
    first ??= own;
    if (JSON.stringify(own) === JSON.stringify(first)) continue;
    fail(
      scope,
      (period ?? amount).at,
      'the exits have one period of `atr`, and this is another one',
      'use one period in stop, target and trail',
    );
  }
  if (first !== undefined) exits.atrPeriod = first;
}

/** `target 3R` within the bounds of a target, for every stop of the range. */
function checkMultiple(scope: Scope, { stop, target }: RuleExits, { at }: ExitStatement): void {
  if (target.mode !== 'multiple') return;
  const isPercent = stop.mode === 'percent';
  const { min, max } = isPercent ? runParameters.targetFraction : runParameters.targetMultiple;
  const scale = isPercent ? 100 : 1;
  const stops = boundsOf(stop.amount, scope.parameters);
  const wrong = boundsOf(target.amount, scope.parameters)
    .flatMap((times) => stops.map((distance) => times * distance))
    .find((distance) => !(distance / scale >= min && distance / scale <= max));
  if (wrong === undefined) return;
  const unit = isPercent ? ' %' : ' * atr';
  fail(
    scope,
    at,
    `the target is ${wrong}${unit} away`,
    `use a product of stop and R from ${min * scale} to ${max * scale}${unit}`,
  );
}

/** @param values of the parameters, in their order. The text's own ones give its exits. */
export function exitsFor(exits: RuleExits, values: readonly number[]): StrategyExits {
  const read = (quantity: Quantity): number => {
    if (quantity.kind === 'constant') return quantity.value;
    const value = values[quantity.index];
    if (value === undefined) throw new Error(`parameter ${quantity.index} has no value`);
    return value;
  };
  const percent = (quantity: Quantity): number => read(quantity) / 100;
  const levelFor = ({ mode, amount }: RuleLevel, times = 1): StrategyExits['stop'] =>
    mode === 'percent' ? { mode, fraction: percent(amount) * times } : { mode, multiple: read(amount) * times };
  const { stop, target, trailing, sizing } = exits;
  return {
    direction: exits.direction,
    stop: levelFor(stop),
    target:
      target.mode === 'multiple'
        ? levelFor(stop, read(target.amount))
        : levelFor({ mode: target.mode, amount: target.amount }),
    atrPeriod: read(exits.atrPeriod),
    trailing: {
      ...liveExits.trailing,
      mode: trailing.mode,
      ...(trailing.mode === 'off' ? undefined : trailingFor(trailing, read, percent)),
    },
    breakEvenR: read(exits.breakEvenR),
    onOpposite: exits.onOpposite,
    holdingBarsMax: read(exits.holdingBarsMax),
    sizing:
      sizing.mode === 'risk'
        ? { mode: 'risk', riskFraction: percent(sizing.riskPct), isCompounding: false }
        : { ...liveExits.sizing, mode: 'fixed' },
  };
}

function trailingFor(
  trailing: Exclude<RuleExits['trailing'], { mode: 'off' }>,
  read: (quantity: Quantity) => number,
  percent: (quantity: Quantity) => number,
): Partial<StrategyExits['trailing']> {
  const shared = { stepFraction: percent(trailing.stepPct), activationFraction: percent(trailing.activationPct) };
  return trailing.mode === 'percent'
    ? { ...shared, callbackFraction: percent(trailing.amount) }
    : { ...shared, atrMultiple: read(trailing.amount) };
}
