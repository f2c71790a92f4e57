import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type pg from 'pg';
import type { MarketMode, NewsConfig } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { notifyEveryone } from '../../platform/events/notify.ts';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  type Term,
  untilAborted,
} from '../../platform/jobs/leadership.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import { repeat } from '../../platform/repeat.ts';
import type { Market } from '../market/port.ts';
import { measureReactions } from './measureReactions.ts';
import { createReplayRound } from './replayStories.ts';
import {
  deleteOldNews,
  insertItem,
  keepFeed,
  readFeedStates,
  readSeenSince,
  saveFeedOutcome,
} from './newsRepository.ts';
import type { FeedItem, SocialPost } from './port.ts';
import { createStories, type Stories, STORY_WINDOW_MS } from './understand/cluster.ts';
import { judgeText, KEYWORD_VERSION } from './understand/keywords.ts';
import { createTagger, type TagSymbols } from './understand/symbols.ts';
import { allSources, type Due, type NewsSources, nextReadMs } from './newsSources.ts';
const LEADER_NAME = 'news';
const READS_AT_ONCE = 4;
const pollMs = 2000;
/** Soon after the first read of an archive. */
const REPLAY_MS = 20_000;
/** Length of the text that is analysed. */
const JUDGED_LENGTH = 600;

export interface ReadFeedsDeps {
  db: Db;
  config: { market: MarketMode; news: NewsConfig };
  market: Pick<Market, 'symbols' | 'candles'>;
  newsSources: NewsSources;
  newClient: () => pg.Client;
  warn: (error: unknown) => void;
}

/** Reads feeds and posts, and measures the reactions to them, while this node leads. */
export function startReadingNews(deps: ReadFeedsDeps): Pick<Leadership, 'close'> {
  const { feeds, social } = deps.config.news;
  if (feeds.length === 0 && social === undefined) return { close: () => Promise.resolve() };
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.warn,
    lead: (term) => lead(deps, term),
  });
}

async function lead(deps: ReadFeedsDeps, term: Term): Promise<void> {
  const guard = (tx: SystemTx): Promise<void> => assertLeader(tx, LEADER_NAME, term.epoch);
  const reading = createFeedRound(deps, guard);
  const replaying = createReplayRound({ ...deps, assertLeader: guard });
  const stops = [
    repeat(pollMs, reading.round, deps.warn),
    repeat(MINUTE_MS, () => measureReactions({ ...deps, assertLeader: guard }), deps.warn),
    repeat(REPLAY_MS, replaying.round, deps.warn),
    repeat(HOUR_MS, () => withSystem(deps.db, deleteOldNews), deps.warn),
  ];
  await untilAborted(term.signal);
  for (const stop of stops) stop();
}

export interface FeedRound {
  /** Reads the feeds that are due, stores new items and notifies the pages. @returns how many items are new */
  round: () => Promise<number>;
}

function socialFeed({ config: { news }, newsSources: { social } }: ReadFeedsDeps) {
  const { apiUrl: url = '', isSimulated = false } = news.social ?? {};
  return social === undefined ? [] : [{ name: social.name, url, isSimulated }];
}

/** @param assertLeads first statement of each write */
export function createFeedRound(deps: ReadFeedsDeps, assertLeads: (tx: SystemTx) => Promise<void>): FeedRound {
  const { db, config } = deps;
  const { news, market: mode } = config;
  const waitingHosts = new Map<string, number>();
  const understanding = createUnderstanding(deps);
  let isReady = false;

  async function prepare(): Promise<void> {
    await withSystem(db, async (tx) => {
      await assertLeads(tx);
      for (const feed of [...news.feeds, ...socialFeed(deps)]) await keepFeed(tx, mode, feed);
    });
    isReady = true;
  }

  async function store(due: Due, read: Awaited<ReturnType<Due['read']>>): Promise<number> {
    const { name, failureCount, lastOkAt } = due.state;
    const tag = await understanding.tagger();
    return withSystem(db, async (tx) => {
      await assertLeads(tx);
      const nowMs = await databaseNowMs(tx);
      const nextMs = nextReadMs({ ...due, failureCount }, read, nowMs);
      await saveFeedOutcome(tx, mode, name, { ...read.outcome, nextReadAt: new Date(nextMs) });
      if (read.outcome.failure !== null && read.isHostFailing) waitingHosts.set(due.hosts, nextMs);
      if (read.outcome.failure === null) waitingHosts.delete(due.hosts);
      const context = { mode, source: name, nowMs, previousReadAt: lastOkAt, isSimulated: due.isSimulated, tag };
      const stories = await understanding.stories(tx, nowMs);
      let newCount = 0;
      // Oldest first: the first report of an event starts its story.
      for (const item of read.result.articles.toReversed()) newCount += await storeArticle(tx, item, context, stories);
      for (const post of read.result.posts.toReversed()) newCount += await storePost(tx, post, context);
      if (newCount > 0) await notifyEveryone(tx, 'news', { source: name, count: newCount });
      else if ((read.outcome.failure === null) !== (failureCount === 0))
        await notifyEveryone(tx, 'news', { source: name });
      return newCount;
    });
  }

  return {
    async round() {
      if (!isReady) await prepare();
      const { states, nowMs } = await withSystem(db, async (tx) => ({
        states: new Map((await readFeedStates(tx, mode)).map((state) => [state.name, state])),
        nowMs: await databaseNowMs(tx),
      }));
      const due = allSources(deps, states).filter(
        ({ state, hosts }) => state.nextReadAt.getTime() <= nowMs && (waitingHosts.get(hosts) ?? 0) <= nowMs,
      );
      const counts = await mapLimited(due, READS_AT_ONCE, async (each) => ({ each, read: await each.read() }));
      let newCount = 0;
      for (const { each, read } of counts) {
        try {
          newCount += await store(each, read);
        } catch (error) {
          // Memory may contain stories of the rolled-back transaction.
          understanding.forget();
          throw error;
        }
      }
      return newCount;
    },
  };
}

