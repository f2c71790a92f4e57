import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry, IndicatorParameter } from '@sextant/engine-as/abi/registryTypes.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { oneOf } from '../core/oneOf.ts';
import { boundsOf, type Checked, isTimeless, type Quantity } from './checked.ts';
import { quote, type Span } from './problems.ts';
import { checkCount, constant, fail, ofType, operation, type Scope, textOf, withBase } from './scope.ts';
import type { Argument, Expression } from './syntax.ts';
import {
  functionSignature,
  indicatorSignature,
  nearestWord,
  type RuleArgument,
  type RuleFunction,
  type RuleType,
  type RuleUnit,
  takesSource,
} from './vocabulary.ts';

/** Arguments in order; undefined for one with an error. */
type Inputs = readonly (Checked | undefined)[];
type Call = Omit<Extract<Expression, { kind: 'call' }>, 'kind'>;

// --- Functions ---

interface Taken {
  operands: Checked[];
  quantity?: Quantity;
  occurrence?: number;
  most: number;
}

export function checkFunction(scope: Scope, own: RuleFunction, call: Call, inputs: Inputs): Checked | undefined {
  const signature = functionSignature(own);
  const named = call.inputs.find(({ name }) => name !== undefined)?.name;
  if (named !== undefined) {
    fail(scope, named.at, `${quote(own.name)} takes its arguments by position`, `write ${signature}`);
    return;
  }
  const least = own.takes.filter((one) => one.default === undefined).length;
  const given = call.inputs.length;
  if (given < least || given > own.takes.length) {
    const count = least === own.takes.length ? `${least}` : `${least} to ${own.takes.length}`;
    const message = `${quote(own.name)} takes ${count} argument${count === '1' ? '' : 's'}, ${given} given`;
    fail(
      scope,
      given > own.takes.length ? extraAt(call, own.takes.length) : call.nameAt,
      message,
      `write ${signature}`,
    );
    return;
  }
  const taken = takeAll(scope, own, call, inputs);
  if (taken === undefined) return undefined;
  const [first] = own.takes.flatMap(({ kind }, i) => (kind === 'any' ? [taken.operands[i]?.type ?? 'number'] : []));
  const type: RuleType = own.returns === 'any' ? (first ?? 'number') : own.returns;
  const { operands, quantity, occurrence, most } = taken;
  const parts = { op: own.op, operands, lookBack: own.lookBack(most) };
  const result = { type, unit: type === 'condition' ? 'none' : unitOf(own, operands), at: call.at } as const;
  if (quantity !== undefined) return operation(scope, result, { ...parts, quantity });
  return operation(scope, result, occurrence === undefined ? parts : { ...parts, occurrence });
}

const extraAt = ({ inputs, at }: Call, count: number): Span => inputs[count]?.value.at ?? at;

function takeAll(scope: Scope, own: RuleFunction, call: Call, inputs: Inputs): Taken | undefined {
  const taken: Taken = { operands: [], most: 0 };
  const firstAny = own.takes.findIndex(({ kind }) => kind === 'any');
  const any = inputs[firstAny]?.type ?? 'number';
  const areTaken = own.takes.map((wanted, i) => {
    const checked = i < inputs.length ? inputs[i] : constant(wanted.default ?? 0, defaultType(wanted, any), call.at);
    if (checked === undefined) return false;
    if (wanted.kind !== 'number' && wanted.kind !== 'condition' && wanted.kind !== 'any') {
      return takeCount(scope, own, wanted, checked, taken);
    }
    const operand = ofType(scope, checked, wanted.kind === 'any' ? any : wanted.kind);
    if (operand !== undefined) taken.operands.push(operand);
    return operand !== undefined;
  });
  return areTaken.every(Boolean) ? taken : undefined;
}

const defaultType = ({ kind }: RuleArgument, any: RuleType): RuleType => (kind === 'any' ? any : 'number');

