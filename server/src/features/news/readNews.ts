import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { FRESH_MINUTES } from '@sextant/workers/src/signals/newsVote.ts';
import { NEWS_ANALYSED } from '@sextant/workers/src/core/limits.ts';
import type { MarketMode, NewsConfig } from '../../config.ts';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import type { z } from 'zod';
import {
  type NewsAnalysis,
  type NewsResponse,
  type NewsFeedState,
  type NewsSettingsValue,
  type NewsStory,
  OVER_READ,
  READ_IDS_MAX,
} from './contract.ts';
import {
  readFeedHealth,
  readItemsOf,
  readReactionsOf,
  readReadIds,
  readStories,
  type StoryRow,
} from './newsRepository.ts';
import { readSettings } from './settingsRepository.ts';
import { KEYWORD_VERSION, keywordTable } from './understand/keywords.ts';

export interface ReadNewsDeps {
  db: Db;
  config: { market: MarketMode; news: NewsConfig };
  warn: (error: unknown) => void;
}

export interface NewsQuery {
  limit: number;
  symbol?: string | undefined;
  source?: string | undefined;
}

type ResponseBody = z.input<typeof NewsResponse>;
type Story = z.input<typeof NewsStory>;
type Analysis = z.input<typeof NewsAnalysis>;

export type SentimentWord = 'bullish' | 'bearish' | 'neutral';
export const sentimentWord = (sentiment: number): SentimentWord =>
  sentiment > 0 ? 'bullish' : sentiment < 0 ? 'bearish' : 'neutral';

/**
 * Unread stories, newest first: reads the latest `limit + 200` and removes those the user has read. When the read marks are unavailable,
 * every story counts as unread.
 */
export async function readNews(deps: ReadNewsDeps, userId: string, options: NewsQuery): Promise<ResponseBody> {
  const { db, config } = deps;
  const { rows, settings, feeds } = await withUser(db, userId, async (tx) => {
    const own = await readSettings(tx);
    const filter = {
      ...options,
      symbols: own.symbols,
      hiddenSources: own.hidden_sources,
      isHighImpactOnly: own.is_high_impact_only,
    };
    return {
      settings: own,
      rows: await readStories(tx, config.market, filter, options.limit + OVER_READ),
      feeds: await readFeedHealth(tx, config.market),
    };
  });
  const ids = rows.map(({ id }) => id);
  const read = await withUser(db, userId, (tx) => readReadIds(tx, ids, READ_IDS_MAX)).catch((error: unknown) => {
    deps.warn(error);
    return new Set<string>();
  });
  const unread = rows.filter(({ id }) => !read.has(id));
  const stories = await withUser(db, userId, (tx) => withDetails(tx, unread.slice(0, options.limit), settings));
  const social = config.news.social;
  return {
    stories,
    unread_count: unread.length,
    sources: config.news.feeds.map(({ name }) => name),
    feeds: feedStates(config.news, feeds),
    social: {
      is_connected: social !== undefined,
      name: social === undefined ? null : SOCIAL_NAME,
      is_simulated: social?.isSimulated ?? false,
      message: feeds.find(({ name }) => name === SOCIAL_NAME)?.failure ?? null,
    },
    analysis: analyse(stories.slice(0, NEWS_ANALYSED)),
  };
}

/** Name of the social source, and source of its posts. */
export const SOCIAL_NAME = 'X';

