import { parseRules } from './parseRules.ts';
import { createProblems } from './problems.ts';

/**
 * The text with other values of its parameters. Only the numbers after `=` of parameters with a range change: comments, spaces and the
 * spelling of everything else stay, also of a number whose value is the same.
 * @param text one that compiles; of another one the parameters that can be read
 * @param values of every parameter, in the order of compileRules; those of fixed ones are ignored, and one without a value stays
 */
export function withValues(text: string, values: readonly number[]): string {
  const statements = parseRules(text, createProblems(text)).filter(({ kind }) => kind === 'parameter');
  let result = '';
  let from = 0;
  for (const [index, statement] of statements.entries()) {
    const value = values[index];
    if (statement.kind !== 'parameter' || statement.range === undefined) continue;
    if (value === undefined || value === statement.value) continue;
    result += text.slice(from, statement.valueAt.start) + String(value);
    from = statement.valueAt.end;
  }
  return result + text.slice(from);
}

/** No number that JavaScript writes is longer. */
export const NUMBER_LENGTH_MAX = 25;
