import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { type SqlBool, sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { FeedValidators } from './port.ts';

export type NewsKind = 'article' | 'post';

/** An item ready to be stored. */
export interface NewItem {
  market: MarketMode;
  kind: NewsKind;
  title: string;
  link: string;
  pubDate: Date;
  source: string;
  author: string | null;
  description: string;
  content: string;
  firstSeenAt: Date;
  /** Whether `pubDate` is the date of the feed; false: the time of first sight. */
  isDated: boolean;
  /** Last successful read of its source before this one; null on the first. */
  previousReadAt: Date | null;
  /** The story that it repeats; its own when there is none. */
  findStory: () => string | undefined;
  symbols: string[];
  keywords: string[];
  keywordVersion: number;
  sentiment: number;
  isHighImpact: boolean;
  isSimulated: boolean;
}

/** Stores an item and returns the id of its story. Undefined when its link is known, or its source published the same at the same time. */
export async function insertItem(tx: SystemTx, item: NewItem): Promise<string | undefined> {
  const { market, kind, title, link, pubDate, source, author, description, content } = item;
  // Feeds change the tracking part of a link: the same text at the same time is the same item.
  const known = await tx
    .selectFrom('news')
    .select('id')
    .where('market', '=', market)
    .where((eb) =>
      eb.or([
        eb('link', '=', link),
        eb.and([eb('source', '=', source), eb('title', '=', title), eb('pub_date', '=', pubDate)]),
      ]),
    )
    .executeTakeFirst();
  if (known !== undefined) return undefined;
  const { id } = await sql<{ id: string }>`select gen_random_uuid() as id`
    .execute(tx)
    .then(({ rows }) => rows[0] as { id: string });
  const storyId = item.findStory() ?? id;
  await tx
    .insertInto('news')
    .values({
      id,
      market,
      kind,
      title,
      link,
      pub_date: pubDate,
      source,
      author,
      description,
      content,
      first_seen_at: item.firstSeenAt,
      is_dated: item.isDated,
      previous_read_at: item.previousReadAt,
      story_id: storyId,
      symbols: item.symbols,
      keywords: item.keywords,
      keyword_version: item.keywordVersion,
      sentiment: item.sentiment,
      is_high_impact: item.isHighImpact,
      is_simulated: item.isSimulated,
    })
    .execute();
  if (storyId !== id) await moveUp(tx, storyId, pubDate);
  return storyId;
}

/** A story is listed by the date of its newest report. */
async function moveUp(tx: SystemTx, storyId: string, pubDate: Date): Promise<void> {
  await sql`update news set latest_at = ${pubDate} where id = ${storyId} and coalesce(latest_at, pub_date) < ${pubDate}`.execute(
    tx,
  );
}

/** Items first seen since a moment, oldest first. */
export async function readSeenSince(tx: SystemTx, market: MarketMode, since: Date) {
  return tx
    .selectFrom('news')
    .select(['id', 'title', 'symbols', 'pub_date', 'story_id'])
    .where('market', '=', market)
    .where('kind', '=', 'article')
    .where('first_seen_at', '>=', since)
    .orderBy('first_seen_at')
    .orderBy('id')
    .execute();
}

export interface FeedState extends FeedValidators {
  name: string;
  cursor: string | null;
  failureCount: number;
  nextReadAt: Date;
  lastOkAt: Date | null;
}

/** Creates the row of a feed, or updates its address: a feed with a new address is read from the start. */
export async function keepFeed(
  tx: SystemTx,
  market: MarketMode,
  { name, url, isSimulated }: { name: string; url: string; isSimulated: boolean },
): Promise<void> {
  await sql`insert into news_feeds (market, name, url) values (${market}, ${name}, ${url})
    on conflict (market, name) do update set url = excluded.url, etag = null, last_modified = null, failure_count = 0,
      failure = null, date_note = null, last_ok_at = null, next_read_at = now(),
      url_since = now() where news_feeds.url <> excluded.url`.execute(tx);
  await sql`update news_feeds set is_simulated = ${isSimulated}
    where market = ${market} and name = ${name} and is_simulated <> ${isSimulated}`.execute(tx);
}

export async function readFeedStates(tx: SystemTx, market: MarketMode): Promise<FeedState[]> {
  const rows = await tx.selectFrom('news_feeds').selectAll().where('market', '=', market).execute();
  return rows.map((row) => ({
    name: row.name,
    cursor: row.cursor,
    etag: row.etag,
    lastModified: row.last_modified,
    failureCount: row.failure_count,
    nextReadAt: row.next_read_at,
    lastOkAt: row.last_ok_at,
  }));
}

export interface FeedOutcome {
  /** Undefined: unchanged. */
  validators?: FeedValidators;
  cursor?: string | null;
  /** Null when the read succeeded. */
  failure: string | null;
  /** Problem with its dates; undefined: unchanged. */
  dateNote?: string | null;
  nextReadAt: Date;
}

export async function saveFeedOutcome(
  tx: SystemTx,
  market: MarketMode,
  name: string,
  { validators, cursor, failure, dateNote, nextReadAt }: FeedOutcome,
): Promise<void> {
  await tx
    .updateTable('news_feeds')
    .set({
      failure,
      next_read_at: nextReadAt,
      failure_count: failure === null ? 0 : sql<number>`failure_count + 1`,
      ...(failure === null ? { last_ok_at: sql<Date>`now()` } : {}),
      ...(validators === undefined ? {} : { etag: validators.etag, last_modified: validators.lastModified }),
      ...withoutUndefined({ cursor, date_note: dateNote }),
    })
    .where('market', '=', market)
    .where('name', '=', name)
    .execute();
}

export async function readFeedHealth(tx: UserTx, market: MarketMode) {
  return tx
    .selectFrom('news_feeds')
    .select(['name', 'failure', 'date_note', 'last_ok_at', 'next_read_at'])
    .where('market', '=', market)
    .execute();
}

const KEEP_DAYS = 400;
export async function deleteOldNews(tx: SystemTx): Promise<void> {
  await sql`delete from news where pub_date < now() - make_interval(days => ${KEEP_DAYS}) and not exists (
    select 1 from news other where other.story_id = news.id and other.pub_date >= now() - make_interval(days => ${KEEP_DAYS}))`.execute(
    tx,
  );
}

export interface NewsFilter {
  symbol?: string | undefined;
  source?: string | undefined;
  symbols: readonly string[];
  hiddenSources: readonly string[];
  isHighImpactOnly: boolean;
}

/** A story is as new as its newest report. */
const listedAt = sql<Date>`coalesce(latest_at, pub_date)`;
const visibleAt = (hidden: readonly string[]) =>
  sql<Date>`(select max(i.pub_date) from news i where i.story_id = news.id and i.source <> all (${[...hidden]}::text[]))`;

/**
 * Stories newest first. A report of a hidden source moves none up: `listed_at` is the date of the newest visible one. Only the `limit`
 * stories with the newest report of any source are read, which an index finds.
 */
export async function readStories(tx: UserTx, market: MarketMode, filter: NewsFilter, limit: number) {
  const { symbol, source, symbols, hiddenSources, isHighImpactOnly } = filter;
  const shown = sql<SqlBool>`exists (select 1 from news i where i.story_id = news.id and i.source <> all (${[...hiddenSources]}::text[])
    ${source === undefined ? sql`` : sql`and i.source = ${source}`})`;
  let query = tx
    .selectFrom('news')
    .selectAll()
    .select(hiddenSources.length === 0 ? listedAt.as('listed_at') : visibleAt(hiddenSources).as('listed_at'))
    .where('market', '=', market)
    .where('kind', '=', 'article')
    .whereRef('id', '=', 'story_id')
    .where(shown);
  if (symbol !== undefined) query = query.where(sql<SqlBool>`${symbol} = any (symbols)`);
  if (symbols.length > 0) query = query.where(sql<SqlBool>`symbols && ${[...symbols]}::text[]`);
  if (isHighImpactOnly) query = query.where('is_high_impact', '=', true);
  const rows = await query.orderBy(listedAt, 'desc').orderBy('id').limit(limit).execute();
  return rows.toSorted((a, b) => b.listed_at.getTime() - a.listed_at.getTime());
}
export type StoryRow = Awaited<ReturnType<typeof readStories>>[number];

/** Ids among `ids` that the user has read, at most `limit`. */
export async function readReadIds(tx: UserTx, ids: readonly string[], limit: number): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('news_reads')
    .select('news_id')
    .where('news_id', 'in', ids)
    .orderBy('read_at', 'desc')
    .limit(limit)
    .execute();
  return new Set(rows.map(({ news_id }) => news_id));
}