function takeCount(scope: Scope, own: RuleFunction, wanted: RuleArgument, checked: Checked, taken: Taken): boolean {
  const what = `${wanted.name} of ${own.name}`;
  if (wanted.kind === 'occurrence') {
    const counted = checkCount(scope, checked, { from: 0, to: abi.RULE_OCCURRENCE_MAX }, what);
    if (counted?.quantity.kind === 'parameter') {
      fail(scope, checked.at, `${what} cannot be searched`, 'write a number');
      return false;
    }
    if (counted !== undefined) taken.occurrence = counted.most;
    return counted !== undefined;
  }
  const counted = checkCount(scope, checked, { from: 1, to: abi.RULE_PERIOD_MAX }, what);
  if (counted === undefined) return false;
  taken.quantity = counted.quantity;
  taken.most = counted.most;
  return true;
}

function unitOf({ unit, takes, op }: RuleFunction, operands: readonly Checked[]): RuleUnit {
  if (unit === 'none' || unit === '0..100') return unit;
  const numbers = operands.filter((operand) => operand.type === 'number');
  const match = numbers.find((operand) => operand.unit === 'quote' || operand.unit === 'base') ?? numbers[0];
  const own = match?.unit ?? 'none';
  // The larger of an oscillator and a bare number need not be from 0 to 100.
  const isMixed = takes.length > 1 && op !== abi.OP_VALUEWHEN && numbers.some((operand) => operand.unit !== own);
  return own === '0..100' && (unit === 'difference' || isMixed) ? 'none' : own;
}

// --- Indicators ---

interface Slots {
  source?: Argument;
  /** By parameter name. */
  values: Map<string, Argument>;
}

export function checkIndicator(
  scope: Scope,
  call: Call,
  checks: Inputs,
  output?: { name: string; at: Span },
): Checked | undefined {
  const entry = entryOf(call.name);
  const index = outputIndex(scope, entry, call, output);
  const slots = assign(scope, entry, call, checks);
  if (slots === undefined || index === undefined || checks.includes(undefined)) return undefined;
  const of = (argument: Argument): Checked | undefined => checks[call.inputs.indexOf(argument)];
  const source = slots.source && ofType(scope, of(slots.source), 'number');
  if (slots.source !== undefined && source === undefined) return undefined;
  const parameters = quantities(scope, entry, slots, of);
  if (parameters === undefined || !respectsOrder(scope, entry, parameters, call)) return undefined;
  const most = entry.alias?.params ?? namedBounds(scope, entry, parameters, 2);
  const declared = entry.outputs[index];
  if (declared === undefined) throw new Error(`${entry.id} has no output ${index}`);
  const plain = { kind: 'indicator', entry, output: index, parameters, lookBack: declared.warmup(most) } as const;
  const checked = { type: 'number', unit: declared.unit, at: call.at } as const;
  if (source === undefined) return { ...checked, form: plain };
  const unit = declared.unit === 'quote' ? averageUnit(source) : declared.unit;
  return withBase({ ...checked, unit, form: { ...plain, source } }, [source]);
}

function entryOf(id: string): IndicatorEntry {
  const entry = indicatorEntry(id);
  if (entry === undefined) throw new Error(`the registry has no ${id}`);
  return entry;
}

/** An average of another series has its unit. */
const averageUnit = ({ unit }: Checked): RuleUnit => (unit === '-1 or 1' ? 'none' : unit);

function outputIndex(
  scope: Scope,
  entry: IndicatorEntry,
  call: Call,
  output?: { name: string; at: Span },
): number | undefined {
  if (output === undefined) return 0;
  const index = entry.outputs.findIndex(({ name }) => name === output.name);
  if (index >= 0) return index;
  const names = entry.outputs.map(({ name }) => name);
  const near = names.length === 1 ? names[0] : nearestWord(output.name, names);
  const whole = call.inputs.length === 0 ? call.name : `${call.name}(...)`;
  const fix = near === undefined ? `use ${oneOf(names.map((name) => `.${name}`))}` : `write ${whole}.${near}`;
  fail(scope, output.at, `${quote(call.name)} has no output ${quote(output.name)}`, fix);
}

