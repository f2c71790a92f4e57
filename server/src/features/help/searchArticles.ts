import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { ArticleIndex, ArticleMatch } from './articleIndex.ts';
import { snippetOf } from './articleIndex.ts';
import { englishWordsOf, isOtherLanguage } from './otherLanguages.ts';

export interface MatchingArticle {
  id: string;
  slug: string;
  title: string;
  question: string;
  category_slug: string;
  tags: string[];
  created_at: Date;
  is_featured: boolean;
  /** Part of the text in pieces; hits are searched words. */
  snippet: { text: string; is_hit: boolean }[];
}

export interface MatchingArticles {
  articles: MatchingArticle[];
  /** The corrected query, when some words were mistyped. */
  correctedTo: string | null;
  /** The nearest articles when nothing was found. */
  nearest: MatchingArticle[];
  isOtherLanguage: boolean;
}

const RESULTS_MAX = 30;
const NEAREST_MAX = 4;
/** An article matches with this share of the query, or a fifth of the best score. */
const COVERAGE_MIN = 0.34;

/** Articles that contain the words of a text, best first. Any word may be missing; returns the nearest ones when none matches enough. */
export async function searchArticles(db: Db, index: ArticleIndex, text: string): Promise<MatchingArticles> {
  const isForeign = isOtherLanguage(text);
  const { matches, correctedTo } = index.search(isForeign ? englishWordsOf(text) : text);
  const results = isForeign ? [] : matches.filter(({ coverage }) => coverage >= COVERAGE_MIN).slice(0, RESULTS_MAX);
  const near = results.length > 0 ? [] : matches.slice(0, NEAREST_MAX);
  const [articles, nearest] = await withSystem(db, async (tx) => {
    const rows = await tx
      .selectFrom('help_articles')
      .select(['id', 'slug', 'title', 'question', 'category_slug', 'tags', 'created_at', 'is_featured'])
      .orderBy('place')
      .orderBy('slug')
      .execute();
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    const read = (ones: readonly ArticleMatch[]): MatchingArticle[] =>
      ones.flatMap(({ article, stems }) => {
        const row = bySlug.get(article.slug);
        return row === undefined ? [] : [{ ...row, snippet: snippetOf(article, stems) }];
      });
    const featured = rows.filter((row) => row.is_featured).slice(0, NEAREST_MAX);
    const nearestMatches = read(near);
    const others =
      results.length > 0 || nearestMatches.length > 0 ? [] : featured.map((row) => ({ ...row, snippet: [] }));
    return [read(results), [...nearestMatches, ...others]];
  });
  return { articles, correctedTo: results.length > 0 ? correctedTo : null, nearest, isOtherLanguage: isForeign };
}
