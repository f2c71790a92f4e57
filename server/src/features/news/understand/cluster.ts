import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { coinNames } from './coinNames.ts';
import { areFiguresAtOdds, countSame, type Figure, readFigures } from './figures.ts';
import {
  actions,
  incidents,
  joined,
  nameKinds,
  opposites,
  PLAIN_ENDING,
  plainWords,
  roles,
  sameNames,
  sameWords,
  sequels,
  stopWords,
  subjects,
  weakWords,
} from './headlineWords.ts';

/** Compared fields of an item. */
export interface Compared {
  title: string;
  symbols: readonly string[];
  /** Publication time, or first seen without one. Preserves the order of feeds that are read late or all at once. */
  atMs: number;
}

/** Reports of one event appear within this time of the first. */
export const STORY_WINDOW_MS = 36 * HOUR_MS;
/** Reports of a price move appear within this time; a later one is about another move. */
const MOVE_WINDOW_MS = 4 * HOUR_MS;
/** Minimum similarity of two titles of one story. */
const SIMILARITY_MIN = 0.55;
/** Maximum share of a title that may replace the other's words when no figure is the same. */
const REPLACED_MAX = 0.36;
/** The share of common names (Dice) must exceed this where each title has names that the other lacks. */
const NAMES_ABOVE = 0.5;
/** Weights of common parts as evidence of the same event. */
const weights = { name: 1.6, coin: 0.8, word: 1, weak: 0.25, figure: 1.5, otherFigure: 0.3 } as const;

/** Maps tickers and names of a coin to one word. */
const coinOf = new Map(
  Object.entries(coinNames).flatMap(([base, names]) =>
    [base, ...names.filter((name) => !name.includes(' '))].map((name) => [name.toLowerCase(), base.toLowerCase()]),
  ),
);
const coins = new Set(coinOf.values());
const kindOfName = new Map(nameKinds.flatMap((names, kind) => [...names].map((name) => [name, kind] as const)));

/** Countries and cities are the last kind. */
const PLACES = nameKinds.length - 1;

const SUFFIX = /(?:ies|es|s|ed|ing)$/;
function rootOf(word: string): string {
  const same = sameWords.get(word) ?? sameNames.get(word);
  if (same !== undefined) return same;
  if (kindOfName.has(word)) return word;
  if (word.length > 5)
    return word
      .replace(SUFFIX, '')
      .replace(/is(?=e?$)/, 'iz')
      .replace(/e$/, '');
  return word.length > 3 ? word.replace(/([^su])s$/, '$1') : word;
}

interface Signature {
  /** Weight of each root. */
  roots: ReadonlyMap<string, number>;
  /** Roots of names, including coins. */
  names: ReadonlySet<string>;
  /** Names that another source may leave out: of `Tornado Cash developer Roman Storm` the first two. */
  affiliations: ReadonlySet<string>;
  figures: readonly Figure[];
}

const OUTLET = /\s+[|–—]\s+[^|–—]{2,30}$/;
/** Above this share of capitals a headline is in title case, where capitals do not indicate names. */
const TITLE_CASE_MIN = 0.6;

function isInTitleCase(words: readonly string[]): boolean {
  const long = words.slice(1).filter((word) => word.length > 3);
  return long.filter(startsHigh).length > TITLE_CASE_MIN * long.length;
}

