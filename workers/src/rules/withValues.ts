import { parseRules } from './parseRules.ts';
import { createProblems } from './problems.ts';

/** Between a name and its number: spaces, a newline and comments may stand there. */
const gap = String.raw`(?:\s|(?:#|//)[^\r\n]*)*`;
const numberBehind = new RegExp(String.raw`${gap}=${gap}(-${gap})?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?`, 'y');
const leadOf = new RegExp(String.raw`^${gap}=${gap}`);

/**
 * The text with other values of its parameters: only numbers of parameters with a range change; comments and spelling stay.
 * @param values of every parameter, in the order of compileRules' `parameters`; those of fixed ones are ignored
 */
export function withValues(text: string, values: readonly number[]): string {
  const parameters = parseRules(text, createProblems(text)).filter((one) => one.kind === 'parameter');
  let written = text;
  // From the end, so that the positions before stay.
  for (const [index, { nameAt, value, range }] of [...parameters.entries()].reverse()) {
    const next = values[index];
    if (range === undefined || next === undefined || next === value) continue;
    numberBehind.lastIndex = nameAt.end;
    const found = numberBehind.exec(text)?.[0];
    if (found === undefined) continue;
    const lead = leadOf.exec(found)?.[0] ?? '';
    written = `${written.slice(0, nameAt.end)}${lead}${String(next)}${written.slice(nameAt.end + found.length)}`;
  }
  return written;
}
