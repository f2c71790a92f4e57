import { ownValue } from '@sextant/workers/src/ownValue.ts';
import { coinNames } from './coinNames.ts';
import { wordsOf } from './keywords.ts';

/** What is compared of an item. */
export interface Compared {
  title: string;
  symbols: readonly string[];
  firstSeenMs: number;
}

/** Reports of one event come within this time of the first. */
export const STORY_WINDOW_MS = 36 * 60 * 60 * 1000;
/** Least share of common words (Dice) that makes two titles one story. */
const SIMILARITY_MIN = 0.55;
/** Least share of common names (Dice) where both titles have some. */
const NAMES_MIN = 0.6;
/** Largest share of words that each title may have in place of the other's when no figure is the same. */
const REPLACED_MAX = 0.2;
/** Figures that differ by less are the same figure. */
const FIGURE_TOLERANCE = 0.001;

const stopWords = new Set(
  (
    'a an the of to in on at by for with from as and or its it is are was were be been has have had after before over under into within ' +
    'amid via than that this his her their our says said say report reports reportedly according new now today latest just breaking ' +
    'exclusive update updated news crypto cryptocurrency token coin price market minutes hour hours'
  ).split(' '),
);
/** Words that say the same in headlines. */
const sameWords: Record<string, string> = Object.fromEntries(
  Object.entries({
    rise: 'surge surges surged soar soars soared jump jumps jumped rally rallies rallied climb climbs climbed gain gains rises rose spike spikes spiked skyrocket skyrockets up',
    fall: 'plunge plunges plunged drop drops dropped fell falls slide slides slid tumble tumbles tumbled crash crashes crashed sink sinks sank plummet plummets slump slumps dip dips decline declines down',
    cross:
      'tops topped breaks broke surpass surpasses surpassed exceeds crosses crossed hits hit reaches reached passes above',
    hack: "hacked exploit exploited exploits breach breached attack attacked hacker hackers hackers' drained stolen steals theft",
    approve: 'approves approved approval greenlights greenlit clears cleared',
    list: 'lists listed listing adds',
    launch: 'launches launched unveils unveiled debuts debut introduces rolls releases goes live',
    sue: 'sues sued lawsuit charges charged',
    buy: 'buys bought acquires acquired purchases purchased acquisition adds',
    halt: 'halts halted suspends suspended pauses paused',
    reject: 'rejects rejected blocks blocked',
    delay: 'delays delayed postpones postponed',
    inflow: 'inflows',
    outflow: 'outflows',
  }).flatMap(([root, forms]) => forms.split(' ').map((form) => [form, root])),
);

/** Of each group an event has one. */
const opposites = [
  ['rise', 'fall'],
  ['inflow', 'outflow'],
  ['approve', 'reject', 'delay'],
] as const;
/** Tickers and names of a coin as one word. */
const coinOf = new Map(
  Object.entries(coinNames).flatMap(([base, names]) =>
    [base, ...names.filter((name) => !name.includes(' '))].map((name) => [name.toLowerCase(), base.toLowerCase()]),
  ),
);

