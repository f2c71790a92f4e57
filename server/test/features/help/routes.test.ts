import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Article, type Help, readHelp } from '../../../src/features/help/articles.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { xssPayloads } from './xssPayloads.ts';

let test: TestApp;
let help: Help;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  [test, help] = await Promise.all([createTestApp(), readHelp()]);
  await storeHelp(test.deps.db, help);
});
afterAll(() => test.close());
beforeEach(async () => {
  [anna, bert] = [await test.signUp(), await test.signUp()];
});

interface Card {
  slug: string;
  title: string;
  tags: string[];
  featured: boolean;
  snippet: { text: string; is_hit: boolean }[];
}
interface Match {
  articles: Card[];
  corrected_to: string | null;
  nearest: Card[];
}
const search = async (q: string): Promise<Match> => {
  const response = await test.app.inject({ url: '/api/support/articles', query: { q } });
  expect(response.statusCode, q).toBe(200);
  return response.json<Match>();
};
const slugs = (cards: Card[]): string[] => cards.map(({ slug }) => slug);

describe('storing the articles', () => {
  it('writes nothing when nothing has changed', async () => {
    const before = await test.database.asOwner('select slug, updated_at, xmin::text from help_articles order by slug');
    expect(await storeHelp(test.deps.db, help)).toBe(0);
    expect(await test.database.asOwner('select slug, updated_at, xmin::text from help_articles order by slug')).toEqual(
      before,
    );
  });

  it('writes what has changed, deletes what is gone, and keeps the id of an article', async () => {
    const [first, second] = help.articles as [Article, Article];
    const id = () => test.database.asOwner<{ id: string }>(`select id from help_articles where slug = '${first.slug}'`);
    const before = await id();
    const changed = help.articles
      .filter((each) => each !== second)
      .map((each) => (each === first ? { ...each, title: 'Changed' } : each));
    expect(await storeHelp(test.deps.db, { ...help, articles: changed })).toBe(2);
    expect(await id()).toEqual(before);
    const gone = await test.app.inject({ url: `/api/support/articles/${second.slug}` });
    expect(gone.statusCode).toBe(404);
    expect(await storeHelp(test.deps.db, help)).toBe(2);
  });

  it('is done once by two servers that start together', async () => {
    const changed = help.articles.map((each) => ({ ...each, place: each.place + 1 }));
    const written = await Promise.all([1, 2].map(() => storeHelp(test.deps.db, { ...help, articles: changed })));
    expect(written.sort((a, b) => a - b)).toEqual([0, changed.length]);
    await storeHelp(test.deps.db, help);
  });
});