interface Understanding {
  tagger: () => Promise<TagSymbols>;
  stories: (tx: SystemTx, nowMs: number) => Promise<Stories<string>>;
  forget: () => void;
}

/** Caches the dictionary of the universe and the stories of the last hours between rounds. */
function createUnderstanding({ market, config }: ReadFeedsDeps): Understanding {
  let dictionary: { tag: TagSymbols; madeAtMs: number } | undefined;
  let known: { stories: Stories<string>; madeAtMs: number } | undefined;
  return {
    async tagger() {
      if (dictionary !== undefined && performance.now() - dictionary.madeAtMs < HOUR_MS) return dictionary.tag;
      const universe = await market.symbols();
      // Without the universe nothing can be tagged; the next item tries again.
      if (!universe.ok) return dictionary?.tag ?? (() => []);
      dictionary = { tag: createTagger(universe.value.value), madeAtMs: performance.now() };
      return dictionary.tag;
    },
    async stories(tx, nowMs) {
      // Rebuilt each hour, to drop stories that are too old to be joined.
      if (known !== undefined && nowMs - known.madeAtMs < HOUR_MS) return known.stories;
      const stories = createStories<string>();
      for (const row of await readSeenSince(tx, config.market, new Date(nowMs - STORY_WINDOW_MS)))
        stories.add(row.story_id, { title: row.title, symbols: row.symbols, atMs: row.pub_date.getTime() });
      known = { stories, madeAtMs: nowMs };
      return stories;
    },
    forget: () => (known = undefined),
  };
}

interface StoreContext {
  mode: MarketMode;
  source: string;
  nowMs: number;
  previousReadAt: Date | null;
  isSimulated: boolean;
  tag: TagSymbols;
}

const TRACKING = /^(utm_|fbclid$|gclid$|ref$|mc_)/;

function withoutTracking(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

async function storeArticle(
  tx: SystemTx,
  item: FeedItem,
  { mode, source, nowMs, previousReadAt, isSimulated, tag }: StoreContext,
  stories: Stories<string>,
): Promise<number> {
  const { title, author, description, content, pubDateMs } = item;
  const symbols = tag(`${title}. ${description.slice(0, JUDGED_LENGTH)}`);
  // A future date, however near, would order a story before it was seen.
  const atMs = Math.min(pubDateMs ?? nowMs, nowMs);
  const compared = { title, symbols, atMs };
  const storyId = await insertItem(tx, {
    market: mode,
    kind: 'article',
    title,
    link: withoutTracking(item.link),
    pubDate: new Date(atMs),
    source,
    author,
    description,
    content,
    firstSeenAt: new Date(nowMs),
    isDated: pubDateMs !== null,
    previousReadAt,
    findStory: () => stories.find(compared),
    symbols,
    ...judgeText(`${title}. ${description.slice(0, JUDGED_LENGTH)}`),
    keywordVersion: KEYWORD_VERSION,
    isSimulated,
  });
  if (storyId === undefined) return 0;
  stories.add(storyId, compared);
  return 1;
}

async function storePost(
  tx: SystemTx,
  { text, link, author, postedAtMs }: SocialPost,
  { mode, source, nowMs, previousReadAt, isSimulated, tag }: StoreContext,
): Promise<number> {
  const id = await insertItem(tx, {
    market: mode,
    kind: 'post',
    title: text,
    link,
    pubDate: new Date(Math.min(postedAtMs, nowMs)),
    source,
    author,
    description: '',
    content: '',
    firstSeenAt: new Date(nowMs),
    isDated: true,
    previousReadAt,
    findStory: () => undefined,
    symbols: tag(text),
    ...judgeText(text),
    keywordVersion: KEYWORD_VERSION,
    isSimulated,
  });
  return id === undefined ? 0 : 1;
}
