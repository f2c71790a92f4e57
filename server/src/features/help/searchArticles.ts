import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { nearestWord } from '../../platform/nearestWord.ts';
import { wordsOf } from './storeHelp.ts';

/** Marks around a hit in a snippet: characters that no article contains. */
const [hitStart, hitEnd] = ['\u0002', '\u0003'];

export interface FoundArticle {
  id: string;
  slug: string;
  title: string;
  question: string;
  category_slug: string;
  tags: string[];
  created_at: Date;
  is_featured: boolean;
  /** Cut from the text, with marks around the words that were searched for. */
  snippet: string | null;
}

export interface FoundArticles {
  articles: FoundArticle[];
  /** The words that were searched for instead, when what was typed finds nothing. */
  correctedTo: string | null;
  /** What comes nearest when nothing was found. */
  nearest: FoundArticle[];
}

const RESULTS_MAX = 30;
const NEAREST_MAX = 4;

/** All words must be there, each as the beginning of one. */
const tsQueryOf = (words: readonly string[]): string => words.map((word) => `${word}:*`).join(' & ');

const columns = sql`id, slug, title, question, category_slug, tags, created_at, is_featured`;

async function find(tx: SystemTx, words: readonly string[], limit: number): Promise<FoundArticle[]> {
  if (words.length === 0) return [];
  const options = `StartSel=${hitStart}, StopSel=${hitEnd}, MaxFragments=1, MaxWords=28, MinWords=12`;
  // The best are chosen before snippets are cut: cutting reads the whole text.
  const { rows } = await sql<FoundArticle>`
    with q as (select to_tsquery('english', ${tsQueryOf(words)}) as query),
    best as (select a.*, ts_rank('{0.05, 0.2, 0.5, 1}', search, query, 1) as rank from help_articles a, q
      where search @@ query order by rank desc, place, slug limit ${limit})
    select ${columns}, ts_headline('english', body_text, query, ${options}) as snippet from best, q
    order by rank desc, place, slug`.execute(tx);
  return rows;
}

const hasTrigrams = async (tx: SystemTx): Promise<boolean> => {
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(tx);
  return rows.length > 0;
};

/** The word that was meant, or the word itself. */
async function correct(tx: SystemTx, word: string, isTrigram: boolean): Promise<string> {
  const known = await sql`select from help_words where word = ${word}`.execute(tx);
  if (known.rows.length > 0) return word;
  // Both look at the same few: by shared triples of letters where the server can, by first letter and length elsewhere.
  const candidates = isTrigram
    ? sql<{ word: string }>`select word from help_words where extensions.similarity(word, ${word}) >= 0.3
        order by extensions.similarity(word, ${word}) desc, word limit 20`
    : sql<{ word: string }>`select word from help_words
        where left(word, 1) = left(${word}, 1) and length(word) between ${word.length - 2} and ${word.length + 2}`;
  const { rows } = await candidates.execute(tx);
  return (
    nearestWord(
      word,
      rows.map((row) => row.word),
    ) ?? word
  );
}

/** Articles that have any of the words, those with more of them first. */
async function findNearest(tx: SystemTx, words: readonly string[]): Promise<FoundArticle[]> {
  if (words.length > 0) {
    const any = words.map((word) => `${word}:*`).join(' | ');
    const { rows } = await sql<FoundArticle>`
      select ${columns}, null as snippet from help_articles where search @@ to_tsquery('english', ${any})
      order by ts_rank('{0.05, 0.2, 0.5, 1}', search, to_tsquery('english', ${any}), 1) desc, place, slug limit ${NEAREST_MAX}`.execute(
      tx,
    );
    if (rows.length > 0) return rows;
  }
  const { rows } = await sql<FoundArticle>`
    select ${columns}, null as snippet from help_articles where is_featured order by place, slug limit ${NEAREST_MAX}`.execute(
    tx,
  );
  return rows;
}

const WORDS_MAX = 12;

/** Full-text search: titles weigh most, then questions and tags, then headings, then the text. */
export function searchArticles(db: Db, text: string): Promise<FoundArticles> {
  return withSystem(db, async (tx) => {
    const words = [...new Set(text.toLowerCase().match(/[a-z0-9]{1,40}/g) ?? [])].slice(0, WORDS_MAX);
    const found = await find(tx, words, RESULTS_MAX);
    if (found.length > 0 || words.length === 0)
      return { articles: found, correctedTo: null, nearest: found.length > 0 ? [] : await findNearest(tx, []) };
    const isTrigram = await hasTrigrams(tx);
    const corrected: string[] = [];
    for (const word of words) corrected.push(wordsOf(word).length === 0 ? word : await correct(tx, word, isTrigram));
    const correctedTo = corrected.join(' ');
    const meant = correctedTo === words.join(' ') ? [] : await find(tx, corrected, RESULTS_MAX);
    if (meant.length > 0) return { articles: meant, correctedTo, nearest: [] };
    return { articles: [], correctedTo: null, nearest: await findNearest(tx, corrected) };
  });
}

/** A snippet in pieces, so that a page marks hits without reading markup. */
export function piecesOf(snippet: string): { text: string; is_hit: boolean }[] {
  return snippet
    .split(hitStart)
    .flatMap((part, at) => {
      const end = at === 0 ? -1 : part.indexOf(hitEnd);
      if (end < 0) return [{ text: part, is_hit: false }];
      return [
        { text: part.slice(0, end), is_hit: true },
        { text: part.slice(end + 1), is_hit: false },
      ];
    })
    .filter(({ text }) => text !== '');
}
