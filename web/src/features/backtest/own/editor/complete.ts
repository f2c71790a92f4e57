import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import { conditionKinds } from '@sextant/workers/src/rules/syntax.ts';
import { takesSource } from '@sextant/workers/src/rules/vocabulary.ts';
import { parseRules } from '@sextant/workers/src/rules/parseRules.ts';
import { createProblems } from '@sextant/workers/src/rules/problems.ts';
import { type WordDoc, wordDocs } from './wordDocs.ts';

/** A word that may stand at the cursor. */
export interface Suggestion {
  label: string;
  kind: WordDoc['kind'] | 'output' | 'parameter' | 'name';
  /** How it is written, or what it is. */
  detail: string;
  lines: readonly string[];
  /** Written in place of the word; the cursor goes to `cursor` of it. */
  insert: string;
  cursor: number;
}

/** Words that may stand at a position, and where the word that they replace starts. */
export interface Suggestions {
  from: number;
  list: Suggestion[];
}

/** @param at UTF-16 offset of the cursor */
export function suggestAt(text: string, at: number): Suggestions {
  const before = text.slice(0, at);
  if (/(#|\/\/)[^\n]*$/.test(before)) return { from: at, list: [] };
  const word = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
  const from = at - word.length;
  const lead = before.slice(0, from);
  const owner = /\.$/.test(lead) && !/\.\.$/.test(lead) ? calledBefore(lead.slice(0, -1)) : undefined;
  if (owner !== undefined) return { from, list: outputsOf(owner) };
  // A digit before the word belongs to it: 3R, 4h.
  if (/\d$/.test(lead)) return { from, list: [] };
  const isStart = /(^|[\n;])\s*$/.test(lead);
  const words = wordDocs.filter(({ kind }) => (isStart ? kind === 'statement' : kind !== 'statement'));
  const call = openCall(lead);
  return {
    from,
    list: [...(call === undefined ? [] : parametersOf(call)), ...namesIn(text, before), ...words.map(suggestionOf)],
  };
}

const plain = (label: string, kind: Suggestion['kind'], detail: string, insert = label): Suggestion => ({
  label,
  kind,
  detail,
  lines: [],
  insert,
  cursor: insert.length,
});

function suggestionOf(doc: WordDoc): Suggestion {
  const { word, kind, title, form, lines } = doc;
  const shared = { label: word, kind, detail: kind === 'statement' ? form : title, lines: [form, ...lines] };
  const entry = kind === 'indicator' ? indicatorEntry(word) : undefined;
  if (kind === 'statement') return { ...shared, insert: startOf(word), cursor: startOf(word).length };
  if (entry !== undefined) {
    const values = entry.parameters.map((each) => each.default);
    const inputs = [...(takesSource(entry) ? ['close'] : []), ...values].join(', ');
    const insert = inputs === '' ? word : `${word}(${inputs})`;
    return { ...shared, insert, cursor: insert.length };
  }
  if (kind === 'function' || kind === 'interval') return { ...shared, insert: `${word}()`, cursor: word.length + 1 };
  return { ...shared, insert: word, cursor: word.length };
}

const conditionWords = new Set<string>(conditionKinds);
/** The part of a statement before its own words. */
const startOf = (word: string): string => {
  if (conditionWords.has(word)) return `${word} when `;
  const starts: Record<string, string> = { exit: 'exit long when ', break: 'break even after ', on: 'on opposite ' };
  return starts[word] ?? `${word} `;
};

/** The indicator whose call or name ends the text: `macd(12, 26, 9)`, `macd`. */
function calledBefore(text: string): string | undefined {
  const trimmed = text.trimEnd();
  const end = trimmed.endsWith(')') ? openingOf(trimmed) : trimmed.length;
  return /[A-Za-z_]\w*$/.exec(trimmed.slice(0, end))?.[0];
}

/** Offset of the bracket that the last character closes. */
function openingOf(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++;
    if (text[at] === '(' && --depth === 0) return at;
  }
  return 0;
}

/** The name whose bracket is open at the end of the text. */
function openCall(text: string): string | undefined {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text[at];
    if (sign === '\n' || sign === ';') return undefined;
    if (sign === ')') depth++;
    if (sign !== '(') continue;
    if (depth === 0) return /[A-Za-z_]\w*$/.exec(text.slice(0, at))?.[0];
    depth--;
  }
  return undefined;
}

const outputsOf = (id: string): Suggestion[] =>
  (indicatorEntry(id)?.outputs ?? []).map(({ name, unit }) => plain(name, 'output', unit === 'none' ? 'output' : unit));

const parametersOf = (id: string): Suggestion[] =>
  (indicatorEntry(id)?.parameters ?? []).map(({ name, title, min, max }) =>
    plain(`${name} =`, 'parameter', `${title}, ${min} to ${max}`, `${name} = `),
  );

/** Names that lines above the cursor define. */
function namesIn(text: string, before: string): Suggestion[] {
  const line = before.slice(0, before.lastIndexOf('\n') + 1);
  const above = parseRules(line, createProblems(line));
  const here = parseRules(text, createProblems(text)).filter(({ at }) => at.end <= before.length);
  const names = [...above, ...here].flatMap((one) =>
    one.kind === 'parameter' || one.kind === 'value' ? [{ name: one.name, kind: one.kind }] : [],
  );
  return [...new Map(names.map(({ name, kind }) => [name, kind]))].map(([name, kind]) =>
    plain(name, 'name', kind === 'parameter' ? 'your parameter' : 'your name'),
  );
}
