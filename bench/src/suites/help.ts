import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { startThrowawayCluster } from '@sextant/server/launch/postgres/throwaway.ts';
import { type Article, readHelp } from '@sextant/server/src/features/help/articles.ts';
import { indexArticles } from '@sextant/server/src/features/help/articleIndex.ts';
import { findPassages, indexPassages } from '@sextant/server/src/features/help/passages.ts';
import { searchArticles } from '@sextant/server/src/features/help/searchArticles.ts';
import { storeHelp } from '@sextant/server/src/features/help/storeHelp.ts';
import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { type ResultLine, rounded } from '../results.ts';
import { quantile } from '../statistics.ts';

const ARTICLES = 2000;
const ROUNDS = 20;
/** One word, an unfinished one, several, a mistyped one, and no match (which suggests the nearest). */
const searches = {
  'one word': ['webhook', 'liquidation', 'credits', 'signal', 'stop'],
  unfinished: ['arbitr', 'optimi', 'liquid', 'tra', 's'],
  'several words': ['trailing stop', 'how is profit factor defined', 'position not opened', 'buy credits usdt'],
  mistyped: ['arbitarge', 'leverge', 'webhok', 'trailling'],
  'not found': ['sourdough funding', 'qzxjk', 'weather in paris'],
};
const questions = [
  'How much does a signal scan cost?',
  'Why was no position opened from my signal?',
  'What is a stop?',
];

/** The articles of the product repeated under other names: each word has the same frequency, thirty times over. */
function manyArticles(articles: readonly Article[]): Article[] {
  return Array.from({ length: ARTICLES }, (_, at) => {
    const article = articles[at % articles.length] as Article;
    const copy = Math.floor(at / articles.length);
    if (copy === 0) return article;
    return { ...article, slug: `${article.slug}-${copy}`, title: `${article.title}, ${copy}`, related: [] };
  });
}

interface StoredHelp {
  add: (name: string, samplesMs: readonly number[]) => void;
  lines: ResultLine[];
}

function keeper(report: (line: ResultLine) => void): StoredHelp {
  const lines: ResultLine[] = [];
  const add = (name: string, samplesMs: readonly number[]) => {
    for (const [part, fraction] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['slowest', 1],
    ] as const) {
      const line = {
        suite: 'help',
        case: `${name}, ${part}`,
        figure: rounded(quantile(samplesMs, fraction)),
        unit: 'ms',
      };
      lines.push(line);
      report(line);
    }
  };
  return { add, lines };
}

/** Runs each once to warm up, then again and again. */
async function timesOf(texts: readonly string[], run: (text: string) => unknown): Promise<number[]> {
  const samplesMs: number[] = [];
  for (let round = -1; round < ROUNDS; round++)
    for (const text of texts) {
      const startedAt = performance.now();
      await run(text);
      if (round >= 0) samplesMs.push(performance.now() - startedAt);
    }
  return samplesMs;
}

/** The search of the help centre and the index of its assistant, at 2,000 articles. */
export async function measureHelp(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const { add, lines } = keeper(report);
  const help = await readHelp();
  const articles = manyArticles(help.articles);
  const cluster = await startThrowawayCluster('bench');
  const { serverUrl } = await migrateDatabase(cluster.ownerUrl, 'a secret that signs the sessions of the bench');
  const database = openDatabase({ url: serverUrl, connectionsMax: 2, onError: () => undefined });
  try {
    await storeHelp(database.db, { categories: help.categories, articles });
    const articleIndex = indexArticles(articles);
    for (const [name, texts] of Object.entries(searches))
      add(`search, ${name}`, await timesOf(texts, (text) => searchArticles(database.db, articleIndex, text)));
    const index = indexPassages(articles);
    add(
      'assistant, passages',
      await timesOf(questions, (question) => findPassages(index, articleIndex.search(question), 12)),
    );
  } finally {
    await database.close();
    await cluster.stop();
  }
  return {
    lines,
    notes: [
      `${ARTICLES} articles: those of the product under other names, so that a word finds thirty times as many as it does there.`,
      'search: from the call to the ranked articles with their snippets, one connection, responses of PostgreSQL included; the goal is 50 ms.',
    ],
  };
}