const SUFFIX = /(?:'s|ies|es|s|ed|ing)$/;
const rootOf = (word: string): string =>
  ownValue(sameWords, word) ??
  coinOf.get(word) ??
  (word.length > 5 ? word.replace(SUFFIX, '') : word.replace(/'s$/, ''));

const units: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9, thousand: 1e3, million: 1e6, billion: 1e9 };

interface Figure {
  value: number;
  isPercent: boolean;
  decimals: number;
}

interface Signature {
  roots: ReadonlySet<string>;
  /** Capitalised words that are neither filler nor a verb of headlines. */
  names: ReadonlySet<string>;
  figures: readonly Figure[];
}

const OUTLET = /\s+[|–—]\s+[^|–—]{2,30}$/;

function signatureOf({ title }: Compared): Signature {
  // The name of the outlet behind a dash or bar is not part of the headline.
  const headline = title.replace(OUTLET, '');
  const words = wordsOf(headline);
  const roots = new Set<string>();
  const figures: Figure[] = [];
  words.forEach((word, i) => {
    const figure = figureOf(word, words[i + 1]);
    if (figure !== undefined) figures.push(figure);
    else if (isContent(word)) roots.add(rootOf(word.replace(/^\$/, '')));
  });
  const capitals = headline.match(/(?<![\p{L}\d])\p{Lu}[\p{L}\d'’-]*/gu) ?? [];
  const names = new Set(
    capitals
      .flatMap((word) => wordsOf(word))
      .filter(isName)
      .map(rootOf),
  );
  return { roots, names, figures };
}

const isContent = (word: string): boolean => !stopWords.has(word) && units[word] === undefined;
const isName = (word: string): boolean => isContent(word) && word.length > 1 && sameWords[word] === undefined;

function figureOf(word: string, next: string | undefined): Figure | undefined {
  const match = /^\$?(\d[\d,.]*?)[.,]?(%?)([kmb]?)%?$/.exec(word);
  if (match === null) return undefined;
  const digits = match[1]?.replaceAll(',', '') ?? '';
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  const unit = units[match[3] ?? ''] ?? units[next ?? ''] ?? 1;
  return { value: value * unit, isPercent: word.endsWith('%'), decimals: digits.split('.')[1]?.length ?? 0 };
}

/** The same up to the rounding of the less exact one, for percentages. */
function isSameFigure(a: Figure, b: Figure): boolean {
  if (Math.abs(a.value - b.value) <= FIGURE_TOLERANCE * Math.max(Math.abs(a.value), Math.abs(b.value))) return true;
  const decimals = Math.min(a.decimals, b.decimals);
  return a.isPercent && b.isPercent && a.value.toFixed(decimals) === b.value.toFixed(decimals);
}

/** Two reports that name figures of which none is the same tell of two events. */
function areFiguresAtOdds(a: Signature, b: Signature): boolean {
  if (a.figures.length === 0 || b.figures.length === 0) return false;
  return !a.figures.some((own) => b.figures.some((other) => isSameFigure(own, other)));
}

const countCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((each) => b.has(each)).length;

const areNamesAtOdds = (a: Signature, b: Signature): boolean => {
  if (a.names.size === 0 || b.names.size === 0) return false;
  return (2 * countCommon(a.names, b.names)) / (a.names.size + b.names.size) < NAMES_MIN;
};

const areOpposites = (a: Signature, b: Signature): boolean =>
  opposites.some((group) => {
    const own = group.filter((root) => a.roots.has(root));
    const other = group.filter((root) => b.roots.has(root));
    return own.length > 0 && other.length > 0 && !own.some((root) => other.includes(root));
  });

function similarity(a: Signature, b: Signature): number {
  const common = countCommon(a.roots, b.roots);
  // A figure says as much as a word.
  const figures = a.figures.filter((own) => b.figures.some((other) => isSameFigure(own, other))).length;
  const size = a.roots.size + b.roots.size + a.figures.length + b.figures.length;
  const score = size === 0 ? 0 : (2 * (common + figures)) / size;
  // Without a figure in common, words that each has instead of the other's tell of two events: `staking` and `options`.
  const replaced = Math.min(a.roots.size, b.roots.size) - common;
  const replacedMax = REPLACED_MAX * Math.min(a.roots.size, b.roots.size);
  return figures === 0 && replaced > replacedMax ? 0 : score;
}

export interface Stories<K> {
  /** The story an item belongs to; undefined when it begins one. */
  find: (item: Compared) => K | undefined;
  add: (key: K, item: Compared) => void;
}

/**
 * Near-duplicates by their titles: words reduced to roots and to one word for what headlines say in many, figures apart. Two titles are one
 * story when they share 55 % of it (Dice), were first seen within 36 hours, and do not contradict each other: no figure in common though both
 * have some, other names, opposite directions, or symbols of which none is the same. An item joins the story with the most similar report.
 */
export function createStories<K>(): Stories<K> {
  const kept: { key: K; item: Compared; signature: Signature }[] = [];
  const byRoot = new Map<string, number[]>();
  return {
    find(item) {
      const own = signatureOf(item);
      const candidates = new Set([...own.roots].flatMap((root) => byRoot.get(root) ?? []));
      let best: { key: K; score: number } | undefined;
      for (const index of candidates) {
        const other = kept[index];
        if (other === undefined || !mayBeSame(item, own, other)) continue;
        const score = similarity(own, other.signature);
        if (score >= SIMILARITY_MIN && score > (best?.score ?? 0)) best = { key: other.key, score };
      }
      return best?.key;
    },
    add(key, item) {
      const signature = signatureOf(item);
      const index = kept.push({ key, item, signature }) - 1;
      for (const root of signature.roots) byRoot.set(root, [...(byRoot.get(root) ?? []), index]);
    },
  };
}

function mayBeSame(item: Compared, own: Signature, other: { item: Compared; signature: Signature }): boolean {
  if (Math.abs(item.firstSeenMs - other.item.firstSeenMs) > STORY_WINDOW_MS) return false;
  if (areOpposites(own, other.signature) || areNamesAtOdds(own, other.signature)) return false;
  if (item.symbols.length > 0 && other.item.symbols.length > 0) {
    const theirs = new Set(other.item.symbols);
    if (!item.symbols.some((symbol) => theirs.has(symbol))) return false;
  }
  return !areFiguresAtOdds(own, other.signature);
}
