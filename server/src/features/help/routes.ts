import { sql } from 'kysely';
import type { z } from 'zod';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import type { AiCheckDeps } from '../aicheck/runAiCheck.ts';
import { limitAnonymous } from '../../platform/limits/publicLimit.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import { type Answer, answerQuestion, loadKnowledge } from './answer.ts';
import { clearMessages, keepExchange, rateAnswer, readMessages, readRatings } from './chat.ts';
import {
  AskHelpAnswer,
  AskHelpRequest,
  HelpArticle,
  HelpArticleParams,
  type HelpArticleCardWire,
  HelpArticlesAnswer,
  HelpArticlesQuery,
  HelpCategoriesAnswer,
  HelpChatAnswer,
  HelpMessageParams,
  RatedHelpAnswer,
  RateHelpRequest,
  SendHelpRequest,
  HelpMessagesAnswer,
} from './contract.ts';
import { type MatchingArticle, searchArticles } from './searchArticles.ts';

export interface HelpDeps {
  db: Db;
  limiter: RateLimiter;
  aiCheck: Omit<AiCheckDeps, 'db'>;
}

const tags = ['Help'];

/** Questions per user: enough for normal use, too few to cause high costs. */
const limits = [
  { name: 'minute', hitMax: 12, windowS: 60 },
  { name: 'day', hitMax: 300, windowS: 86_400 },
];

async function answerWithin(deps: HelpDeps, userId: string, question: string): Promise<Answer> {
  const hits = limits.map(({ name, hitMax, windowS }) => ({ key: `help:${name}:${userId}`, hitMax, windowS }));
  const blocked = await deps.limiter.hit(hits);
  if (blocked !== undefined)
    throw new RejectionError(
      createRejection('rate_limited', 'Too many questions. Wait a moment.', {
        retryAfterS: blocked.retryAfterS,
      }),
    );
  const { model, dailyMicrousdMax } = deps.aiCheck;
  return answerQuestion({ db: deps.db, model, dailyMicrousdMax }, await loadKnowledge(), { userId, question });
}

const cardOf = (article: MatchingArticle): HelpArticleCardWire => ({
  id: article.id,
  slug: article.slug,
  title: article.title,
  question: article.question,
  category: article.category_slug,
  tags: article.tags,
  created_at: article.created_at.toISOString(),
  featured: article.is_featured,
  snippet: article.snippet,
});

async function listArticles(db: Db): Promise<MatchingArticle[]> {
  const { rows } = await withSystem(db, (tx) =>
    // Interleaves the categories: the first article of each, then the second ones, so that the featured ones come from all of them.
    sql<
      Omit<MatchingArticle, 'snippet'>
    >`select a.id, a.slug, title, question, category_slug, tags, created_at, is_featured
      from help_articles a join help_categories c on c.slug = category_slug order by a.place, c.place, a.slug`.execute(
      tx,
    ),
  );
  return rows.map((row) => ({ ...row, snippet: [] }));
}

async function searchHelp(db: Db, text: string): Promise<z.input<typeof HelpArticlesAnswer>> {
  if (text === '') {
    const articles = (await listArticles(db)).map(cardOf);
    return { articles, corrected_to: null, nearest: [], is_other_language: false };
  }
  const match = await searchArticles(db, (await loadKnowledge()).articleIndex, text);
  return {
    articles: match.articles.map(cardOf),
    corrected_to: match.correctedTo,
    nearest: match.nearest.map(cardOf),
    is_other_language: match.isOtherLanguage,
  };
}

async function readArticle(db: Db, slug: string): Promise<z.infer<typeof HelpArticle> | undefined> {
  return withSystem(db, async (tx) => {
    const row = await tx.selectFrom('help_articles').selectAll().where('slug', '=', slug).executeTakeFirst();
    if (row === undefined) return undefined;
    const related =
      row.related.length === 0
        ? []
        : await tx.selectFrom('help_articles').select(['slug', 'title']).where('slug', 'in', row.related).execute();
    const sections = row.sections as { anchor: string; heading: string }[];
    return {
      id: row.id,
      slug: row.slug,
      title: row.title,
      question: row.question,
      category: row.category_slug,
      tags: row.tags,
      created_at: row.created_at.toISOString(),
      content_md: row.content_md,
      sections: sections.map(({ anchor, heading }) => ({ anchor, heading })),
      related: row.related.flatMap((each) => related.find((result) => result.slug === each) ?? []),
    };
  });
}

