import {
  NEWS_WINDOW_MS,
  newsOpinion,
  recordWeight,
  storyShare,
  type VotingStory,
} from '@sextant/workers/src/signals/newsVote.ts';
import type { EnsembleTimeframe } from '@sextant/workers/src/protocol/ensemble.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { repeat } from '../../platform/repeat.ts';
import type { NewsSayWire } from './contract.ts';
import { type Outcomes, readOutcomes, weighingOrigin } from './records.ts';
import { replayedAt, replayedWeight } from './replayedOutcomes.ts';
import { trustedDelays } from './sourceTimes.ts';

/** The news vote on one symbol at the close of a candle, with its stories. */
export interface NewsSay {
  vote: -1 | 1 | undefined;
  strength: number;
  /** Stories of the window with a direction, including those of sources without a track record. */
  storyCount: number;
  /** Stories with a share in the strength, the latest 10, first seen first. */
  stories: NewsSayStory[];
}

export interface NewsSayStory extends VotingStory {
  id: string;
  title: string;
  source: string;
}

export interface NewsVotes {
  /** Synchronous, from memory. No stories: no vote. */
  read: (symbol: string, closeMs: number) => NewsSay;
  /** The same at any close of the past: from the database where memory does not reach back. */
  readAt: (symbol: string, closeMs: number) => Promise<NewsSay>;
  /** Version that changes whenever `read` may return another result for the same close. */
  mark: (symbol: string) => string;
  refresh: () => Promise<void>;
  /** Refreshes periodically until the returned function is called. */
  start: (onError: (error: unknown) => void) => () => void;
}

interface KnownStory extends Omit<NewsSayStory, 'weight'> {
  symbols: readonly string[];
}

const refreshMs = 5000;
/** Scores are of candles of up to four hours. */
const RETENTION_MS = NEWS_WINDOW_MS + 5 * 60 * 60 * 1000;
const OUTCOMES_FRESH_MS = 60_000;
/** A story with many symbols is about the whole market. */
const SYMBOLS_MAX = 3;

/** Bounds the vote: one story more adds little. */
const STORIES_MAX = 10;

const silent: NewsSay = { vote: undefined, strength: 0, storyCount: 0, stories: [] };

/** Track record of a source at a moment, from the outcomes known by then: its weight in the vote, computed once. */
function createWeights(outcomes: Outcomes): (source: string, closeMs: number) => number {
  const weights = new Map<string, number>();
  /** Trusted sources by the close that is computed. */
  const trusted = new Map<number, ReadonlyMap<string, number>>();

  function replayedOf(source: string, closeMs: number) {
    const known = trusted.get(closeMs) ?? trustedDelays(outcomes.checks, closeMs);
    trusted.set(closeMs, known);
    const own = outcomes.replayed.filter((each) => each.source === source);
    return replayedAt(own, source, known, closeMs);
  }

  return (source, closeMs) => {
    const key = `${source}\n${closeMs}`;
    const before = weights.get(key);
    if (before !== undefined) return before;
    const live = outcomes.live.filter((each) => each.source === source && each.knownAtMs <= closeMs);
    const weight =
      weighingOrigin(live.length) === 'live'
        ? recordWeight(live.filter(({ isHit }) => isHit).length, live.length)
        : replayedWeight(replayedOf(source, closeMs));
    weights.set(key, weight);
    return weight;
  };
}