async function withDetails(tx: UserTx, rows: readonly StoryRow[], settings: NewsSettingsValue): Promise<Story[]> {
  const ids = rows.map(({ id }) => id);
  const items = Map.groupBy(await readItemsOf(tx, ids, settings.hidden_sources), ({ story_id }) => story_id);
  const reactions = Map.groupBy(await readReactionsOf(tx, ids), ({ news_id }) => news_id);
  return rows.map((row) => {
    const sources = (items.get(row.id) ?? []).map(({ source, title, link, first_seen_at }) => ({
      source,
      title,
      link,
      first_seen_at: first_seen_at.toISOString(),
    }));
    // Uses a visible source when the first one is hidden.
    const shown = settings.hidden_sources.includes(row.source) ? sources[0] : undefined;
    return {
      id: row.id,
      created_at: row.created_at.toISOString(),
      title: shown?.title ?? row.title,
      link: shown?.link ?? row.link,
      pub_date: row.pub_date.toISOString(),
      latest_at: row.listed_at.toISOString(),
      first_seen_at: row.first_seen_at.toISOString(),
      is_late: row.first_seen_at.getTime() - row.pub_date.getTime() > FRESH_MINUTES * MINUTE_MS,
      source: shown?.source ?? row.source,
      author: shown === undefined ? row.author : null,
      description: shown === undefined ? row.description : '',
      content: shown === undefined ? row.content : '',
      symbols: row.symbols,
      keywords: row.keywords,
      sentiment: sentimentWord(row.sentiment),
      is_high_impact: row.is_high_impact,
      is_simulated: row.is_simulated,
      sources,
      reactions: (reactions.get(row.id) ?? []).map((reaction) => ({
        symbol: reaction.symbol,
        horizon_minutes: reaction.horizon_minutes,
        return: reaction.return_fraction,
        z: reaction.z,
        sample_count: reaction.sample_count,
        p: reaction.p,
        volume_ratio: reaction.volume_ratio,
      })),
    };
  });
}

function feedStates(
  { feeds }: NewsConfig,
  rows: Awaited<ReturnType<typeof readFeedHealth>>,
): z.input<typeof NewsFeedState>[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  return feeds.map(({ name, isSimulated }) => {
    const row = byName.get(name);
    const isDown = row !== undefined && row.failure !== null;
    return {
      name,
      is_simulated: isSimulated,
      state: isDown ? 'down' : row?.last_ok_at == null ? 'waiting' : 'ok',
      message: row?.failure ?? null,
      date_note: row?.date_note ?? null,
      last_read_at: row?.last_ok_at?.toISOString() ?? null,
    };
  });
}

/** Above this number of high-impact stories the impact is high. */
export const HIGH_IMPACT_ABOVE = 3;
export const impactOf = (highImpactCount: number): Analysis['impact'] =>
  highImpactCount > HIGH_IMPACT_ABOVE ? 'high' : highImpactCount > 0 ? 'medium' : 'low';

const weightOf = new Map(keywordTable.map(({ phrase, weight }) => [phrase, weight]));

/** Counts the keywords of the given stories. */
export function analyse(
  stories: readonly Pick<Story, 'sentiment' | 'is_high_impact' | 'keywords' | 'symbols'>[],
): Analysis {
  const countOf = (word: SentimentWord): number => stories.filter(({ sentiment }) => sentiment === word).length;
  const highImpact = stories.filter((story) => story.is_high_impact).length;
  const keywords = countTexts(stories.flatMap((story) => story.keywords));
  const symbols = countTexts(stories.flatMap((story) => story.symbols));
  return {
    count: stories.length,
    bullish: countOf('bullish'),
    bearish: countOf('bearish'),
    neutral: countOf('neutral'),
    high_impact: highImpact,
    impact: impactOf(highImpact),
    keywords: keywords.map(([phrase, count]) => ({
      phrase,
      count,
      direction: sentimentWord(weightOf.get(phrase) ?? 0),
    })),
    symbols: symbols.map(([symbol, count]) => {
      const own = stories.filter((story) => story.symbols.includes(symbol));
      const sum = own.reduce((total, { sentiment }) => total + signOf[sentiment], 0);
      return { symbol, count, direction: sentimentWord(sum) };
    }),
    keyword_version: KEYWORD_VERSION,
  };
}

const signOf: Record<SentimentWord, number> = { bullish: 1, bearish: -1, neutral: 0 };

/** Each text with its frequency, most frequent first. */
export function countTexts(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
