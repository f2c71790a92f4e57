import { parseRules } from '@sextant/workers/src/rules/parseRules.ts';
import { createProblems, type RuleProblem, type Span } from '@sextant/workers/src/rules/problems.ts';
import type { ConditionKind } from '@sextant/workers/src/rules/syntax.ts';
import { spanOf } from '../ownRules.ts';
import { conditionParts } from './builder.ts';
import { exitKeys, type ExitRows } from './exits.ts';

/** Errors or warnings by row; groups and exits without any are absent. */
export interface RowProblems {
  /** A list for each row of the group. */
  rows: Partial<Record<ConditionKind, RuleProblem[][]>>;
  exits: Partial<Record<keyof ExitRows, RuleProblem[]>>;
}

/** The problems of a text at the rows that show their characters. Those of lines that stay text are in none. */
export function rowProblems(text: string, problems: readonly RuleProblem[]): RowProblems {
  const found: RowProblems = { rows: {}, exits: {} };
  if (problems.length === 0) return found;
  const within = ({ start, end }: Span): RuleProblem[] =>
    problems.filter((problem) => {
      const { from } = spanOf(text, problem);
      return from >= start && from < end;
    });
  for (const statement of parseRules(text, createProblems(text))) {
    if (statement.kind === 'parameter' || statement.kind === 'value') continue;
    const all = within(statement.at);
    if (all.length === 0) continue;
    if (statement.kind !== 'condition') found.exits[exitKeys[statement.kind]] = all;
    else if (statement.of !== undefined)
      found.rows[statement.side] = conditionParts(statement.of).map((part) => within(part.at));
  }
  return found;
}
