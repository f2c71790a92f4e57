import { indicatorEntry, registry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry } from '@sextant/engine-as/abi/registryTypes.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import {
  functionSignature,
  functionsByName,
  indicatorSignature,
  keywords,
  ruleFunctions,
  ruleSeries,
  ruleStatements,
  seriesByName,
} from '@sextant/workers/src/rules/vocabulary.ts';

/** Documentation of a word, as hover and completion show it. */
export interface WordDoc {
  word: string;
  kind: 'statement' | 'operator' | 'series' | 'function' | 'indicator' | 'interval';
  title: string;
  /** How it is written. */
  form: string;
  lines: readonly string[];
}

const operators: readonly WordDoc[] = [
  ['and', 'a and b', 'Both conditions hold.'],
  ['or', 'a or b', 'One of the conditions holds.'],
  ['not', 'not a', 'The condition does not hold.'],
  ['in', 'x in a..b', 'x is from a to b, both included.'],
].map(([word = '', form = '', text = '']) => ({ word, kind: 'operator', title: 'Operator', form, lines: [text] }));

const series = ruleSeries.map(({ name, title, text, isBaseOnly }): WordDoc => ({
  word: name,
  kind: 'series',
  title,
  form: name,
  lines: isBaseOnly === true ? [text, 'Not inside a longer interval.'] : [text],
}));

const functions = ruleFunctions.map((one): WordDoc => ({
  word: one.name,
  kind: 'function',
  title: one.title,
  form: functionSignature(one),
  lines: [one.text],
}));

/** Parameters with their bounds, outputs, and an example small enough to work by hand. */
function indicatorDoc(entry: IndicatorEntry): WordDoc {
  const parameters = entry.parameters.map(
    ({ name, title, min, max, default: value }) => `${name}: ${title}, ${min} to ${max}, default ${value}.`,
  );
  const outputs =
    entry.outputs.length > 1 ? [`Outputs: ${entry.outputs.map(({ name }) => `.${name}`).join(', ')}.`] : [];
  return {
    word: entry.id,
    kind: 'indicator',
    title: entry.title,
    form: indicatorSignature(entry),
    lines: [entry.definition, ...parameters, ...outputs, `Example: ${entry.example}`],
  };
}

const statements = ruleStatements.map(({ word, form, text }): WordDoc => ({
  word,
  kind: 'statement',
  title: 'Statement',
  form,
  lines: [text],
}));

const longer = intervals.map((name): WordDoc => ({
  word: name,
  kind: 'interval',
  title: 'Longer interval',
  form: `${name}(expression)`,
  lines: [`The expression on ${name} candles: the last one that has closed.`],
}));

export const wordDocs: readonly WordDoc[] = [
  ...statements,
  ...operators,
  ...series,
  ...functions,
  ...registry.map(indicatorDoc),
  ...longer,
];

const byWord = new Map(wordDocs.map((doc) => [doc.word, doc]));
export const docOf = (word: string): WordDoc | undefined => byWord.get(word);

export type WordKind = WordDoc['kind'] | 'name';

/** What a word of a text is; a word of no list is a name of the text. */
export function kindOfWord(word: string): WordKind {
  if (seriesByName.has(word)) return 'series';
  if (functionsByName.has(word)) return 'function';
  if (indicatorEntry(word) !== undefined) return 'indicator';
  return byWord.get(word)?.kind ?? (keywords.has(word) ? 'statement' : 'name');
}
