import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { reactionMinutes, SYMBOLS_MEASURED } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Market } from '../market/port.ts';
import { inBackground } from '../../platform/readPriority.ts';
import { type HorizonMinutes, measureReaction, type Reaction, reactionStartMs, usualCandles } from './reaction.ts';

const PER_ROUND = 60;
/** Time after which a reaction without candles is given up. */
const TRY_HOURS = 48;

export interface MeasureDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'candles'>;
  assertLeader: (tx: SystemTx) => Promise<void>;
}

interface Pending {
  id: string;
  symbol: string;
  horizon: HorizonMinutes;
  firstSeenMs: number;
}

/** Reactions that this process cannot measure: the symbol is too young, or candles are missing. */
const givenUp = new Set<string>();
const GIVEN_UP_MAX = 10_000;
const keyOf = ({ id, symbol, horizon }: Pending): string => `${id} ${symbol} ${horizon}`;

/** Measures the reactions whose candles have closed, of late stories too: from their first sight. @returns how many were measured */
export async function measureReactions({ db, config, market, assertLeader }: MeasureDeps): Promise<number> {
  const pending = await withSystem(db, (tx) => readPending(tx, config.market));
  const left = pending.filter((each) => !givenUp.has(keyOf(each))).slice(0, PER_ROUND);
  let count = 0;
  for (const each of left) {
    const reaction = await measure(market, each);
    if (reaction === 'later') continue;
    if (reaction === null) {
      if (givenUp.size >= GIVEN_UP_MAX) givenUp.clear();
      givenUp.add(keyOf(each));
      continue;
    }
    await withSystem(db, async (tx) => {
      await assertLeader(tx);
      await insertReaction(tx, each, reaction);
    });
    count++;
  }
  return count;
}

async function readPending(tx: SystemTx, mode: MarketMode): Promise<Pending[]> {
  const nowMs = await databaseNowMs(tx);
  const { rows } = await sql<{ id: string; symbol: string; horizon: HorizonMinutes; first_seen_at: Date }>`
    select n.id, s.symbol, h.horizon, n.first_seen_at
    from news n, unnest(n.symbols) with ordinality as s (symbol, place), unnest(${[...reactionMinutes]}::int[]) as h (horizon)
    where n.market = ${mode} and n.kind = 'article' and n.id = n.story_id and s.place <= ${SYMBOLS_MEASURED}
      and n.first_seen_at > ${new Date(nowMs)}::timestamptz - make_interval(hours => ${TRY_HOURS})
      and n.first_seen_at + make_interval(mins => h.horizon + 2) <= ${new Date(nowMs)}
      and not exists (select 1 from news_reactions r
        where r.news_id = n.id and r.symbol = s.symbol and r.horizon_minutes = h.horizon)
    order by n.first_seen_at, n.id, s.place, h.horizon limit 2000`.execute(tx);
  return rows.map(({ id, symbol, horizon, first_seen_at }) => ({
    id,
    symbol,
    horizon,
    firstSeenMs: first_seen_at.getTime(),
  }));
}

/** `later`: the exchange did not respond. Null: it cannot be measured. */
export async function measure(
  market: Pick<Market, 'candles'>,
  { symbol, horizon, firstSeenMs }: Omit<Pending, 'id'>,
): Promise<Reaction | null | 'later'> {
  const startMs = reactionStartMs(firstSeenMs);
  const endMs = startMs + horizon * MINUTE_MS;
  const minutes = await inBackground(() =>
    market.candles({ symbol, interval: '1m', limit: horizon, endTimeMs: endMs }),
  );
  if (!minutes.ok) return minutes.error.code === 'symbol_unknown' ? null : 'later';
  const { interval, limit } = usualCandles(horizon);
  const usual = await inBackground(() => market.candles({ symbol, interval, limit, endTimeMs: startMs }));
  if (!usual.ok) return 'later';
  return measureReaction(firstSeenMs, horizon, {
    minutes: minutes.value.value.candles,
    usual: usual.value.value.candles,
    usualStepMs: intervalMs[interval],
  });
}

async function insertReaction(tx: SystemTx, { id, symbol, horizon }: Pending, reaction: Reaction): Promise<void> {
  await tx
    .insertInto('news_reactions')
    .values({
      news_id: id,
      symbol,
      horizon_minutes: horizon,
      known_at: new Date(reaction.knownAtMs),
      return_fraction: reaction.returnFraction,
      z: reaction.z,
      sample_count: reaction.sampleCount,
      p: reaction.p,
      volume_ratio: reaction.volumeRatio,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
