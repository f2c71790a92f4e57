import { RECORD_MIN } from '@sextant/workers/src/signals/newsVote.ts';
import type { MarketMode, NewsConfig } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems } from '../../platform/http/problem.ts';
import type { Market } from '../market/port.ts';
import {
  NewsResponse,
  NewsMarketResponse,
  NewsMarksResponse,
  NewsMarksQuery,
  NewsQuery,
  NewsReadResponse,
  NewsReadBody,
  NewsRecordsResponse,
  NewsSentimentResponse,
  NewsSettings,
  NewsTrendingResponse,
  READ_IDS_MAX,
  TweetsResponse,
} from './contract.ts';
import { readNewsMarket, readSentiment, readTrending, readTweets } from './newsFigures.ts';
import { markLatestRead, markRead, readMarks } from './newsRepository.ts';
import { readNews, sentimentWord } from './readNews.ts';
import {
  type NewsRecord,
  readKeywordRecords,
  readSourceTable,
  RECORD_HORIZON_MINUTES,
  type SourceRow,
} from './records.ts';
import { readSettings, saveSettings } from './settingsRepository.ts';
import { REPLAYED_DAYS_MIN } from './replayedOutcomes.ts';
import { CHECKS_MIN } from './sourceTimes.ts';

export interface NewsRoutesDeps {
  db: Db;
  market: Market;
  config: { market: MarketMode; news: NewsConfig };
}

const MARKS_MAX = 200;
const tags = ['News'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const requested = problems('validation_failed', 'not_authenticated', 'database_unavailable');

export function newsRoutes(app: App, deps: NewsRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  const { db, config } = deps;
  const warn = (error: unknown): void => app.log.warn({ err: error }, 'read marks of news were not read');
  app.get(
    '/api/news',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'List unread news with sources, reactions and keyword analysis',
        querystring: NewsQuery,
        response: { 200: NewsResponse, ...requested },
      },
    },
    (request) => readNews({ db, config, warn }, request.user.id, request.query),
  );
  app.post(
    '/api/news/read',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Mark one, many or all stories as read',
        body: NewsReadBody,
        response: {
          200: NewsReadResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'database_unavailable'),
        },
      },
    },
    ({ user, body }) =>
      withUser(db, user.id, async (tx) => {
        const marked =
          'ids' in body
            ? await markRead(tx, user.id, body.ids)
            : await markLatestRead(tx, user.id, config.market, READ_IDS_MAX);
        if (marked > 0) await notifyUser(tx, user.id, 'news');
        return { marked };
      }),
  );
  figureRoutes(app, deps);
  recordRoutes(app, deps);
  settingsRoutes(app, deps);
}

function figureRoutes(app: App, deps: NewsRoutesDeps): void {
  app.get(
    '/api/news/tweets',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'List posts of the social source',
        response: { 200: TweetsResponse, ...signedIn },
      },
    },
    (request) => readTweets(deps, request.user.id),
  );
  app.get(
    '/api/news/market',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'List symbols in the news, with price and change',
        response: { 200: NewsMarketResponse, ...signedIn },
      },
    },
    (request) => readNewsMarket(deps, request.user.id),
  );
  app.get(
    '/api/news/sentiment',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Count bullish and bearish items of the last 24 hours',
        response: { 200: NewsSentimentResponse, ...signedIn },
      },
    },
    (request) => readSentiment(deps, request.user.id),
  );
  app.get(
    '/api/news/trending',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Rank symbols and keywords of the last 24 hours by stories',
        response: { 200: NewsTrendingResponse, ...signedIn },
      },
    },
    (request) => readTrending(deps, request.user.id),
  );
}

function recordRoutes(app: App, { db, config }: NewsRoutesDeps): void {
  app.get(
    '/api/news/records',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read the track record of each source and keyword',
        response: { 200: NewsRecordsResponse, ...signedIn },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({
        min_count: RECORD_MIN,
        min_checks: CHECKS_MIN,
        min_days: REPLAYED_DAYS_MIN,
        horizon_minutes: RECORD_HORIZON_MINUTES,
        sources: (await readSourceTable(tx, config.market)).map(sourceToWire),
        keywords: (await readKeywordRecords(tx, config.market)).map(recordToWire),
      })),
  );
  app.get(
    '/api/news/marks',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'List stories about one symbol as chart marks',
        querystring: NewsMarksQuery,
        response: { 200: NewsMarksResponse, ...requested },
      },
    },
    ({ user, query: { symbol, from, to } }) =>
      withUser(db, user.id, async (tx) => {
        if (!(await readSettings(tx)).shows_chart_marks) return { marks: [] };
        const options = { symbol, from: new Date(from), to: new Date(to), limit: MARKS_MAX };
        const rows = await readMarks(tx, config.market, options);
        const marks = rows.map(({ first_seen_at, sentiment, ...row }) => ({
          ...row,
          first_seen_at: first_seen_at.toISOString(),
          sentiment: sentimentWord(sentiment),
        }));
        return { marks };
      }),
  );
}

function settingsRoutes(app: App, { db }: NewsRoutesDeps): void {
  app.get(
    '/api/news/settings',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Your news settings',
        response: { 200: NewsSettings, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, readSettings),
  );
  app.put(
    '/api/news/settings',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Save your news settings',
        body: NewsSettings,
        response: { 200: NewsSettings, ...problems(...bodyRejections, 'not_authenticated', 'database_unavailable') },
      },
    },
    ({ user, body }) =>
      withUser(db, user.id, async (tx) => {
        await saveSettings(tx, user.id, body);
        await notifyUser(tx, user.id, 'news');
        return readSettings(tx);
      }),
  );
}

const recordToWire = ({ name, ...record }: NewsRecord) => ({ name, ...figuresToWire(record) });

const figuresToWire = (record: Omit<NewsRecord, 'name'>) => ({
  count: record.count,
  hit_count: record.hitCount,
  hit_share: record.hitShare,
  mean_z: record.meanZ,
  significant_share: record.significantShare,
  is_below_min: record.isBelowMin,
  weight: record.weight,
});

const sourceToWire = ({ live, replayed, weighingOrigin, weight, times }: SourceRow) => ({
  ...recordToWire(live),
  weight,
  weight_origin: weighingOrigin,
  replayed:
    replayed === null
      ? null
      : {
          ...figuresToWire(replayed),
          day_count: replayed.dayCount,
          delay_s_min: replayed.delaysMs[0] / 1000,
          delay_s_max: replayed.delaysMs[1] / 1000,
        },
  times: {
    basis: times.basis,
    checked_count: times.checkedCount,
    in_time_count: times.inTimeCount,
    delay_s: times.delayMs === null ? null : times.delayMs / 1000,
  },
});
