import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { FRESH_MINUTES } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type MeasureDeps, measure } from './measureReactions.ts';
import type { Reaction } from './reaction.ts';
import { RECORD_HORIZON_MINUTES } from './records.ts';
import { readSourceTimes, trustedOf } from './sourceTimes.ts';

/**
 * Measures stories that were published before this installation first saw them, as a reader of their source would have seen them then.
 * Only where the dates of the source can be trusted. docs/news.md has the method and its limits.
 */

const PER_ROUND = 60;
/** Archives of feeds reach back hours to weeks; older minute candles cost more than they show. */
const LOOK_BACK_MS = 30 * DAY_MS;
const CANDIDATES_MAX = 2000;

interface Archived {
  storyId: string;
  newsId: string;
  symbol: string;
  /** When a reader of the source could have seen it, epoch ms. */
  seenMs: number;
}

/** Stories without candles or usual moves; tried again after a restart. */
const givenUp = new Set<string>();
const GIVEN_UP_MAX = 10_000;

/** @returns how many stories were measured */
export async function replayStories({ db, config, market, assertLeader }: MeasureDeps): Promise<number> {
  const pending = await withSystem(db, (tx) => readArchived(tx, config.market));
  let count = 0;
  for (const story of pending.filter(({ storyId }) => !givenUp.has(storyId)).slice(0, PER_ROUND)) {
    const { symbol, seenMs } = story;
    const reaction = await measure(market, { symbol, horizon: RECORD_HORIZON_MINUTES, firstSeenMs: seenMs });
    if (reaction === 'later') continue;
    if (reaction === null) {
      if (givenUp.size >= GIVEN_UP_MAX) givenUp.clear();
      givenUp.add(story.storyId);
      continue;
    }
    await withSystem(db, async (tx) => {
      await assertLeader(tx);
      await insertReplay(tx, story, reaction);
    });
    count++;
  }
  return count;
}

/**
 * Late stories of trusted sources without a replay. The report that was published first counts, also when another one was stored first, so
 * that source, symbol and direction are those of its time.
 */
async function readArchived(tx: SystemTx, mode: MeasureDeps['config']['market']): Promise<Archived[]> {
  const delays = trustedOf(await readSourceTimes(tx, mode));
  if (delays.size === 0) return [];
  const nowMs = await databaseNowMs(tx);
  const { rows } = await sql<{ story_id: string; id: string; symbol: string; source: string; pub_date: Date }>`
    select f.story_id, f.id, f.symbols[1] as symbol, f.source, f.pub_date from (
      select distinct on (story_id) * from news
      where market = ${mode} and kind = 'article' and is_dated
        and pub_date > ${new Date(nowMs)}::timestamptz - make_interval(secs => ${LOOK_BACK_MS / 1000})
      order by story_id, pub_date, id) f join news s on s.id = f.story_id
    where s.first_seen_at - f.pub_date > make_interval(mins => ${FRESH_MINUTES})
      and f.sentiment <> 0 and cardinality(f.symbols) > 0 and f.source = any (${[...delays.keys()]}::text[])
      and not exists (select 1 from news_replays r where r.story_id = f.story_id)
    order by f.pub_date desc, f.id limit ${CANDIDATES_MAX}`.execute(tx);
  return rows
    .map(({ story_id, id, symbol, source, pub_date }) => ({
      storyId: story_id,
      newsId: id,
      symbol,
      seenMs: pub_date.getTime() + (delays.get(source) ?? 0),
    }))
    .filter(({ seenMs }) => seenMs + (RECORD_HORIZON_MINUTES + 2) * MINUTE_MS <= nowMs);
}

async function insertReplay(tx: SystemTx, { storyId, newsId, symbol, seenMs }: Archived, reaction: Reaction) {
  await tx
    .insertInto('news_replays')
    .values({
      story_id: storyId,
      news_id: newsId,
      symbol,
      seen_at: new Date(seenMs),
      known_at: new Date(reaction.knownAtMs),
      return_fraction: reaction.returnFraction,
      z: reaction.z,
      sample_count: reaction.sampleCount,
      p: reaction.p,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
