import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Result } from '@sextant/workers/src/core/result.ts';
import { compileRules, type RuleSet } from '@sextant/workers/src/rules/compileRules.ts';
import { parseRules } from '@sextant/workers/src/rules/parseRules.ts';
import { createProblems, type RuleProblem } from '@sextant/workers/src/rules/problems.ts';
import { readTokens } from '@sextant/workers/src/rules/tokens.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { OpenedRules } from '../live/liveSettings.ts';

/** Own rules in the form. The text is all there is: editor, builder and sliders read it and write it. */
export interface OwnRules {
  text: string;
  /** The saved rules or the run that the text was opened from. */
  opened: OpenedRules | null;
}

/** Written out here: the templates are loaded with the editor. */
const START_TEXT = `fast = 12 [5..50 step 1]; slow = 26 [20..200 step 2]
long when crossover(ema(close, fast), ema(close, slow))
short when crossunder(ema(close, fast), ema(close, slow))
stop 2 * atr(14); target 3R; risk 1 %`;

export const startOwn = (): OwnRules => ({ text: START_TEXT, opened: null });

const KEY = 'lab.rules';
onUserReset(() => save(KEY, null));

/** The rules last stored in this browser; those of a crossing where there are none. */
export function readOwn(): OwnRules {
  try {
    const { text, opened } = JSON.parse(readSaved(KEY) ?? 'null') as Partial<OwnRules>;
    if (typeof text !== 'string') return startOwn();
    const isNamed = typeof opened?.name === 'string' && typeof opened.version === 'string';
    return { text, opened: isNamed ? { name: opened.name, version: opened.version } : null };
  } catch {
    return startOwn();
  }
}

export const storeOwn = (rules: OwnRules): void => save(KEY, JSON.stringify(rules));

export type CheckedRules = Result<RuleSet, RuleProblem[]>;

let last: { text: string; interval: IntervalName; checked: CheckedRules } | undefined;

/** Compiles a text once for all that show it. */
export function checkRules(text: string, interval: IntervalName): CheckedRules {
  if (last?.text === text && last.interval === interval) return last.checked;
  const checked = compileRules(text, { interval });
  last = { text, interval, checked };
  return checked;
}

/** A parameter with a range, and where it stands among all parameters of the text. */
export interface RangedParameter {
  index: number;
  name: string;
  value: number;
  from: number;
  to: number;
  step: number;
}

/** Ranged parameters of a text, also of one with errors elsewhere. `values`: those of all parameters, in order. */
export function parametersIn(text: string): { values: number[]; ranged: RangedParameter[] } {
  const all = parseRules(text, createProblems(text)).filter((one) => one.kind === 'parameter');
  const ranged = all.flatMap(({ name, value, range }, index) =>
    range === undefined || !(range.from < range.to) || !(range.step > 0)
      ? []
      : [{ index, name, value, from: range.from, to: range.to, step: range.step }],
  );
  return { values: all.map(({ value }) => value), ranged };
}

/** Whether the text reads the series `news`, which backtests of the lab do not have. */
export const usesNews = (text: string): boolean =>
  readTokens(text, createProblems(text)).some((token) => token.kind === 'name' && token.text === 'news');

/** Decimals that a step needs: 2 for 0.25. */
export const decimalsOf = (step: number): number => /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;

/** Characters of a text that are replaced; UTF-16 offsets. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

export const applyChange = (text: string, { from, to, insert }: TextChange): string =>
  text.slice(0, from) + insert + text.slice(to);

/** Characters of a problem. */
export function spanOf(text: string, { line, column, length }: RuleProblem): { from: number; to: number } {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (match) => match.index + match[0].length)];
  const from = Math.min((starts[line - 1] ?? text.length) + column - 1, text.length);
  return { from, to: Math.min(from + length, text.length) };
}

/** Most errors whose fix is tried out: a long text takes milliseconds for each. */
const FIXES_MAX = 5;
let lastFixes: { of: CheckedRules; fixes: (TextChange | null)[] } | undefined;

/** The replacement of each error of a text, worked out once for all that show it; null for advice, for warnings and behind the first errors. */
export function fixesOf(text: string, interval: IntervalName): readonly (TextChange | null)[] {
  const checked = checkRules(text, interval);
  if (lastFixes?.of === checked) return lastFixes.fixes;
  const errors = checked.ok ? [] : checked.error;
  const fixes = errors.map((problem, i) => (i < FIXES_MAX ? fixOf(text, problem, interval) : null));
  lastFixes = { of: checked, fixes };
  return fixes;
}

const errorCountOf = (checked: CheckedRules): number => (checked.ok ? 0 : checked.error.length);

/**
 * The replacement that the fix of an error describes; null when it is advice. A fix starts with what to write, which replaces the characters
 * of the error or its whole statement: the one that leaves fewer errors is meant.
 */
export function fixOf(text: string, problem: RuleProblem, interval: IntervalName): TextChange | null {
  const [, written] = /^(?:write|compare it:) (.+)$/s.exec(problem.fix) ?? [];
  const isRemoved = problem.fix === 'remove it';
  if ((written === undefined && !isRemoved) || written?.includes('...') === true) return null;
  const words = written === undefined ? [''] : [written, ...alternativesOf(written)];
  const span = spanOf(text, problem);
  const count = errorCountOf(checkRules(text, interval));
  const spans = [span, ...wholesOf(text, span)];
  for (const { from, to } of spans) {
    for (const insert of words) {
      const change = { from, to, insert };
      const next = applyChange(text, change);
      // Compiled directly: the memo stays at the text on screen.
      if (errorCountOf(compileRules(next, { interval })) < count) return change;
    }
  }
  return null;
}

/** The first part of `size fixed, or risk 1 %`, of `stop 2 % or stop 2 * atr(14)` and of `== to compare`. */
const alternativesOf = (written: string): string[] =>
  [/^(.+?), /s, /^(.+?) or /s, /^(\S+) to /s].flatMap((pattern) => pattern.exec(written)?.[1] ?? []);

/** Larger parts of the text that hold the span: the operands of a chain, and the statement. */
function wholesOf(text: string, { from, to }: { from: number; to: number }): { from: number; to: number }[] {
  const before = /[^\r\n;]*$/.exec(text.slice(0, from))?.[0] ?? '';
  const after = /^[^\r\n;]*/.exec(text.slice(to))?.[0] ?? '';
  const start = from - before.trimStart().length;
  const end = to + after.trimEnd().length;
  // Behind `when` and `=` an expression starts, and `and` and `or` part it.
  const left = Math.max(...['when ', '= ', ' and ', ' or '].map((word) => lastEnd(before, word)));
  const right = Math.min(...[' and ', ' or '].map((word) => firstStart(after, word)));
  return [
    { from: left < 0 ? start : from - before.length + left, to: to + right },
    { from: start, to: end },
  ];
}

const lastEnd = (part: string, word: string): number => {
  const at = part.lastIndexOf(word);
  return at < 0 ? -1 : at + word.length;
};
const firstStart = (part: string, word: string): number => {
  const at = part.indexOf(word);
  return at < 0 ? part.trimEnd().length : at;
};
