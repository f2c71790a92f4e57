import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { FRESH_MINUTES } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type MeasureDeps, measure } from './measureReactions.ts';
import type { Reaction } from './reaction.ts';
import { RECORD_HORIZON_MINUTES } from './records.ts';
import { readSourceChecks, trustedDelays } from './sourceTimes.ts';

/**
 * Measures stories that were published before this installation first saw them, as a reader of their source would have seen them then.
 * Only where the dates of the source can be trusted. docs/news.md has the method and its limits.
 */

const PER_ROUND = 60;
/** Archives of feeds reach back hours to weeks; older minute candles cost more than they show. */
const LOOK_BACK_MS = 30 * DAY_MS;
const CANDIDATES_MAX = 2000;

/** A round that finds nothing to measure is repeated after it. */
const IDLE_MS = MINUTE_MS;
/** An outage must not cost the archive: candles are requested again for as long as the story can be measured. */
const WAIT_MAX_MS = 64 * MINUTE_MS;
const TRIED_MAX = 10_000;

interface Archived {
  newsId: string;
  symbol: string;
  /** When a reader of the source could have seen it, epoch ms. */
  seenMs: number;
}

/** Reports that could not be measured: when each is tried again; Infinity: it cannot be measured. */
interface Tried {
  count: number;
  nextMs: number;
}

export interface ReplayRound {
  /** @returns how many reports were measured */
  round: () => Promise<number>;
}

/** @param nowMs monotonic clock */
export function createReplayRound(deps: MeasureDeps, nowMs: () => number = () => performance.now()): ReplayRound {
  const { db, config, market, assertLeader } = deps;
  const tried = new Map<string, Tried>();
  let idleUntilMs = -Infinity;

  /** Reports whose candles fail wait twice as long each time, so that they do not block others. */
  function delay(newsId: string, isFinal: boolean): void {
    if (tried.size >= TRIED_MAX) tried.clear();
    const count = (tried.get(newsId)?.count ?? 0) + 1;
    const waitMs = isFinal ? Infinity : Math.min(WAIT_MAX_MS, 2 ** (count - 1) * MINUTE_MS);
    tried.set(newsId, { count, nextMs: nowMs() + waitMs });
  }

  return {
    async round() {
      if (nowMs() < idleUntilMs) return 0;
      const candidates = await withSystem(db, (tx) => readArchived(tx, config.market));
      const due = candidates.filter(({ newsId }) => (tried.get(newsId)?.nextMs ?? -Infinity) <= nowMs());
      let measuredCount = 0;
      for (const report of due.slice(0, PER_ROUND)) {
        const { symbol, seenMs } = report;
        const reaction = await measure(market, { symbol, horizon: RECORD_HORIZON_MINUTES, firstSeenMs: seenMs });
        if (reaction === null || reaction === 'later') {
          delay(report.newsId, reaction === null);
          continue;
        }
        await withSystem(db, async (tx) => {
          await assertLeader(tx);
          await insertReplay(tx, report, reaction);
        });
        tried.delete(report.newsId);
        measuredCount++;
      }
      if (measuredCount === 0 && due.length <= PER_ROUND) idleUntilMs = nowMs() + IDLE_MS;
      return measuredCount;
    },
  };
}

/** Late reports of trusted sources without a replay, of a story all of them: which one counts is known only when all are read. */
async function readArchived(tx: SystemTx, mode: MeasureDeps['config']['market']): Promise<Archived[]> {
  const nowMs = await databaseNowMs(tx);
  const delays = trustedDelays(await readSourceChecks(tx, mode), nowMs);
  if (delays.size === 0) return [];
  const since = sql`${new Date(nowMs - LOOK_BACK_MS)}::timestamptz`;
  // The condition on first_seen_at follows from the one on pub_date; it has an index.
  const { rows } = await sql<{ id: string; symbol: string; source: string; pub_date: Date }>`
    select f.id, f.symbols[1] as symbol, f.source, f.pub_date from news f join news s on s.id = f.story_id
    where f.market = ${mode} and f.kind = 'article' and f.is_dated and f.pub_date > ${since} and f.first_seen_at > ${since}
      and s.first_seen_at - f.pub_date > make_interval(mins => ${FRESH_MINUTES})
      and f.sentiment <> 0 and cardinality(f.symbols) > 0 and f.source = any (${[...delays.keys()]}::text[])
      and not exists (select 1 from news_replays r where r.news_id = f.id)
    order by f.pub_date desc, f.id limit ${CANDIDATES_MAX}`.execute(tx);
  return rows
    .map(({ id, symbol, source, pub_date }) => ({
      newsId: id,
      symbol,
      seenMs: pub_date.getTime() + (delays.get(source) ?? 0),
    }))
    .filter(({ seenMs }) => seenMs + (RECORD_HORIZON_MINUTES + 2) * MINUTE_MS <= nowMs);
}

async function insertReplay(tx: SystemTx, { newsId, symbol, seenMs }: Archived, reaction: Reaction) {
  await tx
    .insertInto('news_replays')
    .values({
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
