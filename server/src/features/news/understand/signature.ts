import { coinNames } from './coinNames.ts';
import { commonWords } from './commonWords.ts';
import { type Figure, readFigures } from './figures.ts';
import {
  joined,
  nameKinds,
  PLAIN_ENDING,
  plainWords,
  roles,
  sameNames,
  sameWords,
  stopWords,
  weakWords,
} from './headlineWords.ts';
import { translateHeadline } from './translateHeadline.ts';

/** What a common part says about an event. */
export const weights = { name: 1.6, coin: 0.8, word: 1, weak: 0.25, figure: 1.5, otherFigure: 0.3 } as const;

/** Tickers and names of a coin as one word. */
const coinOf = new Map(
  Object.entries(coinNames).flatMap(([base, names]) =>
    [base, ...names.filter((name) => !name.includes(' '))].map((name) => [name.toLowerCase(), base.toLowerCase()]),
  ),
);
export const coins = new Set(coinOf.values());
export const kindOfName = new Map(nameKinds.flatMap((names, kind) => [...names].map((name) => [name, kind] as const)));

/** Roots that stand for a group of words: they are known, and no names. */
const knownRoots = new Set(sameWords.values());
/** Countries and cities are the last kind. */
export const PLACES = nameKinds.length - 1;

const SUFFIX = /(?:ies|es|s|ed|ing)$/;
function rootOf(word: string): string {
  const same = sameWords.get(word) ?? sameNames.get(word);
  if (same !== undefined) return same;
  if (kindOfName.has(word) || knownRoots.has(word)) return word;
  if (word.length > 5)
    return word
      .replace(SUFFIX, '')
      .replace(/is(?=e?$)/, 'iz')
      .replace(/e$/, '');
  return word.length > 3 ? word.replace(/([^su])s$/, '$1') : word;
}

/** Words of what may happen: such a report and one of what happened are two stories. */
const maybes = new Set('may might could threatens threatened reconsider reconsiders'.split(' '));
export const MAYBE = '?';

export interface Signature {
  /** What each root says. */
  roots: ReadonlyMap<string, number>;
  /** Roots in front of `after`, `as`, `amid`: what is new. */
  main: ReadonlySet<string>;
  /** Roots of names, including coins. */
  names: ReadonlySet<string>;
  /** Names that another wire may leave out: of `Tornado Cash developer Roman Storm` the first two. */
  affiliations: ReadonlySet<string>;
  figures: readonly Figure[];
  /** Names that stand beside a name: of `Goldman Sachs` another wire may name a part. */
  beside: ReadonlyMap<string, ReadonlySet<string>>;
  /** Named before the word for a lawsuit: one of them sues. */
  claimants: ReadonlySet<string>;
}

/** Start of the cause or background of the news; a comma ends it. */
const background = new Set(['after', 'following', 'as', 'amid', 'despite', 'since', 'because']);
/** `record-size` is two words, `sell-off` one. */
const COMPOUND = /(?<=\p{L}{3})-(?=\p{L}{4})/gu;
const OUTLET = /\s+[|–—]\s+[^|–—]{2,30}$/;
/** Above this share of capitals a headline is in title case, and capitals name nothing. */
const TITLE_CASE_MIN = 0.6;

function isInTitleCase(words: readonly string[]): boolean {
  const long = words.slice(1).filter((word) => word.length > 3);
  return long.filter(startsHigh).length > TITLE_CASE_MIN * long.length;
}

/** A word of a headline that says something. */
interface Token {
  root: string;
  weight: number;
  isCapital: boolean;
  isAffiliation: boolean;
  isMain: boolean;
  /** The word before it says something too. */
  isBesideLast: boolean;
}

interface Heading {
  words: readonly string[];
  isTitleCase: boolean;
  isTranslated: boolean;
}

