import { ownValue } from '@sextant/workers/src/ownValue.ts';
import type { Article, Section } from './articles.ts';
import { nearestWord } from '../../platform/nearestWord.ts';

/** A section of an article, as an answer quotes and names it. */
export interface Passage {
  slug: string;
  anchor: string;
  title: string;
  heading: string;
  text: string;
}

interface Entry {
  passage: Passage;
  /** How often each stem occurs, fields weighted. */
  weights: Map<string, number>;
  length: number;
}

export interface PassageIndex {
  entries: readonly Entry[];
  /** Passages that have a stem. */
  counts: ReadonlyMap<string, number>;
  meanLength: number;
}

export interface FoundPassage {
  passage: Passage;
  score: number;
  /** Share of the question's information that the passage has, 0 to 1. */
  coverage: number;
}

/** Words that say nothing about the subject of a question. */
const silent = new Set(
  (
    'a an and are as at be been but by can cannot could did do does doing don for from get gets got had has have how i if in into is it its ' +
    'just let may me mean means might much many must my need no not of off on one or our out please should so some sextant tell than that ' +
    'the their them then there these they thing this those to too up us use used using very want was way we were what when where ' +
    'which while who why will with without would you your about after again all also any because before between both each explain ' +
    'exactly happen happens happened happening work works working make makes making show shows shown see say says know find ' +
    'there here come comes go goes going take takes give gives actually really ever only own same such'
  ).split(' '),
);

/** A word without its ending: `charged`, `charges` and `charging` are one. */
export function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const plain = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const stem = plain.replace(/(?:ing|ed|ly|er|ion|ation|ment|able)$/, '');
  const base = stem.length >= 3 && /[aeiouy]/.test(stem) ? stem : plain;
  return base.replace(/([bdfgmnprt])\1$/, '$1').replace(/(.{3,})e$/, '$1');
}

/** Other words that people use for ours. */
const synonyms: Readonly<Record<string, string>> = {
  cost: 'price',
  costs: 'price',
  cheap: 'price',
  expensive: 'price',
  coin: 'symbol',
  coins: 'symbol',
  pair: 'symbol',
  pairs: 'symbol',
  ticker: 'symbol',
  timeframe: 'interval',
  timeframes: 'interval',
  login: 'signin',
  logging: 'signin',
  '2fa': 'twofactor',
  mfa: 'twofactor',
  bought: 'buy',
  purchase: 'buy',
  purchases: 'buy',
  purchasing: 'buy',
  topup: 'buy',
  sl: 'stop',
  tp: 'target',
  dd: 'drawdown',
  liquidated: 'liquidation',
  calculate: 'compute',
  calculated: 'compute',
  calculation: 'compute',
  computed: 'compute',
  defined: 'definition',
  define: 'definition',
  optimiser: 'optimise',
  optimizer: 'optimise',
  optimize: 'optimise',
  optimization: 'optimise',
  optimisation: 'optimise',
  distance: 'far',
  shortcut: 'keyboard',
  hotkey: 'keyboard',
  money: 'funds',
  remove: 'delete',
  erase: 'delete',
};
const phrases: [RegExp, string][] = [
  [/sign(?:ed|ing)?[ -]in\b|log(?:ged|ging)?[ -]in\b/g, ' signin '],
  [/two[ -]factor|multi[ -]factor/g, ' twofactor '],
  [/stop[ -]loss(?:es)?/g, ' stop '],
  [/take[ -]profits?/g, ' target '],
  [/web[ -]hooks?/g, ' webhook '],
  [/back[ -]tests?/g, ' backtest '],
  [/time[ -]frames?/g, ' interval '],
];

/** The stems of a text that say something, in order. */
export function stemsOf(text: string): string[] {
  const lower = phrases.reduce(
    (all, [pattern, word]) => all.replaceAll(pattern, word),
    text.toLowerCase().replaceAll(/['’]/g, ''),
  );
  const words = lower.match(/[a-z0-9_]+/g) ?? [];
  const spoken = words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]));
  return spoken
    .filter((word) => word.length > 1 && !silent.has(word))
    .map((word) => stemOf(ownValue(synonyms, word) ?? word));
}

const fieldWeights = { title: 2.5, question: 3, tags: 2, heading: 3, text: 1 } as const;

function entryOf(article: Article, section: Section): Entry {
  const isIntro = section.anchor === 'top';
  const weights = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const stem of stemsOf(text)) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  };
  add(section.text, fieldWeights.text);
  if (!isIntro) add(section.heading, fieldWeights.heading);
  // What names the article names its beginning first, and each of its parts a little.
  add(article.title, isIntro ? fieldWeights.title : fieldWeights.title / 3);
  add(article.question, isIntro ? fieldWeights.question : fieldWeights.question / 3);
  add(article.tags.join(' '), isIntro ? fieldWeights.tags : fieldWeights.tags / 3);
  const { slug, title } = article;
  const { anchor, heading, text } = section;
  return {
    passage: { slug, anchor, title, heading, text },
    weights,
    length: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
  };
}

export function indexPassages(articles: readonly Article[]): PassageIndex {
  const entries = articles.flatMap((article) =>
    article.sections.filter(({ text }) => text !== '').map((section) => entryOf(article, section)),
  );
  const counts = new Map<string, number>();
  for (const { weights } of entries) for (const stem of weights.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  return { entries, counts, meanLength: total / Math.max(1, entries.length) };
}

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). */
const [saturation, lengthShare] = [1.4, 0.6];

const informationOf = ({ counts, entries }: PassageIndex, stem: string): number => {
  const count = counts.get(stem) ?? 0;
  return Math.log(1 + (entries.length - count + 0.5) / (count + 0.5));
};

/** Sections that have to do with the question, best first. A mistyped word counts as the one that was meant. */
export function findPassages(index: PassageIndex, question: string, limit: number): FoundPassage[] {
  const asked = [...new Set(stemsOf(question))].map((stem) =>
    index.counts.has(stem) ? stem : (nearestWord(stem, index.counts.keys()) ?? stem),
  );
  const information = asked.map((stem) => informationOf(index, stem));
  const whole = information.reduce((sum, value) => sum + value, 0);
  if (whole === 0) return [];
  return (
    index.entries
      .map(({ passage, weights, length }) => {
        let [score, covered] = [0, 0];
        for (const [at, stem] of asked.entries()) {
          const weight = weights.get(stem);
          if (weight === undefined) continue;
          const value = information[at] ?? 0;
          covered += value;
          const size = saturation * (1 - lengthShare + (lengthShare * length) / index.meanLength);
          score += (value * weight * (saturation + 1)) / (weight + size);
        }
        return { passage, score, coverage: covered / whole };
      })
      .filter(({ score }) => score > 0)
      // Two passages with the same words: the one that has more of the question goes first.
      .sort((a, b) => b.score * (1 + b.coverage) - a.score * (1 + a.coverage))
      .slice(0, limit)
  );
}
