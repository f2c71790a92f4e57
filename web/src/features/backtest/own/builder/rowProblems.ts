import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import { parseRules } from '@sextant/workers/src/rules/parseRules.ts';
import { createProblems, type RuleProblem, type Span } from '@sextant/workers/src/rules/problems.ts';
import type { Amount, ConditionKind, ExitStatement, Expression } from '@sextant/workers/src/rules/syntax.ts';
import { spanOf } from '../ownRules.ts';
import { conditionParts, sourceOf } from './builder.ts';
import { exitKeys, type ExitRows } from './exits.ts';

/** A problem and the fields of its row that it is about, named as the rows name theirs: `left`, `left 0`, `trail step`. */
export interface RowProblem extends RuleProblem {
  fields: string[];
}

/** Errors or warnings by row; groups and exits without any are absent. */
export interface RowProblems {
  /** A list for each row of the group. */
  rows: Partial<Record<ConditionKind, RowProblem[][]>>;
  exits: Partial<Record<keyof ExitRows, RowProblem[]>>;
}

/** The problems of a text at the rows that show their characters. Those of lines that stay text are in none. */
export function rowProblems(text: string, problems: readonly RuleProblem[]): RowProblems {
  const found: RowProblems = { rows: {}, exits: {} };
  if (problems.length === 0) return found;
  const within = ({ start, end }: Span, fields: readonly FieldSpan[], main: string): RowProblem[] =>
    problems.flatMap((problem) => {
      const { from, to } = spanOf(text, problem);
      const isInside = from >= start && from < end;
      return isInside ? [{ ...problem, fields: fieldsAt(fields, { start: from, end: to }, main) }] : [];
    });
  for (const statement of parseRules(text, createProblems(text))) {
    if (statement.kind === 'parameter' || statement.kind === 'value') continue;
    if (statement.kind !== 'condition') {
      const key = exitKeys[statement.kind];
      const all = within(statement.at, exitFields(key, statement), key);
      if (all.length > 0) found.exits[key] = all;
    } else if (statement.of !== undefined) {
      const rows = conditionParts(statement.of).map((part) => within(part.at, conditionFields(part), 'sign'));
      if (rows.some((row) => row.length > 0)) found.rows[statement.side] = rows;
    }
  }
  return found;
}

/** Characters that a field writes. */
interface FieldSpan {
  field: string;
  at: Span;
}

/** A row on a longer interval: a problem of all its characters is about the interval. */
const CANDLES = 'candles';

const holds = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** The smallest field with all characters of a problem, else the fields of which it has all; the main one of the row where there are none. */
function fieldsAt(fields: readonly FieldSpan[], problem: Span, main: string): string[] {
  const [smallest] = fields
    .filter(({ at }) => holds(at, problem))
    .sort((a, b) => a.at.end - a.at.start - (b.at.end - b.at.start));
  if (smallest !== undefined) return [smallest.field];
  const covered = fields
    .filter(({ field, at }) => holds(problem, at) && !field.includes(' '))
    .map(({ field }) => field);
  if (covered.includes(CANDLES)) return [CANDLES];
  return covered.length === 0 ? [main] : covered;
}

function exitFields(key: keyof ExitRows, statement: ExitStatement): FieldSpan[] {
  const fieldOf = (field: string, amount: Amount | undefined): FieldSpan[] =>
    amount === undefined ? [] : [{ field, at: amount.at }];
  if ('amount' in statement) return fieldOf(key, statement.amount);
  if (!('level' in statement)) return [];
  const { amount, period } = statement.level;
  const level = [...fieldOf(key, amount), ...fieldOf(`${key} period`, period)];
  if (statement.kind !== 'trail') return level;
  return [...level, ...fieldOf('trail step', statement.step), ...fieldOf('trail after', statement.after)];
}

/** The fields of a condition, as rowOf of builder.ts reads them. */
function conditionFields(part: Expression): FieldSpan[] {
  if (part.kind === 'frame') {
    const name = { start: part.at.start, end: part.at.start + part.interval.length };
    return [{ field: CANDLES, at: name }, ...conditionFields(part.of)];
  }
  if (part.kind === 'within')
    return [
      ...operandFields('left', part.of),
      ...operandFields('right', part.low),
      ...operandFields('high', part.high),
    ];
  if (part.kind === 'binary') return [...operandFields('left', part.left), ...operandFields('right', part.right)];
  const [a, b] = part.kind === 'call' ? part.inputs : [];
  return [...(a ? operandFields('left', a.value) : []), ...(b ? operandFields('right', b.value) : [])];
}

function operandFields(side: string, of: Expression): FieldSpan[] {
  return [{ field: side, at: of.at }, ...innerFields(side, of)];
}

function innerFields(side: string, of: Expression): FieldSpan[] {
  if (of.kind === 'past') return [...innerFields(side, of.of), { field: `${side} back`, at: of.back.at }];
  if (of.kind === 'output') return innerFields(side, of.of);
  if (of.kind !== 'call') return [];
  const entry = indicatorEntry(of.name);
  if (entry === undefined) return [];
  const sources = sourceOf(entry, of.inputs) === undefined ? 0 : 1;
  return of.inputs.map(({ name, value }, i) => {
    const place = name === undefined ? i - sources : entry.parameters.findIndex((each) => each.name === name.text);
    return { field: place < 0 ? `${side} of` : `${side} ${place}`, at: value.at };
  });
}
