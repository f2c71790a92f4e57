import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Result } from '@sextant/workers/src/core/result.ts';
import type { Feed } from '../../newsFeeds.ts';
import type { FeedOutcome, FeedState } from './newsRepository.ts';
import type { FeedFailure, FeedItem, FeedRead, FeedReader, SocialPost, SocialSource } from './port.ts';
import type { ReadFeedsDeps } from './readFeeds.ts';

/** Feeds and a search of posts as sources of one kind: when each is due, and the result of a read. */

const readEveryMs = { live: 2 * MINUTE_MS, simulated: 15_000 };
/** The free window of the X API has few requests. */
const socialEveryMs = { live: 5 * MINUTE_MS, simulated: 15_000 };
const backOffFirstMs = MINUTE_MS;
const backOffMaxMs = HOUR_MS;
/** A longer wait requested by a feed is cut to one day. */
const retryAfterMaxMs = 24 * HOUR_MS;
/** Failures of the host, which affect all of its feeds. */
const ofHost = new Set<FeedFailure['kind']>(['unreachable', 'timeout', 'status']);

export interface NewsSources {
  reader: FeedReader;
  social: SocialSource | undefined;
  close: () => Promise<void>;
}

export interface Due {
  state: FeedState;
  hosts: string;
  everyMs: number;
  read: () => Promise<{ outcome: Omit<FeedOutcome, 'nextReadAt'>; result: Read; isHostFailing: boolean }>;
  isSimulated: boolean;
}

interface Read {
  articles: FeedItem[];
  posts: SocialPost[];
  /** Earliest time of the next read, epoch ms. */
  retryAtMs: number | undefined;
}

export function allSources(
  { config: { news }, newsSources: { reader, social } }: ReadFeedsDeps,
  states: ReadonlyMap<string, FeedState>,
): Due[] {
  const feeds = news.feeds.flatMap((feed): Due[] => {
    const state = states.get(feed.name);
    return state === undefined ? [] : [feedSource(feed, state, reader)];
  });
  const socialState = social === undefined ? undefined : states.get(social.name);
  if (social === undefined || socialState === undefined) return feeds;
  const isSimulated = news.social?.isSimulated ?? false;
  return [...feeds, socialSource(social, socialState, isSimulated)];
}

function feedSource(feed: Feed, state: FeedState, reader: FeedReader): Due {
  return {
    state,
    hosts: new URL(feed.url).host,
    everyMs: feed.isSimulated ? readEveryMs.simulated : readEveryMs.live,
    isSimulated: feed.isSimulated,
    async read() {
      const outcome = await reader.read(feed.url, state);
      return { ...outcomeOf(outcome), isHostFailing: !outcome.ok && ofHost.has(outcome.error.kind) };
    },
  };
}

function outcomeOf(outcome: Result<FeedRead | null, FeedFailure>): {
  outcome: Omit<FeedOutcome, 'nextReadAt'>;
  result: Read;
} {
  const nothing: Read = { articles: [], posts: [], retryAtMs: undefined };
  if (!outcome.ok) {
    const { message, retryAfterS } = outcome.error;
    const retryAtMs = retryAfterS === undefined ? undefined : Date.now() + retryAfterS * 1000;
    return { outcome: { failure: message }, result: { ...nothing, retryAtMs } };
  }
  if (outcome.value === null) return { outcome: { failure: null }, result: nothing };
  const { items, unknownZones, validators } = outcome.value;
  return {
    outcome: { failure: null, validators, dateNote: dateNoteOf(unknownZones) },
    result: { ...nothing, articles: items },
  };
}

const ZONES_NAMED = 3;
function dateNoteOf(zones: readonly string[]): string | null {
  if (zones.length === 0) return null;
  const names = zones.slice(0, ZONES_NAMED).map((zone) => `"${zone}"`);
  return `Unknown time zone ${names.join(', ')} in its dates. These items show when Sextant first saw them.`;
}

function socialSource(social: SocialSource, state: FeedState, isSimulated: boolean): Due {
  return {
    state,
    hosts: social.name,
    everyMs: isSimulated ? socialEveryMs.simulated : socialEveryMs.live,
    isSimulated,
    async read() {
      const outcome = await social.recent(state.cursor);
      if (!outcome.ok) {
        const result = { articles: [], posts: [], retryAtMs: outcome.error.retryAtMs };
        return { outcome: { failure: outcome.error.message }, result, isHostFailing: true };
      }
      const { posts, newestId } = outcome.value;
      const result = { articles: [], posts, retryAtMs: undefined };
      const cursor = newestId === null ? {} : { cursor: newestId };
      return { outcome: { failure: null, ...cursor }, result, isHostFailing: false };
    },
  };
}

/** After a failure the wait doubles from one minute to one hour; a wait requested by the feed is respected, up to a day. */
export function nextReadMs(
  due: { everyMs: number; failureCount: number },
  { outcome, result }: { outcome: { failure: string | null }; result: Read },
  nowMs: number,
): number {
  if (outcome.failure === null) return nowMs + due.everyMs;
  const backOffMs = Math.min(backOffMaxMs, backOffFirstMs * 2 ** Math.min(10, due.failureCount));
  const requestCount = result.retryAtMs === undefined ? 0 : Math.min(result.retryAtMs, nowMs + retryAfterMaxMs);
  return Math.max(nowMs + backOffMs, requestCount);
}