/** Which argument is the source and which are parameters. A first argument with candles in it is the source. */
function assign(scope: Scope, entry: IndicatorEntry, call: Call, checks: Inputs): Slots | undefined {
  const slots: Slots = { values: new Map() };
  const [first] = call.inputs;
  const [firstChecked] = checks;
  const isSource =
    first !== undefined && first.name === undefined && firstChecked !== undefined && !isTimeless(firstChecked);
  if (isSource && !takesSource(entry)) {
    const fix = `write ${indicatorSignature(entry)}`;
    fail(scope, first.value.at, `${quote(entry.id)} reads the candles and takes no series`, fix);
    return;
  }
  if (isSource) slots.source = first;
  let place = 0;
  for (const argument of isSource ? call.inputs.slice(1) : call.inputs) {
    const declared: IndicatorParameter | undefined =
      argument.name === undefined
        ? entry.parameters[place++]
        : entry.parameters.find(({ name }) => name === argument.name?.text);
    if (declared === undefined) {
      failExtra(scope, entry, argument);
      return;
    }
    if (slots.values.has(declared.name)) {
      fail(
        scope,
        argument.name?.at ?? argument.value.at,
        `${quote(declared.name)} is given twice`,
        'remove one of them',
      );
      return;
    }
    slots.values.set(declared.name, argument);
  }
  return slots;
}

function failExtra(scope: Scope, entry: IndicatorEntry, { name, value }: Argument): undefined {
  const names = entry.parameters.map((one) => one.name);
  const signature = `write ${indicatorSignature(entry)}`;
  if (name !== undefined) {
    const near = nearestWord(name.text, names);
    const fix = near === undefined ? signature : `write ${near} = ${textOf(scope, value.at)}`;
    fail(scope, name.at, `${quote(name.text)} is not a parameter of ${quote(entry.id)}`, fix);
    return;
  }
  const count = names.length === 1 ? '1 parameter' : `${names.length} parameters`;
  fail(scope, value.at, `${quote(entry.id)} has ${count}`, signature);
}

function quantities(
  scope: Scope,
  entry: IndicatorEntry,
  { values }: Slots,
  of: (argument: Argument) => Checked | undefined,
): Quantity[] | undefined {
  if (entry.alias !== undefined) {
    const { of: owner, params } = entry.alias;
    return (indicatorEntry(owner)?.parameters ?? []).map((one) => ({
      kind: 'constant',
      value: params[one.name] ?? one.default,
    }));
  }
  const matches = entry.parameters.map((declared): Quantity | undefined => {
    const argument = values.get(declared.name);
    if (argument === undefined) return { kind: 'constant', value: declared.default };
    const checked = ofType(scope, of(argument), 'number');
    if (checked === undefined) return undefined;
    const { min, max, isInteger, name } = declared;
    return checkCount(scope, checked, { from: min, to: max, isInteger }, `${name} of ${entry.id}`)?.quantity;
  });
  return matches.every((one) => one !== undefined) ? matches : undefined;
}

/** Their least (0), present (1) or greatest (2) values by name. */
function namedBounds(
  scope: Scope,
  entry: IndicatorEntry,
  parameters: readonly Quantity[],
  which: 0 | 1 | 2,
): Record<string, number> {
  const values = parameters.map((one) => boundsOf(one, scope.parameters)[which]);
  return Object.fromEntries(entry.parameters.map(({ name }, i) => [name, values[i] ?? 0]));
}

/** No set of a search may break a rule between two parameters: the least and greatest values of each pair are tried. */
function respectsOrder(scope: Scope, entry: IndicatorEntry, parameters: readonly Quantity[], call: Call): boolean {
  const low = namedBounds(scope, entry, parameters, 0);
  const high = namedBounds(scope, entry, parameters, 2);
  const broken = entry.parameters
    .map(({ name }) => entry.check?.({ ...low, [name]: high[name] ?? 0 }))
    .find((one) => one !== undefined);
  if (broken === undefined) return true;
  fail(scope, call.at, `${broken.name} of ${entry.id} ${broken.message}`, 'change the numbers, or ranges that overlap');
  return false;
}