export async function readItemsOf(tx: UserTx, storyIds: readonly string[], hiddenSources: readonly string[]) {
  if (storyIds.length === 0) return [];
  let query = tx
    .selectFrom('news')
    .select(['id', 'story_id', 'source', 'title', 'link', 'first_seen_at'])
    .where('story_id', 'in', storyIds);
  if (hiddenSources.length > 0) query = query.where('source', 'not in', hiddenSources);
  return query.orderBy('first_seen_at').orderBy('id').execute();
}

export async function readReactionsOf(tx: UserTx, storyIds: readonly string[]) {
  if (storyIds.length === 0) return [];
  return tx
    .selectFrom('news_reactions')
    .selectAll()
    .where('news_id', 'in', storyIds)
    .orderBy('symbol')
    .orderBy('horizon_minutes')
    .execute();
}

/** Marks stories as read; ids that do not exist are ignored. @returns how many are new */
export async function markRead(tx: UserTx, userId: string, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`insert into news_reads (user_id, news_id)
    select ${userId}::uuid, id from news where id = any (${[...ids]}::uuid[]) on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Marks the latest `limit` stories as read; filters do not apply. */
export async function markLatestRead(tx: UserTx, userId: string, market: MarketMode, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`insert into news_reads (user_id, news_id)
    select ${userId}::uuid, id from (select id from news where market = ${market} and kind = 'article' and id = story_id
      order by ${listedAt} desc limit ${limit}) latest on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Items of one kind since a moment, newest first. */
export async function readItemsSince(
  tx: UserTx,
  market: MarketMode,
  { kind, since, limit }: { kind: NewsKind; since: Date; limit: number },
) {
  let query = tx
    .selectFrom('news')
    .select(['id', 'title', 'link', 'author', 'pub_date', 'symbols', 'keywords', 'sentiment', 'source', 'is_simulated'])
    .where('market', '=', market)
    .where('kind', '=', kind)
    .where('pub_date', '>=', since);
  if (kind === 'article') query = query.whereRef('id', '=', 'story_id');
  return query.orderBy('pub_date', 'desc').orderBy('id').limit(limit).execute();
}

export async function readMarks(
  tx: UserTx,
  market: MarketMode,
  { symbol, from, to, limit }: { symbol: string; from: Date; to: Date; limit: number },
) {
  return tx
    .selectFrom('news')
    .select(['id', 'title', 'source', 'first_seen_at', 'sentiment', 'is_simulated'])
    .where('market', '=', market)
    .where('kind', '=', 'article')
    .whereRef('id', '=', 'story_id')
    .where(sql<SqlBool>`${symbol} = any (symbols)`)
    .where('first_seen_at', '>=', from)
    .where('first_seen_at', '<=', to)
    .orderBy('first_seen_at', 'desc')
    .limit(limit)
    .execute();
}