describe('HELP-011, HELP-012, HELP-013, API-042 articles and categories', () => {
  it('HELP-009 gives the sections with the four default ones among them', async () => {
    const { categories } = (await test.app.inject({ url: '/api/support/categories' })).json<{
      categories: { slug: string; name: string; article_count: number }[];
    }>();
    const names = categories.map(({ name }) => name);
    for (const name of ['Getting Started', 'Trading', 'API', 'Troubleshooting']) expect(names).toContain(name);
    expect(categories.length).toBeLessThanOrEqual(8);
    expect(categories.every(({ article_count: count }) => count > 0)).toBe(true);
  });

  it('HELP-003 gives an article with title, date, tags and text', async () => {
    const article = (await test.app.inject({ url: '/api/support/articles/buy-credits' })).json<
      Record<string, unknown>
    >();
    expect(article).toMatchObject({
      slug: 'buy-credits',
      title: 'Buy credits',
      created_at: '2026-11-23T00:00:00.000Z',
    });
    expect(article['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(article['tags']).toContain('usdt');
    expect(article['content_md']).toContain('20 to 10,000 USD');
    expect(article['sections']).toContainEqual({
      anchor: 'which-coins-and-networks',
      heading: 'Which coins and networks',
    });
    expect(article['related']).toContainEqual({ slug: 'receipts', title: 'Receipts and export' });
  });

  it('needs no account, and says 404 for what does not exist', async () => {
    expect((await test.app.inject({ url: '/api/support/articles/nothing' })).statusCode).toBe(404);
  });
});

describe('the search', () => {
  it('HELP-004 finds by title before tags before text', async () => {
    const { articles } = await search('webhook');
    expect(articles[0]?.slug).toBe('webhooks');
    expect(slugs(articles)).toContain('webhook-does-not-arrive');
  });

  it('takes an unfinished word and several words', async () => {
    expect(slugs((await search('arbitr')).articles)[0]).toBe('arbitrage');
    expect(slugs((await search('trailing stop')).articles)[0]).toBe('trailing-stop');
  });

  it('marks hits without adding markup', async () => {
    const [first] = (await search('liquidation')).articles;
    const hits = first?.snippet.filter(({ is_hit: isHit }) => isHit) ?? [];
    expect(hits.length).toBeGreaterThan(0);
    for (const { text } of hits) expect(text.toLowerCase()).toMatch(/^liquid/);
  });

  it('understands typing errors', async () => {
    const { articles, corrected_to: corrected } = await search('arbitarge');
    expect([articles[0]?.slug, corrected]).toEqual(['arbitrage', 'arbitrage']);
    expect((await search('leverge')).corrected_to).toBe('leverage');
  });

  it('offers the nearest articles when nothing is found', async () => {
    const { articles, nearest } = await search('sourdough funding');
    expect(articles).toEqual([]);
    expect(nearest.length).toBeGreaterThan(0);
    expect((await search('qzxjk')).nearest.every(({ featured }) => featured)).toBe(true);
  });

  it.each([
    '',
    '   ',
    "'; drop table help_articles; --",
    '& | ! ( )',
    ':*',
    'a'.repeat(200),
    '\\',
    '%_%',
    "o'brien",
    '🙂',
  ])('accepts %j without failing', async (q) => {
    await search(q);
  });

  it('has the limit of other anonymous calls', async () => {
    const from = (url: string, remoteAddress: string) => test.app.inject({ url, remoteAddress });
    // All three routes count together.
    for (let i = 0; i < 240; i += 10) {
      const ten = Array.from({ length: 10 }, () => from('/api/support/articles/nothing', '192.0.2.7'));
      expect((await Promise.all(ten)).map(({ statusCode }) => statusCode)).toEqual(ten.map(() => 404));
    }
    const limited = await from('/api/support/articles?q=credit', '192.0.2.7');
    expect([limited.statusCode, limited.json<{ code: string }>().code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('/api/support/articles?q=credit', '192.0.2.8')).statusCode).toBe(200);
  });

  it('rejects a text that is too long', async () => {
    const response = await test.app.inject({ url: '/api/support/articles', query: { q: 'a'.repeat(201) } });
    expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, 'q']);
  });
});

interface Message {
  id: string;
  role: string;
  text: string;
  written_by: string | null;
  sources: { slug: string }[];
  suggested: string[];
  is_helpful: boolean | null;
}
interface Chat {
  messages: Message[];
  ratings: { count: number; count_min: number; helpful_fraction: number | null };
}
const readChat = async (user: TestUser): Promise<Chat> =>
  (await test.app.inject({ url: '/api/support/chat', headers: user.bearer })).json<Chat>();
const send = (user: TestUser, text: string) =>
  test.app.inject({ method: 'POST', url: '/api/support/chat', headers: user.bearer, payload: { text } });
const rate = (user: TestUser, id: string, helpful: boolean) =>
  test.app.inject({
    method: 'POST',
    url: `/api/support/chat/${id}/rating`,
    headers: user.bearer,
    payload: { helpful },
  });