function signatureOf({ title }: Compared): Signature {
  // Removes the name of the outlet after a dash or bar.
  const bare = joined.reduce(
    (text, [pattern, name]) => text.replace(pattern, name),
    title.normalize('NFKC').replace(/[’‘]/g, "'").replace(OUTLET, ''),
  );
  const { figures, text } = readFigures(bare);
  const words = text.match(/\$?\p{L}[\p{L}\d'-]*/gu) ?? [];
  const isTitleCase = isInTitleCase(words);
  const roots = new Map<string, number>();
  const [names, affiliations] = [new Set<string>(), new Set<string>()];
  for (const [at, written] of words.entries()) {
    const word = written.toLowerCase().replace(/^\$/, '').replace(/'s?$/, '');
    if (word.length < 2 || stopWords.has(word)) continue;
    const root = isCoin(written, word) ? (coinOf.get(word) ?? word) : rootOf(word);
    const isCapital = mayBeName(written, word, at === 0 || isTitleCase);
    const isRole = roles.has((words[at + 1] ?? '').toLowerCase());
    if (isCapital && isRole) affiliations.add(root);
    else if (isCapital || coins.has(root)) names.add(root);
    const weight = isRole ? weights.weak : weightOf(root, word, isCapital);
    roots.set(root, Math.max(roots.get(root) ?? 0, weight));
  }
  return { roots, names, affiliations, figures };
}

/** A coin by its name, or by its ticker in capitals: `near` is no coin. */
const isCoin = (written: string, word: string): boolean => {
  const coin = coinOf.get(word);
  return coin !== undefined && (coin !== word || written === written.toUpperCase());
};
const startsHigh = (word: string): boolean => /^\$?\p{Lu}/u.test(word);

/** @param isUnsure the word would be capitalised in any case */
function mayBeName(written: string, word: string, isUnsure: boolean): boolean {
  const root = sameNames.get(word) ?? word;
  if (isCoin(written, word)) return false;
  if (kindOfName.has(root)) return startsHigh(written);
  if (!startsHigh(written) || sameWords.has(word) || weakWords.has(word) || plainWords.has(word)) return false;
  return !isUnsure || /^\p{Lu}{3,}$/u.test(written) || !PLAIN_ENDING.test(word);
}

function weightOf(root: string, word: string, isName: boolean): number {
  if (isName) return weights.name;
  if (coins.has(root)) return weights.coin;
  return weakWords.has(word) || weakWords.has(root) ? weights.weak : weights.word;
}

const areOpposites = (a: Signature, b: Signature): boolean =>
  opposites.some((group) => {
    const own = group.filter((root) => a.roots.has(root));
    const other = group.filter((root) => b.roots.has(root));
    return own.length > 0 && other.length > 0 && !own.some((root) => other.includes(root));
  });

/** True when each title has different names in place of the other's. */
function areNamesAtOdds(a: Signature, b: Signature): boolean {
  for (const kind of nameKinds.keys()) {
    const own = [...a.names].filter((name) => kindOfName.get(name) === kind);
    const other = [...b.names].filter((name) => kindOfName.get(name) === kind);
    if (own.length > 0 && other.length > 0 && !own.some((name) => other.includes(name))) return true;
  }
  const [ownOnly, otherOnly] = [onlyIn(a, b), onlyIn(b, a)];
  if (ownOnly.length === 0 || otherOnly.length === 0) return false;
  const common = [...a.names].filter((name) => b.roots.has(name)).length;
  return (2 * common) / (2 * common + ownOnly.length + otherOnly.length) <= NAMES_ABOVE;
}

/** True when both contain names but share none, or when they share names but no other word. */
function haveNoCommonGround(a: Signature, b: Signature): boolean {
  if (countSame(a.figures, b.figures) > 0) return false;
  const [own, other] = [a, b].map(({ names, affiliations }) => new Set([...names, ...affiliations])) as [
    Set<string>,
    Set<string>,
  ];
  if (
    own.size > 0 &&
    other.size > 0 &&
    ![...own].some((name) => b.roots.has(name)) &&
    ![...other].some((name) => a.roots.has(name))
  )
    return true;
  const [ownWords, otherWords] = [wordsIn(a), wordsIn(b)];
  return ownWords.length + otherWords.length > 0 && !ownWords.some((root) => b.roots.has(root));
}
const wordsIn = ({ roots, names }: Signature): string[] =>
  [...roots].flatMap(([root, weight]) => (weight === weights.weak || names.has(root) ? [] : [root]));

/** A new market is reported as `listed` or `launched`. */
const actionOf = (root: string): string => (root === 'list' ? 'launch' : root);

const commonIn = (a: Signature, b: Signature, group: ReadonlySet<string>): 'none' | 'some' | 'other' => {
  const [own, other] = [a, b].map(({ roots }) => [...roots.keys()].filter((root) => group.has(root)).map(actionOf)) as [
    string[],
    string[],
  ];
  if (own.length === 0 || other.length === 0) return 'none';
  return own.some((root) => other.includes(root)) ? 'some' : 'other';
};
const isSequel = (a: Signature, b: Signature): boolean =>
  incidents.some((root) => a.roots.has(root) || b.roots.has(root)) &&
  [...sequels].some((root) => a.roots.has(root) !== b.roots.has(root));

/** A sequel of an incident, other coins, or, without a common figure, another action or subject. */
const areSubjectsAtOdds = (a: Signature, b: Signature): boolean =>
  isSequel(a, b) ||
  commonIn(a, b, coins) === 'other' ||
  (countSame(a.figures, b.figures) === 0 &&
    (commonIn(a, b, actions) === 'other' || commonIn(a, b, subjects) === 'other'));

/** Names that are not words of the other title; places are ignored because they only state an origin. */
const onlyIn = (a: Signature, b: Signature): string[] =>
  [...a.names].filter((name) => !b.roots.has(name) && kindOfName.get(name) !== PLACES);

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** Mean of two overlaps: Dice over both titles, and the share of the shorter one. */
function similarity(a: Signature, b: Signature): number {
  const same = countSame(a.figures, b.figures);
  const common =
    sumOf([...a.roots].map(([root, weight]) => Math.min(weight, b.roots.get(root) ?? 0))) + same * weights.figure;
  const sizes = [a, b].map(
    ({ roots, figures }) =>
      sumOf(roots.values()) + same * weights.figure + Math.max(0, figures.length - same) * weights.otherFigure,
  );
  const [least, whole] = [Math.min(...sizes), sumOf(sizes)];
  // Without a common figure, replaced words indicate two events: `staking` and `options`.
  if (same === 0 && Math.min(ownWeight(a, b), ownWeight(b, a)) > REPLACED_MAX * least) return 0;
  return whole === 0 ? 0 : ((2 * common) / whole + common / least) / 2;
}

/** Weight of words that only the first title has, without weak ones. */
const ownWeight = (a: Signature, b: Signature): number =>
  sumOf([...a.roots].map(([root, weight]) => (weight === weights.weak || b.roots.has(root) ? 0 : weight)));

const isMove = ({ roots, figures }: Signature): boolean =>
  figures.length > 0 && ['rise', 'fall', 'cross'].some((root) => roots.has(root));

/** Each settlement is a separate event, with the same words and often the same rate. */
const isFunding = ({ title }: Compared): boolean => /\bfunding\b.*%/i.test(title);

export interface Stories<K> {
  /** The story of an item; undefined when it starts a new one. */
  find: (item: Compared) => K | undefined;
  add: (key: K, item: Compared) => void;
}

/**
 * Detects near-duplicates by title: words are reduced to roots and synonyms to one word, names and figures have more weight. Two titles
 * are one story when they are similar, were first seen within 36 hours (4 for a price move), and do not contradict each other: different
 * percentages, amounts or counts, other names, opposite directions, or different symbols. An item joins the story with the most similar
 * report, unless another report of that story contradicts it.
 */
export function createStories<K>(): Stories<K> {
  const known: Report<K>[] = [];
  const byRoot = new Map<string, number[]>();
  const byStory = new Map<K, Report<K>[]>();
  return {
    find(item) {
      const own = { item, signature: signatureOf(item) };
      const candidates = new Set(strongRoots(own.signature).flatMap((root) => byRoot.get(root) ?? []));
      const found: { key: K; score: number }[] = [];
      for (const index of candidates) {
        const other = known[index];
        if (other === undefined) continue;
        const score = similarity(own.signature, other.signature);
        if (score >= SIMILARITY_MIN && !areAtOdds(own, other)) found.push({ key: other.key, score });
      }
      found.sort((a, b) => b.score - a.score);
      return found.find(({ key }) => !(byStory.get(key) ?? []).some((other) => areAtOdds(own, other)))?.key;
    },
    add(key, item) {
      const report = { key, item, signature: signatureOf(item) };
      const index = known.push(report) - 1;
      byStory.set(key, [...(byStory.get(key) ?? []), report]);
      for (const root of strongRoots(report.signature)) byRoot.set(root, [...(byRoot.get(root) ?? []), index]);
    },
  };
}

/** Titles with only weak words in common are not compared. */
const strongRoots = ({ roots }: Signature): string[] =>
  [...roots].flatMap(([root, weight]) => (weight === weights.weak ? [] : [root]));

interface Report<K> {
  key: K;
  item: Compared;
  signature: Signature;
}

function areAtOdds(a: Omit<Report<unknown>, 'key'>, b: Omit<Report<unknown>, 'key'>): boolean {
  const apartMs = Math.abs(a.item.atMs - b.item.atMs);
  const isShort = (isMove(a.signature) && isMove(b.signature)) || (isFunding(a.item) && isFunding(b.item));
  if (apartMs > (isShort ? MOVE_WINDOW_MS : STORY_WINDOW_MS)) return true;
  if (areOpposites(a.signature, b.signature) || areNamesAtOdds(a.signature, b.signature)) return true;
  if (areSubjectsAtOdds(a.signature, b.signature) || haveNoCommonGround(a.signature, b.signature)) return true;
  if (a.item.symbols.length > 0 && b.item.symbols.length > 0) {
    const theirs = new Set(b.item.symbols);
    if (!a.item.symbols.some((symbol) => theirs.has(symbol))) return true;
  }
  return areFiguresAtOdds(a.signature.figures, b.signature.figures);
}
