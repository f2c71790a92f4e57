/** Version of the table below. Increase it with every change: items store the version that scored them. */
export const KEYWORD_VERSION = 1;

interface Keyword {
  /** Lower case; a title must contain the words in this order, adjacent. The last word may have an ending (s, d, ed, ing). */
  phrase: string;
  /** Above 0 bullish, below 0 bearish, 0 neither. */
  weight: number;
  isHighImpact: boolean;
}

const rows = (weight: number, isHighImpact: boolean, text: string): Keyword[] =>
  text.split(',').map((phrase) => ({ phrase: phrase.trim(), weight, isHighImpact }));

export const keywordTable: readonly Keyword[] = [
  ...rows(
    2,
    true,
    'etf approval, etf approved, approves etf, all-time high, record high, record inflows, mainnet launch',
  ),
  ...rows(2, true, 'surge, soar, skyrocket, strategic reserve, short squeeze, rate cut, cuts rates'),
  ...rows(1, false, 'rally, rallies, jump, climb, gain, rise, rebound, recover, breakout, breaks above, tops, upgrade'),
  ...rows(
    1,
    false,
    'inflow, accumulate, adoption, partnership, partners with, integrates, buyback, bullish, outperform',
  ),
  ...rows(1, true, 'listing, lists, to list, halving, burns'),
  ...rows(1, false, 'funding turns positive, wins lawsuit, lawsuit dismissed, case dropped, approved, approves'),
  ...rows(
    -2,
    true,
    'hack, hacked, exploit, exploited, drained, stolen, bankruptcy, bankrupt, insolvent, depeg, rug pull',
  ),
  ...rows(
    -2,
    true,
    'plunge, crash, collapse, plummet, halts withdrawals, liquidation cascade, delist, sec sues, rate hike',
  ),
  ...rows(-1, false, 'fall, drop, slide, slip, tumble, sink, decline, dip, selloff, sell-off, breaks below, outflow'),
  ...rows(-1, false, 'bearish, downgrade, lawsuit, sued, fined, fine, warning, warns, rejected, rejects, delay, ban'),
  ...rows(-1, false, 'funding turns negative, token unlock, unlocks, investigation, probe, vulnerability, outage'),
];

const NEGATIONS = new Set([
  'no',
  'not',
  'never',
  'denies',
  'denied',
  'without',
  'avoids',
  'averts',
  "doesn't",
  "isn't",
]);
const ENDINGS = ['', 's', 'd', 'ed', 'es', 'ing', 'ped', 'ping'];
/** Maximum score of a text. */
const SENTIMENT_MAX = 4;

/** Lower-case words; figures and currency signs stay together with their unit. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .match(/\$?\d[\d,.]*%?[kmb]?\b%?|[\p{L}][\p{L}\d'-]*|\$\p{L}[\p{L}\d]*/gu) ?? [];

const byFirstWord = Map.groupBy(
  keywordTable.map((keyword) => ({ ...keyword, words: keyword.phrase.split(' ') })),
  ({ words }) => words[0] ?? '',
);
/** Index of phrases by first word, with every ending a one-word phrase may have. */
const firstWords = new Map<string, string[]>();
for (const first of byFirstWord.keys())
  for (const ending of ENDINGS) {
    const stem = ending !== '' && ending.startsWith('e') && first.endsWith('e') ? first.slice(0, -1) : first;
    const form = ending === 'ing' && first.endsWith('e') ? `${first.slice(0, -1)}ing` : stem + ending;
    firstWords.set(form, [...new Set([...(firstWords.get(form) ?? []), first])]);
  }

const fits = (word: string | undefined, phraseWord: string, isLast: boolean): boolean =>
  word === phraseWord ||
  (isLast && word !== undefined && (firstWords.get(word) ?? []).includes(phraseWord)) ||
  (isLast && word !== undefined && ENDINGS.some((ending) => word === phraseWord + ending));

export interface Judgement {
  keywords: string[];
  sentiment: number;
  isHighImpact: boolean;
}

/**
 * Phrases of the table in a title and the start of its text. A phrase counts once; one that is negated in the three words before
 * it is ignored.
 */
export function judgeText(text: string): Judgement {
  const words = wordsOf(text);
  const matches = new Map<string, Keyword>();
  words.forEach((word, i) => {
    for (const first of firstWords.get(word) ?? [word])
      for (const keyword of byFirstWord.get(first) ?? []) {
        const { length } = keyword.words;
        if (!keyword.words.every((each, k) => fits(words[i + k], each, k === length - 1))) continue;
        if (words.slice(Math.max(0, i - 3), i).some((each) => NEGATIONS.has(each))) continue;
        matches.set(keyword.phrase, keyword);
      }
  });
  const retained = [...matches.values()];
  const sum = retained.reduce((total, { weight }) => total + weight, 0);
  return {
    keywords: retained.map(({ phrase }) => phrase).sort(),
    sentiment: Math.max(-SENTIMENT_MAX, Math.min(SENTIMENT_MAX, sum)),
    isHighImpact: retained.some(({ isHighImpact }) => isHighImpact),
  };
}