/** What a headline says, by roots of words, names and figures. */
export function signatureOf(title: string): Signature {
  // The name of the outlet behind a dash or bar is not part of the headline.
  const own = title.normalize('NFKC').replace(/[’‘]/g, "'").replace(OUTLET, '');
  const translated = translateHeadline(own);
  const bare = joined.reduce((text, [pattern, name]) => text.replace(pattern, name), translated ?? own);
  const { figures, text } = readFigures(bare);
  const words = text.replace(COMPOUND, ' ').match(/\$?\p{L}[\p{L}\d'-]*|,/gu) ?? [];
  const heading = { words, isTitleCase: isInTitleCase(words), isTranslated: translated !== undefined };
  const tokens = tokensOf(heading);
  const roots = new Map<string, number>();
  for (const { root, weight } of tokens) roots.set(root, Math.max(roots.get(root) ?? 0, weight));
  const main = new Set(rootsOf(tokens, ({ isMain }) => isMain));
  for (const root of impliedRoots(roots, figures)) {
    roots.set(root, weights.word);
    main.add(root);
  }
  const isName = ({ root, isCapital }: Token): boolean => isCapital || coins.has(root);
  const suing = tokens.findIndex(({ root }) => root === 'sue');
  return {
    roots,
    main,
    names: new Set(rootsOf(tokens, (token) => isName(token) && !token.isAffiliation)),
    affiliations: new Set(rootsOf(tokens, ({ isAffiliation }) => isAffiliation)),
    figures,
    beside: heading.isTitleCase || heading.isTranslated ? new Map() : neighboursOf(tokens),
    claimants: new Set(
      rootsOf(
        tokens.slice(0, Math.max(0, suing)),
        (token) => isName(token) && !token.isAffiliation && kindOfName.get(token.root) !== PLACES,
      ),
    ),
  };
}

const rootsOf = (tokens: readonly Token[], keep: (token: Token) => boolean): string[] =>
  tokens.filter(keep).map(({ root }) => root);

function tokensOf(heading: Heading): Token[] {
  const tokens: Token[] = [];
  let [isMain, isBesideLast] = [true, false];
  for (const [at, written] of heading.words.entries()) {
    const word = plainFormOf(written);
    // A headline that starts with its background has no main part.
    if (background.has(word) && at > 1) isMain = false;
    if (written === ',') isMain = true;
    if (maybes.has(word) && isMain) tokens.push({ ...silent, root: MAYBE, isMain: false });
    const isSaying = word.length > 1 && !stopWords.has(word);
    if (isSaying) tokens.push({ ...tokenAt(heading, at), isMain, isBesideLast });
    isBesideLast = isSaying;
  }
  return tokens;
}
const silent = { weight: weights.weak, isCapital: false, isAffiliation: false, isBesideLast: false };
const plainFormOf = (written: string): string => written.toLowerCase().replace(/^\$/, '').replace(/'s?$/, '');

function tokenAt(
  { words, isTitleCase, isTranslated }: Heading,
  at: number,
): Pick<Token, 'root' | 'weight' | 'isCapital' | 'isAffiliation'> {
  const written = words[at] ?? '';
  const word = plainFormOf(written);
  const root = isCoin(written, word) ? (coinOf.get(word) ?? word) : rootOf(word);
  const isCapital = mayBeName(written, word, at === 0 || isTitleCase);
  // Of `Roman Storm, founder of` and `on Ethereum` another wire may say nothing.
  const isRole = roles.has((words[at + 1] ?? '').toLowerCase());
  const isChain = coins.has(root) && words[at - 1]?.toLowerCase() === 'on';
  const isKnown = !isTranslated || isWordKnown(word, root);
  return {
    root,
    weight: isRole || !isKnown ? weights.weak : weightOf(root, word, isCapital),
    isCapital,
    // Nouns of another language have capitals too.
    isAffiliation: isChain || (isCapital && (isRole || isTranslated)),
  };
}
const isWordKnown = (word: string, root: string): boolean =>
  sameWords.has(word) || knownRoots.has(word) || kindOfName.has(root) || coins.has(root);

/** Names by the names that stand beside them. */
function neighboursOf(tokens: readonly Token[]): Map<string, Set<string>> {
  const beside = new Map<string, Set<string>>();
  for (const [at, { root, isCapital, isBesideLast }] of tokens.entries()) {
    const last = tokens[at - 1];
    if (!isCapital || !isBesideLast || last?.isCapital !== true) continue;
    beside.set(root, (beside.get(root) ?? new Set()).add(last.root));
    beside.set(last.root, (beside.get(last.root) ?? new Set()).add(root));
  }
  return beside;
}

type Says = (...any: string[]) => boolean;
/** What words say beside others: funds that lose an amount have outflows. */
const implications: readonly {
  root: string;
  follows: (says: Says, has: ReturnType<typeof kindsOfFigures>) => boolean;
}[] = [
  {
    root: 'outflow',
    follows: (says, { isAmount }) =>
      isAmount && isOfFunds(says) && says('lose', 'fall', 'leave', 'yank', 'pull', 'sell'),
  },
  {
    root: 'inflow',
    follows: (says, { isAmount }) => isAmount && isOfFunds(says) && says('rise', 'win', 'list', 'take', 'add'),
  },
  { root: 'fall', follows: (says, { isShare, isPrice }) => says('drop') && (isShare || isPrice || says(...coins)) },
  { root: 'fall', follows: (says, { isShare }) => isShare && says('lose') && !says('rise', 'fall') },
  { root: 'fine', follows: (says) => says('pay') && says('order', 'agr', 'convict', 'fine') },
  { root: 'approve', follows: (says) => says('support') && says('bill') && !says('leave', 'fall', 'pull') },
];
const isOfFunds = (says: Says): boolean => says('etf') && !says('inflow', 'outflow');
const PRICE_MAX = 2e5;
const kindsOfFigures = (figures: readonly Figure[]) => ({
  isAmount: figures.some(({ kind, value }) => kind === 'usd' && value >= PRICE_MAX / 2),
  isPrice: figures.some(({ kind, value }) => kind === 'usd' && value < PRICE_MAX),
  isShare: figures.some(({ kind }) => kind === 'percent'),
});

function impliedRoots(roots: ReadonlyMap<string, number>, figures: readonly Figure[]): string[] {
  const says: Says = (...any) => any.some((root) => roots.has(root));
  return implications.filter(({ follows }) => follows(says, kindsOfFigures(figures))).map(({ root }) => root);
}

/** A coin by its name, or by its ticker in capitals: `near` is no coin. */
const isCoin = (written: string, word: string): boolean => {
  const coin = coinOf.get(word);
  return coin !== undefined && (coin !== word || written === written.toUpperCase());
};
const startsHigh = (word: string): boolean => /^\$?\p{Lu}/u.test(word);

/** A frequent word in any of its forms. */
const isCommon = (word: string): boolean =>
  [
    word,
    ...['s', 'es', 'd', 'ed', 'er', 'ing', 'ly'].flatMap((ending) =>
      word.endsWith(ending) ? withoutEnding(word, ending) : [],
    ),
  ].some((form) => commonWords.has(form));
function withoutEnding(word: string, ending: string): string[] {
  const stem = word.slice(0, -ending.length);
  return [stem, `${stem}e`, stem.replace(/ie?$/, 'y'), stem.replace(/(.)\1$/, '$1')];
}

/** @param isUnsure the word has a capital whatever it is */
function mayBeName(written: string, word: string, isUnsure: boolean): boolean {
  const root = sameNames.get(word) ?? word;
  if (isCoin(written, word)) return false;
  if (kindOfName.has(root)) return startsHigh(written);
  if (
    !startsHigh(written) ||
    sameWords.has(word) ||
    knownRoots.has(word) ||
    weakWords.has(word) ||
    plainWords.has(word)
  )
    return false;
  return !isUnsure || /^\p{Lu}{3,}$/u.test(written) || !(PLAIN_ENDING.test(word) || isCommon(word));
}

function weightOf(root: string, word: string, isName: boolean): number {
  if (isName) return weights.name;
  if (coins.has(root)) return weights.coin;
  return weakWords.has(word) || weakWords.has(root) ? weights.weak : weights.word;
}

/** Roots that say something: titles that have only weak words in common are not compared. */
export const strongRoots = ({ roots }: Signature): string[] =>
  [...roots].flatMap(([root, weight]) => (weight === weights.weak ? [] : [root]));