/** Articles are public: they describe the product and contain no user data. */
export function helpArticleRoutes(app: App, { db }: HelpDeps): void {
  const onRequest = limitAnonymous(Date.now);
  app.get(
    '/api/support/categories',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'same',
        tags,
        summary: 'List the sections of the help centre',
        response: { 200: HelpCategoriesAnswer, ...problems('rate_limited') },
      },
    },
    () =>
      withSystem(db, async (tx) => {
        const { rows } = await sql<{ slug: string; name: string; article_count: number }>`
          select c.slug, c.name, count(a.id)::int as article_count
          from help_categories c left join help_articles a on a.category_slug = c.slug
          group by c.slug order by c.place`.execute(tx);
        return { categories: rows };
      }),
  );
  app.get(
    '/api/support/articles',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'same',
        tags,
        summary: 'List or search help articles',
        querystring: HelpArticlesQuery,
        response: { 200: HelpArticlesAnswer, ...problems('validation_failed', 'rate_limited') },
      },
    },
    async (request) => searchHelp(db, request.query.q?.trim() ?? ''),
  );
  app.get(
    '/api/support/articles/:slug',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'same',
        tags,
        summary: 'Read a help article',
        params: HelpArticleParams,
        response: { 200: HelpArticle, ...problems('validation_failed', 'not_found', 'rate_limited') },
      },
    },
    async (request, reply) => {
      const article = await readArticle(db, request.params.slug);
      if (article !== undefined) return article;
      return sendProblem(reply, createRejection('not_found', 'Article not found.'));
    },
  );
}

/** Questions to the assistant. */
export function helpQuestionRoutes(app: App, deps: HelpDeps): void {
  const { db } = deps;
  app.addHook('onRequest', app.requireUser);
  app.post(
    '/api/support/ask',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Ask the help without saving the question (free)',
        body: AskHelpRequest,
        response: { 200: AskHelpAnswer, ...problems(...bodyRejections, 'not_authenticated', 'rate_limited') },
      },
    },
    async (request) => {
      const answer = await answerWithin(deps, request.user.id, request.body.question);
      const { text, writtenBy, sources, suggested } = answer;
      return { answer: text, written_by: writtenBy, sources, suggested };
    },
  );
  app.post(
    '/api/support/chat',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Ask the assistant (free)',
        description: 'Answers come from the articles only and cite their passages.',
        body: SendHelpRequest,
        response: { 200: HelpMessagesAnswer, ...problems(...bodyRejections, 'not_authenticated', 'rate_limited') },
      },
    },
    async (request) => {
      const { text } = request.body;
      const answer = await answerWithin(deps, request.user.id, text);
      return { messages: await keepExchange(db, request.user.id, text, answer) };
    },
  );
}

/** The chat each user has with the assistant. */
export function helpChatRoutes(app: App, deps: HelpDeps): void {
  const { db } = deps;
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/support/chat',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read your chat with the assistant',
        response: { 200: HelpChatAnswer, ...problems('not_authenticated') },
      },
    },
    async (request) => ({
      messages: await withUser(db, request.user.id, readMessages),
      is_demo: isDemoEmail(request.user.email),
      has_model: deps.aiCheck.model !== undefined,
      ratings: await withSystem(db, readRatings),
    }),
  );
  app.delete(
    '/api/support/chat',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Clear your chat',
        response: { 200: HelpMessagesAnswer, ...problems('not_authenticated', 'origin_refused') },
      },
    },
    async (request) => {
      await withUser(db, request.user.id, clearMessages);
      return { messages: [] };
    },
  );
  app.post(
    '/api/support/chat/:id/rating',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Rate an answer',
        params: HelpMessageParams,
        body: RateHelpRequest,
        response: { 200: RatedHelpAnswer, ...problems(...bodyRejections, 'not_authenticated', 'not_found') },
      },
    },
    async (request, reply) => {
      const rating = { userId: request.user.id, messageId: request.params.id, isHelpful: request.body.helpful };
      if (!(await rateAnswer(db, rating)))
        return sendProblem(reply, createRejection('not_found', 'Answer not found in your chat.'));
      return { ratings: await withSystem(db, readRatings) };
    },
  );
}
