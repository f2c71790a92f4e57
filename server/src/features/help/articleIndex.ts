import MiniSearch from 'minisearch';
import { type Article, plainOf } from './articles.ts';
import { isKnownWord, stemOf, stemsOf, typedWords } from './helpWords.ts';
import { nearestWord } from '../../platform/nearestWord.ts';

/** Full-text index of articles. An article may lack any word of a query. */
export interface ArticleIndex {
  search: (text: string) => ArticleMatches;
}

export interface ArticleMatch {
  article: Article;
  score: number;
  /** Share of the query's information in the article, 0 to 1. */
  coverage: number;
  /** Matched stems of the article. */
  stems: ReadonlySet<string>;
}

export interface ArticleMatches {
  matches: ArticleMatch[];
  /** Searched stems. */
  stems: readonly string[];
  /** The corrected query, when some words were mistyped. */
  correctedTo: string | null;
}

const boosts = { title: 5, question: 4, tags: 4, headings: 2, text: 1 } as const;
type Field = keyof typeof boosts;
const fields = Object.keys(boosts) as Field[];
/** A prefix match has less weight than a whole word. */
const PREFIX_WEIGHT = 0.5;

const documentOf = (article: Article, id: number): Record<Field, string> & { id: number } => ({
  id,
  title: article.title,
  question: article.question,
  tags: article.tags.join(' , '),
  headings: article.sections
    .filter(({ anchor }) => anchor !== 'top')
    .map(({ heading }) => heading)
    .join(' , '),
  text: plainOf(article.contentMd),
});

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]{1,40}/g) ?? [];

export function indexArticles(articles: readonly Article[]): ArticleIndex {
  const index = new MiniSearch<Record<Field, string> & { id: number }>({
    fields,
    tokenize: stemsOf,
    // The tokens are already stems.
    processTerm: (term) => term,
  });
  index.addAll(articles.map(documentOf));
  const counts = new Map<string, number>();
  const vocabulary = new Set<string>(typedWords);
  for (const article of articles) {
    const whole = Object.values(documentOf(article, 0)).join(' ');
    for (const stem of new Set(stemsOf(whole))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    for (const word of wordsIn(whole)) if (word.length >= 4 && !/\d/.test(word)) vocabulary.add(word);
  }
  const informationOf = (stem: string): number => {
    const count = counts.get(stem) ?? 0;
    return Math.log(1 + (articles.length - count + 0.5) / (count + 0.5));
  };

  /** Corrects a word that no article contains to the nearest one in the articles. */
  const correct = (word: string): string => {
    if (word.length < 4 || isKnownWord(word) || stemsOf(word).some((stem) => counts.has(stem))) return word;
    return nearestWord(word, vocabulary) ?? word;
  };

  function search(text: string): ArticleMatches {
    const words = wordsIn(text);
    const last = words.at(-1) ?? '';
    const isUnfinished = (word: string): boolean =>
      word === last && [...counts.keys()].some((stem) => stem.startsWith(word));
    const corrected = words.map((word) => (isUnfinished(word) ? word : correct(word)));
    const meant = corrected.join(' ') === words.join(' ') ? text : corrected.join(' ');
    const stems = [...new Set(stemsOf(meant))];
    const whole = stems.reduce((sum, stem) => sum + informationOf(stem), 0);
    if (stems.length === 0 || whole === 0) return { matches: [], stems, correctedTo: null };
    const lastStem = stemsOf(meant).at(-1);
    const results = index.search(stems.join(' '), {
      tokenize: (query) => query.split(' '),
      boost: boosts,
      prefix: (term) => term === lastStem && term.length >= 2,
      weights: { prefix: PREFIX_WEIGHT, fuzzy: 0 },
      combineWith: 'OR',
    });
    const matches = results.map(({ id, score, queryTerms, terms }): ArticleMatch => {
      const covered = queryTerms.reduce((sum, stem) => sum + informationOf(stem), 0);
      const coverage = covered / whole;
      // Of two articles with the same words, prefers the one that covers more of the query.
      return {
        article: articles[id as number] as Article,
        score: score * (0.3 + coverage),
        coverage,
        stems: new Set(terms),
      };
    });
    matches.sort((a, b) => b.score - a.score || a.article.place - b.article.place);
    return { matches, stems, correctedTo: meant === text ? null : meant };
  }
  return { search };
}

const SNIPPET_WORDS = 28;

/** Part of an article with most of the matched words, in pieces: the page marks hits without parsing markup. */
export function snippetOf(article: Article, stems: ReadonlySet<string>): { text: string; is_hit: boolean }[] {
  const text = article.sections
    .map((section) => section.text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
  const words = [...text.matchAll(/[A-Za-z0-9_]+/g)].map(({ 0: word, index }) => ({
    at: index,
    end: index + word.length,
    hits: stemsOf(word)
      .concat(stemOf(word.toLowerCase()))
      .filter((stem) => stems.has(stem)),
  }));
  let best = { from: 0, count: 0 };
  for (const [from, { hits }] of words.entries()) {
    if (hits.length === 0) continue;
    const count = new Set(words.slice(from, from + SNIPPET_WORDS).flatMap((word) => word.hits)).size;
    if (count > best.count) best = { from, count };
  }
  if (best.count === 0) return [];
  const shown = words.slice(Math.max(0, best.from - 2), best.from - 2 + SNIPPET_WORDS);
  const pieces: { text: string; is_hit: boolean }[] = [];
  let at = shown[0]?.at ?? 0;
  for (const { at: start, end, hits } of shown) {
    if (hits.length === 0) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), is_hit: false });
    pieces.push({ text: text.slice(start, end), is_hit: true });
    at = end;
  }
  const end = shown.at(-1)?.end ?? at;
  return end > at ? [...pieces, { text: text.slice(at, end), is_hit: false }] : pieces;
}
