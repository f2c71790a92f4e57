import type { Article, Section } from './articles.ts';
import type { ArticleMatches } from './articleIndex.ts';
import { stemsOf } from './helpWords.ts';

/** A section of an article, as quoted and cited in answers. */
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

export interface MatchingPassage {
  passage: Passage;
  score: number;
  /** Share of the question's information in the passage, 0 to 1. */
  coverage: number;
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
  // Title, question and tags name the article: they count fully for its introduction and a third for its other sections.
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

/** Weight of the article's rank for a passage. */
const ARTICLE_SHARE = 2;

/**
 * Sections relevant to the question, best first. A passage is scored by its words and by the fit of its whole article, so that the
 * article about the question ranks before one that mentions it.
 */
export function findPassages(
  index: PassageIndex,
  { stems, matches }: ArticleMatches,
  limit: number,
): MatchingPassage[] {
  const information = stems.map((stem) => informationOf(index, stem));
  const whole = information.reduce((sum, value) => sum + value, 0);
  if (whole === 0) return [];
  const best = matches[0]?.score ?? 1;
  const shares = new Map(matches.map(({ article, score }) => [article.slug, score / best]));
  return index.entries
    .map(({ passage, weights, length }) => {
      let [score, covered] = [0, 0];
      for (const [at, stem] of stems.entries()) {
        const weight = weights.get(stem);
        if (weight === undefined) continue;
        const value = information[at] ?? 0;
        covered += value;
        const size = saturation * (1 - lengthShare + (lengthShare * length) / index.meanLength);
        score += (value * weight * (saturation + 1)) / (weight + size);
      }
      const coverage = covered / whole;
      // Of two passages with the same words, prefers the one that covers more of the question.
      return {
        passage,
        score: score * (1 + coverage) * (1 + ARTICLE_SHARE * (shares.get(passage.slug) ?? 0)),
        coverage,
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