describe('the chat', () => {
  it('stores questions and answers per user, and no other user reads them', async () => {
    const sent = (await send(anna, ' What costs credits? ')).json<Chat>().messages;
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(sent[0]?.text).toBe('What costs credits?');
    expect(sent[1]?.sources[0]?.slug).toBe('what-costs-credits');
    expect((await readChat(anna)).messages).toEqual(sent);
    expect((await readChat(bert)).messages).toEqual([]);
  });

  it('is cleared by its owner for that owner only', async () => {
    await send(anna, 'What costs credits?');
    await send(bert, 'What costs credits?');
    await test.app.inject({ method: 'DELETE', url: '/api/support/chat', headers: anna.bearer });
    expect([(await readChat(anna)).messages.length, (await readChat(bert)).messages.length]).toEqual([0, 2]);
  });

  it('HELP-007 rejects a blank text and one that is too long', async () => {
    for (const text of ['', '   ', '\n', 'a'.repeat(1001)]) {
      const response = await send(anna, text);
      expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, 'text']);
    }
    expect((await readChat(anna)).messages).toEqual([]);
  });

  it('HELP-016 requires a session', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await test.app.inject({ method, url: '/api/support/chat', payload: { text: 'x' } })).statusCode).toBe(
        401,
      );
  });

  it('answers a question without storing it', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/support/ask',
      headers: anna.bearer,
      payload: { question: 'What costs credits?' },
    });
    expect(answer.json<{ answer: string; suggested: string[] }>().suggested.length).toBeLessThanOrEqual(6);
    expect((await readChat(anna)).messages).toEqual([]);
  });

  it('rejects the thirteenth question of a minute, and says how long to wait', async () => {
    const statuses = [];
    for (let i = 0; i < 13; i++) statuses.push(await send(anna, 'What costs credits?'));
    expect(statuses.slice(0, 12).every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(statuses[12]?.statusCode).toBe(429);
    expect(Number(statuses[12]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(bert, 'What costs credits?')).statusCode).toBe(200);
  });

  it('returns hostile texts as text, in question and answer', async () => {
    for (const payload of xssPayloads.slice(0, 12)) {
      const [question, answer] = (await send(anna, payload)).json<Chat>().messages;
      expect(question?.text).toBe(payload.trim());
      expect(answer?.text).not.toContain(payload);
    }
  });

  it('is in the export of its owner, and is deleted with the account', async () => {
    await send(anna, 'How do I read my export?');
    const exported = await test.app.inject({ url: '/api/account/export', headers: anna.bearer });
    expect(exported.body).toContain('How do I read my export?');
    await test.database.asOwner('delete from users where id = $1', [anna.id]);
    const left = await test.database.asOwner('select from help_messages where user_id = $1', [anna.id]);
    expect(left).toEqual([]);
  });
});

describe('NFR-012, NFR-013 the rating of answers', () => {
  it('is given once per own answer, can be changed, and stays when the chat is cleared', async () => {
    const [, answer] = (await send(anna, 'What costs credits?')).json<Chat>().messages;
    const id = answer?.id ?? '';
    expect((await rate(bert, id, true)).statusCode).toBe(404);
    expect((await rate(anna, id, true)).statusCode).toBe(200);
    expect((await rate(anna, id, false)).json<Chat>().ratings.count).toBe(1);
    expect((await readChat(anna)).messages[1]?.is_helpful).toBe(false);
    await test.app.inject({ method: 'DELETE', url: '/api/support/chat', headers: anna.bearer });
    expect((await readChat(anna)).ratings.count).toBe(1);
  });

  it('shows no share below thirty ratings, and the measured one from then on', async () => {
    await test.database.asOwner('delete from help_ratings');
    const add = (count: number, isHelpful: boolean) =>
      test.database.asOwner(
        'insert into help_ratings (message_id, user_id, is_helpful) select gen_random_uuid(), $1, $2 from generate_series(1, $3)',
        [anna.id, isHelpful, count],
      );
    await add(24, true);
    await add(5, false);
    expect((await readChat(anna)).ratings).toEqual({ count: 29, count_min: 30, helpful_fraction: null });
    await add(1, false);
    expect((await readChat(anna)).ratings).toEqual({ count: 30, count_min: 30, helpful_fraction: 0.8 });
    const measured = await test.app.inject({ url: '/api/measured' });
    expect(measured.json<{ helpRatings: unknown }>().helpRatings).toEqual({
      count: 30,
      countMin: 30,
      helpfulFraction: 0.8,
    });
  });
});
