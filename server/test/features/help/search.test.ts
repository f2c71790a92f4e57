import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerQuestion, loadKnowledge, type Knowledge } from '../../../src/features/help/answer.ts';
import { isOtherLanguage } from '../../../src/features/help/otherLanguages.ts';
import { type MatchingArticles, searchArticles } from '../../../src/features/help/searchArticles.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { answered, heldOut } from './questions.ts';
import { asked, inOtherLanguages, mistyped, typed } from './searchQuestions.ts';

let database: TestDatabase;
let knowledge: Knowledge;
let userId: string;
beforeAll(async () => {
  [database, knowledge] = await Promise.all([createTestDatabase(), loadKnowledge()]);
  userId = await database.addUser();
  await storeHelp(database.db, knowledge);
});
afterAll(() => database.drop());

const search = (text: string): Promise<MatchingArticles> => searchArticles(database.db, knowledge.articleIndex, text);
const ask = (question: string) =>
  answerQuestion({ db: database.db, dailyMicrousdMax: 0 }, knowledge, { userId, question });
const slugsOf = (articles: readonly { slug: string }[]): string[] => articles.map(({ slug }) => slug);

/** The queries whose right article is not among the first three. */
async function misses(queries: typeof typed): Promise<string[]> {
  const missed: string[] = [];
  for (const [query, ...wanted] of queries) {
    const { articles, nearest } = await search(query);
    const shown = slugsOf([...articles, ...nearest]).slice(0, 3);
    if (!shown.some((slug) => wanted.includes(slug))) missed.push(`${query}: ${shown.join(', ')}`);
  }
  return missed;
}

describe('the search of the help', () => {
  it.each([
    { what: 'sixty queries in the words of users', queries: typed, count: 60 },
    { what: 'twenty mistyped ones', queries: mistyped, count: 20 },
  ])('has the right article among the first three in 95 cases of 100 for $what', async ({ queries, count }) => {
    expect(queries).toHaveLength(count);
    const missed = await misses(queries);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.05 * count);
  });

  it('names only articles that exist in these queries', () => {
    const known = new Set(slugsOf(knowledge.articles));
    const named = [...typed, ...mistyped, ...asked, ...inOtherLanguages].flatMap(([, ...slugs]) => slugs);
    expect(named.filter((slug) => !known.has(slug))).toEqual([]);
  });

  it.each([
    'sourdough webhook signature',
    'how can i please verify hmac',
    'refund for the sourdough scan',
    'mfa xyzzyq',
  ])('finds articles although a word is missing in them: %s', async (text) =>
    expect((await search(text)).articles.length).toBeGreaterThan(0),
  );

  it.each(['qzxjk', 'sourdough', '???', '🙂', 'weather in paris'])('offers articles for %j', async (text) => {
    const { articles, nearest } = await search(text);
    expect(articles.length + nearest.length).toBeGreaterThan(0);
  });

  it.each(inOtherLanguages.map(([text, ...wanted]) => ({ text, wanted })))(
    'says that the help is in English and offers the nearest articles: $text',
    async ({ text, wanted }) => {
      const { articles, nearest, isOtherLanguage: isForeign } = await search(text);
      expect([articles, isForeign]).toEqual([[], true]);
      expect(slugsOf(nearest).slice(0, 3)).toEqual(expect.arrayContaining([expect.stringMatching(wanted.join('|'))]));
    },
  );

  it('takes no English question for another language', () => {
    const english = [...typed, ...mistyped, ...asked, ...answered, ...heldOut].map(([text]) => text);
    expect(english.filter(isOtherLanguage)).toEqual([]);
    expect(
      ['do the candles come in EST?', 'what are the pros and con of the sin wave'].filter(isOtherLanguage),
    ).toEqual([]);
  });
});

describe('the assistant', () => {
  it('cites the right article for 95 % of forty questions that another passage used to win', async () => {
    const wrong: string[] = [];
    for (const [question, ...wanted] of asked) {
      const { sources } = await ask(question);
      if (!sources.some(({ slug }) => wanted.includes(slug))) wrong.push(`${question}: ${slugsOf(sources).join(', ')}`);
    }
    expect(asked).toHaveLength(40);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(2);
  });

  it.each(inOtherLanguages.map(([question, ...wanted]) => ({ question, wanted })))(
    'says that the help is in English and names the nearest articles: $question',
    async ({ question, wanted }) => {
      const { text, writtenBy, sources } = await ask(question);
      expect([writtenBy, text]).toEqual(['other_language', expect.stringContaining('The help is in English')]);
      expect(slugsOf(sources)).toEqual(expect.arrayContaining([expect.stringMatching(wanted.join('|'))]));
    },
  );
});