/** Caches the latest stories and track records, so that a signal on warm candles needs no database query. */
export function createNewsVotes({ db, market }: { db: Db; market: MarketMode }): NewsVotes {
  let stories = new Map<string, KnownStory[]>();
  let marks = new Map<string, string>();
  let outcomes: Outcomes = { live: [], replayed: [], checks: new Map() };
  let outcomesAtMs = -Infinity;
  /** Memory has the stories first seen from here on, epoch ms. */
  let storiesFromMs = Infinity;
  let weightAt = createWeights(outcomes);

  async function refresh(): Promise<void> {
    const areOutcomesOld = performance.now() - outcomesAtMs > OUTCOMES_FRESH_MS;
    const fromMs = Date.now() - RETENTION_MS;
    const match = await withSystem(db, async (tx) => ({
      rows: await readVoting(tx, market, { fromMs }),
      outcomes: areOutcomesOld ? await readOutcomes(tx, market) : undefined,
    }));
    if (match.outcomes !== undefined) {
      outcomes = match.outcomes;
      outcomesAtMs = performance.now();
      weightAt = createWeights(outcomes);
    }
    const next = new Map<string, KnownStory[]>();
    for (const story of match.rows)
      for (const symbol of story.symbols) next.set(symbol, [...(next.get(symbol) ?? []), story]);
    stories = next;
    storiesFromMs = fromMs;
    const record = recordMark(outcomes);
    marks = new Map([...next].map(([symbol, own]) => [symbol, `${record} ${own.map(({ id }) => id).join()}`]));
  }

  function sayOf(own: readonly KnownStory[], closeMs: number): NewsSay {
    const seen = own.filter((story) => storyShare({ ...story, weight: 1 }, closeMs) !== 0);
    if (seen.length === 0) return silent;
    const counted = seen
      .map(({ symbols: _symbols, ...story }) => ({ ...story, weight: weightAt(story.source, closeMs) }))
      .filter(({ weight }) => weight > 0)
      .slice(-STORIES_MAX);
    return { ...newsOpinion(counted, closeMs), storyCount: seen.length, stories: counted };
  }
  const read = (symbol: string, closeMs: number): NewsSay => sayOf(stories.get(symbol) ?? [], closeMs);

  return {
    read,
    async readAt(symbol, closeMs) {
      // Also before the first refresh: then memory has neither stories nor records.
      if (storiesFromMs === Infinity) await refresh();
      const fromMs = closeMs - NEWS_WINDOW_MS;
      if (fromMs >= storiesFromMs) return read(symbol, closeMs);
      const own = await withSystem(db, (tx) => readVoting(tx, market, { fromMs, untilMs: closeMs, symbol }));
      return sayOf(own, closeMs);
    },
    mark: (symbol) => marks.get(symbol) ?? '',
    refresh,
    start: (onError) => repeat(refreshMs, refresh, onError),
  };
}

function recordMark({ live, replayed, checks }: Outcomes): string {
  const trusted = trustedDelays(checks, Infinity).keys();
  const earlierCount = replayed.reduce((sum, { earlier }) => sum + earlier.length, 0);
  return [live.length, live[0]?.knownAtMs ?? 0, replayed.length, earlierCount, ...trusted].join(' ');
}

/** The news vote at the close of the base interval's last candle. */
export function newsSayOf(
  votes: Pick<NewsVotes, 'read'>,
  symbol: string,
  [base]: readonly EnsembleTimeframe[],
): NewsSay {
  const openMs = base?.candles.time.at(-1);
  return base === undefined || openMs === undefined ? silent : votes.read(symbol, openMs + base.stepMs);
}

/** Undefined when there was no story. */
export function newsSayToWire(
  { vote, strength, storyCount, stories }: NewsSay,
  closeMs: number,
): z.input<typeof NewsSayWire> | undefined {
  if (storyCount === 0) return undefined;
  return {
    vote: vote === undefined ? null : vote > 0 ? 'LONG' : 'SHORT',
    strength,
    story_count: storyCount,
    stories: stories.map((story) => ({
      id: story.id,
      title: story.title,
      source: story.source,
      pub_date: new Date(story.pubDateMs).toISOString(),
      first_seen_at: new Date(story.firstSeenMs).toISOString(),
      sentiment: story.sentiment > 0 ? 'bullish' : 'bearish',
      is_high_impact: story.isHighImpact,
      weight: story.weight,
      share: storyShare(story, closeMs),
    })),
  };
}

/** Stories by when they were first seen, epoch ms, both ends included. */
interface StorySpan {
  fromMs: number;
  untilMs?: number;
  symbol?: string;
}

async function readVoting(
  tx: SystemTx,
  market: MarketMode,
  { fromMs, untilMs, symbol }: StorySpan,
): Promise<KnownStory[]> {
  let query = tx
    .selectFrom('news')
    .select(['id', 'title', 'source', 'symbols', 'first_seen_at', 'pub_date', 'sentiment', 'is_high_impact'])
    .where('market', '=', market)
    .where('kind', '=', 'article')
    .whereRef('id', '=', 'story_id')
    .where('first_seen_at', '>=', new Date(fromMs))
    .where('sentiment', '<>', 0);
  if (untilMs !== undefined) query = query.where('first_seen_at', '<=', new Date(untilMs));
  if (symbol !== undefined) query = query.where(sql<boolean>`symbols @> array[${symbol}]::text[]`);
  const rows = await query.orderBy('first_seen_at').orderBy('id').execute();
  return rows
    .filter(({ symbols }) => symbols.length > 0 && symbols.length <= SYMBOLS_MAX)
    .map((row) => ({
      id: row.id,
      title: row.title,
      source: row.source,
      symbols: row.symbols,
      firstSeenMs: row.first_seen_at.getTime(),
      pubDateMs: row.pub_date.getTime(),
      sentiment: row.sentiment,
      isHighImpact: row.is_high_impact,
    }));
}
