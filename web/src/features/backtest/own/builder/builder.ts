import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry } from '@sextant/engine-as/abi/registryTypes.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { parseRules } from '@sextant/workers/src/rules/parseRules.ts';
import { createProblems, type Span } from '@sextant/workers/src/rules/problems.ts';
import {
  type Argument,
  type ConditionKind,
  conditionKinds,
  type Expression,
  isComparison,
} from '@sextant/workers/src/rules/syntax.ts';
import { readTokens } from '@sextant/workers/src/rules/tokens.ts';
import { seriesByName, takesSource } from '@sextant/workers/src/rules/vocabulary.ts';
import { exitLines, exitRow, type ExitRows } from './exits.ts';
import type { Parameter } from './ranges.ts';

/** Rows of the builder. They are read from the text at every change and written back to it: nothing else is stored. */
export interface BuilderRules extends ExitRows {
  /** Lines that give names, as they are written. */
  definitions: string[];
  /** Numbers with a name; `definitions` has their lines. */
  parameters: Parameter[];
  groups: Partial<Record<ConditionKind, Group>>;
}

export interface Group {
  join: 'and' | 'or';
  rows: Row[];
}

export const rowSigns = ['>', '<', '>=', '<=', '==', '!=', 'in', 'crossover', 'crossunder'] as const;
export type RowSign = (typeof rowSigns)[number];

export interface Row {
  left: Operand;
  sign: RowSign;
  right: Operand;
  /** Upper end of `in`; `right` is the lower one. */
  high?: Operand;
  /** The longer interval whose candles it is about; absent: those that decide. */
  interval?: IntervalName;
}

/** Values are numbers or names of parameters, as they are written. */
export type Operand =
  | { kind: 'number'; value: string }
  /** A series or a name of the text. */
  | ({ kind: 'name'; name: string } & Past)
  | ({ kind: 'indicator'; id: string; source?: string; values: string[]; output?: string } & Past);

interface Past {
  /** Candles ago, a number or the name of a parameter; absent: the candle that decides. */
  back?: string;
}

/** Thrown inside, where a text has more than rows can show. */
class NotSimple extends Error {
  readonly at: Span;
  constructor(at: Span) {
    super('the builder has no row for it');
    this.at = at;
  }
}

const SHOWN_MAX = 40;

/** The rows of a text. @returns the reason as a sentence when it has more than rows can show */
export function readBuilder(text: string): Result<BuilderRules, string> {
  const problems = createProblems(text);
  const statements = parseRules(text, problems);
  if (problems.count() > 0) return failWith('Fix the errors of the text first.');
  if (readTokens(text, createProblems(text)).some(({ kind }) => kind === 'comment'))
    return failWith('The text has comments, which rows would lose.');
  const rules: BuilderRules = { definitions: [], parameters: [], groups: {} };
  try {
    for (const statement of statements) {
      if (statement.kind === 'value') rules.definitions.push(sliceOf(text, statement.at));
      else if (statement.kind === 'parameter') {
        rules.definitions.push(definitionOf(text, statement));
        rules.parameters.push(parameterOf(statement));
      } else if (statement.kind === 'condition') {
        if (statement.of === undefined || rules.groups[statement.side] !== undefined) throw new NotSimple(statement.at);
        rules.groups[statement.side] = groupOf(text, statement.of);
      } else {
        const row = exitRow(statement);
        // One statement of two; writing the rows would lose the other.
        if (Object.keys(row).some((key) => key in rules)) throw new NotSimple(statement.at);
        Object.assign(rules, row);
      }
    }
  } catch (failure) {
    if (!(failure instanceof NotSimple)) throw failure;
    const shown = sliceOf(text, failure.at).replaceAll(/\s+/g, ' ');
    const cut = shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX - 1)}…` : shown;
    return failWith(`Rows cannot show ${cut}: edit the text instead.`);
  }
  return ok(rules);
}

const sliceOf = (text: string, { start, end }: Span): string => text.slice(start, end);

function definitionOf(text: string, { nameAt, range }: { nameAt: Span; range?: { at: Span } }): string {
  const end = range?.at.end ?? nameAt.start + (/^[^\r\n;]*/.exec(text.slice(nameAt.start))?.[0].length ?? 0);
  return text.slice(nameAt.start, end).trim();
}

function parameterOf({ name, value, range }: Parameter): Parameter {
  if (range === undefined) return { name, value };
  const { from, to, step } = range;
  return { name, value, range: { from, to, step } };
}

function groupOf(text: string, of: Expression): Group {
  return { join: joinOf(of), rows: conditionParts(of).map((part) => rowOf(text, part)) };
}

const joinOf = (of: Expression): Group['join'] => (of.kind === 'binary' && of.sign === 'or' ? 'or' : 'and');

/** The conditions that `and` or `or` joins: one for each row. */
export const conditionParts = (of: Expression): Expression[] => partsOf(of, joinOf(of));

const partsOf = (of: Expression, join: Group['join']): Expression[] =>
  of.kind === 'binary' && of.sign === join ? [...partsOf(of.left, join), ...partsOf(of.right, join)] : [of];

function rowOf(text: string, of: Expression): Row {
  if (of.kind === 'frame') {
    if (of.of.kind === 'frame') throw new NotSimple(of.at);
    return { ...rowOf(text, of.of), interval: of.interval };
  }
  if (of.kind === 'within') {
    const { of: value, low, high } = of;
    return { left: operandOf(text, value), sign: 'in', right: operandOf(text, low), high: operandOf(text, high) };
  }
  if (of.kind === 'binary' && isComparison(of.sign))
    return { left: operandOf(text, of.left), sign: of.sign, right: operandOf(text, of.right) };
  const [a, b, more] = of.kind === 'call' ? of.inputs : [];
  const sign = of.kind === 'call' ? rowSigns.find((each) => each === of.name) : undefined;
  if (sign === undefined || a === undefined || b === undefined || more !== undefined || a.name || b.name)
    throw new NotSimple(of.at);
  return { left: operandOf(text, a.value), sign, right: operandOf(text, b.value) };
}

function operandOf(text: string, of: Expression): Operand {
  if (of.kind === 'past') {
    // Brackets round a sum, or a second index, have no field.
    if (of.of.kind !== 'name' && of.of.kind !== 'call' && of.of.kind !== 'output') throw new NotSimple(of.at);
    const inner = operandOf(text, of.of);
    const isOutputOfPast = inner.kind === 'number' || inner.back !== undefined;
    if (isOutputOfPast) throw new NotSimple(of.at);
    return withBack(inner, valueText(of.back));
  }
  if (of.kind === 'output') {
    const inner = operandOf(text, of.of);
    if (inner.kind !== 'indicator' || inner.back !== undefined) throw new NotSimple(of.at);
    return { ...inner, output: of.name };
  }
  if (of.kind === 'call') return indicatorOf(of.name, of);
  if (of.kind === 'name')
    return indicatorEntry(of.name) === undefined ? { kind: 'name', name: of.name } : indicatorOf(of.name, of);
  return { kind: 'number', value: valueText(of) };
}

/** A number with its sign, or the name of a parameter. */
function valueText(of: Expression): string {
  if (of.kind === 'number') return String(of.value);
  if (of.kind === 'unary' && of.sign === '-' && of.of.kind === 'number') return String(-of.of.value);
  if (of.kind === 'name' && indicatorEntry(of.name) === undefined) return of.name;
  throw new NotSimple(of.at);
}

/** Values that are left out become those of the registry. */
function indicatorOf(id: string, of: Expression): Operand {
  const entry = indicatorEntry(id);
  if (entry === undefined) throw new NotSimple(of.at);
  const inputs = of.kind === 'call' ? [...of.inputs] : [];
  const source = sourceOf(entry, inputs);
  if (source !== undefined) inputs.shift();
  const values = entry.parameters.map((each) => String(each.default));
  inputs.forEach(({ name, value }, i) => {
    const at = name === undefined ? i : entry.parameters.findIndex((each) => each.name === name.text);
    if (at < 0 || at >= values.length) throw new NotSimple(of.at);
    values[at] = valueText(value);
  });
  return { kind: 'indicator', id, ...(source !== undefined && { source }), values };
}

/** The series that an indicator takes in place of the close; undefined where its first input is a parameter. */
export function sourceOf(entry: IndicatorEntry, [first]: readonly Argument[]): string | undefined {
  if (!takesSource(entry) || first === undefined || first.name !== undefined || first.value.kind !== 'name')
    return undefined;
  return seriesByName.has(first.value.name) ? first.value.name : undefined;
}

const statementWords: Record<ConditionKind, string> = {
  long: 'long when',
  short: 'short when',
  exitLong: 'exit long when',
  exitShort: 'exit short when',
};

/** The text of the rows: one statement a line. */
export function writeBuilder({ definitions, groups, ...exits }: Omit<BuilderRules, 'parameters'>): string {
  const conditions = conditionKinds.flatMap((kind) => {
    const group = groups[kind];
    if (group === undefined || group.rows.length === 0) return [];
    return [`${statementWords[kind]} ${group.rows.map(rowText).join(` ${group.join} `)}`];
  });
  return [...definitions, ...conditions, ...exitLines(exits)].join('\n');
}

/** The name that a line defines. */
export const definedName = (line: string): string => line.split('=', 1)[0]?.trim() ?? '';

/**
 * The text after a change of rows. A range that only the former rows used goes with them: a search would still vary it.
 * @param definition line of a name that the change needs
 */
export function changedText(rules: BuilderRules, part: Partial<BuilderRules>, definition?: string): string {
  const definitions = definition === undefined ? rules.definitions : [...rules.definitions, definition];
  const changed = { ...rules, ...part, definitions };
  const [before, now] = [usedNames(rules), usedNames(changed)];
  const lost = rules.parameters.filter(({ name, range }) => range !== undefined && before.has(name) && !now.has(name));
  return writeBuilder({
    ...changed,
    definitions: definitions.filter((line) => !lost.some(({ name }) => name === definedName(line))),
  });
}

/** Every word behind the `=` of a definition or outside of one. */
function usedNames(rules: BuilderRules): Set<string> {
  const values = rules.definitions.map((line) => line.slice(line.indexOf('=')));
  const text = [...values, writeBuilder({ ...rules, definitions: [] })].join('\n');
  return new Set(readTokens(text, createProblems(text)).map((token) => token.text));
}

function rowText({ interval, ...row }: Row): string {
  if (interval !== undefined) return `${interval}(${rowText(row)})`;
  const { left, sign, right, high = right } = row;
  const [a, b] = [operandText(left), operandText(right)];
  if (sign === 'in') return `${a} in ${b}..${operandText(high)}`;
  return sign === 'crossover' || sign === 'crossunder' ? `${sign}(${a}, ${b})` : `${a} ${sign} ${b}`;
}

/** The row with another comparison; a range starts with numbers at both ends. */
export function withSign({ high, ...row }: Row, sign: RowSign): Row {
  if (sign !== 'in') return { ...row, sign };
  return { ...row, sign, right: high ? row.right : number(8), high: high ?? number(20) };
}

const number = (value: number): Operand => ({ kind: 'number', value: String(value) });

/** The row on the candles of an interval; undefined: on those that decide. */
export function withInterval(row: Row, interval: IntervalName | undefined): Row {
  const { interval: _, ...plain } = row;
  return interval === undefined ? plain : { ...plain, interval };
}

export function operandText(operand: Operand): string {
  if (operand.kind === 'number') return operand.value;
  const past = operand.back === undefined ? '' : `[${operand.back}]`;
  if (operand.kind === 'name') return `${operand.name}${past}`;
  const { id, source, values, output } = operand;
  const inputs = [...(source === undefined ? [] : [source]), ...values];
  const called = inputs.length === 0 ? '' : `(${inputs.join(', ')})`;
  return `${id}${called}${output === undefined ? '' : `.${output}`}${past}`;
}

/** The operand so many candles ago; 0 is the candle that decides. A number has no past. */
export function withBack(operand: Operand, back: string): Operand {
  if (operand.kind === 'number') return operand;
  const { back: _, ...now } = operand;
  return back === '0' ? now : { ...now, back };
}

/** An indicator with the registry's parameters. */
export function newIndicator(id: string, output?: string): Operand {
  const entry = indicatorEntry(id);
  const values = entry?.parameters.map((each) => String(each.default)) ?? [];
  const source = entry !== undefined && takesSource(entry) ? { source: 'close' } : {};
  return { kind: 'indicator', id, ...source, values, ...(output === undefined ? {} : { output }) };
}

export const newRow = (): Row => ({
  left: { kind: 'name', name: 'close' },
  sign: '>',
  right: { kind: 'indicator', id: 'ema', source: 'close', values: ['50'] },
});
