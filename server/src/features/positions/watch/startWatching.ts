import { SERVER_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type pg from 'pg';
import { sql } from 'kysely';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  type Term,
} from '../../../platform/jobs/leadership.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type SystemTx, withSystem, type Db } from '../../../platform/db/scope.ts';
import { followNotices } from '../../../platform/events/followNotices.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { Market, ExchangeId } from '../../market/port.ts';
import { RECALIBRATE_MS, recalibrate } from '../../trackRecord/recalibrate.ts';
import { recalibrateStrategies } from '../../trackRecord/recalibrateStrategies.ts';
import { findDrift } from '../findDrift.ts';
import { createFundingCharger } from './chargeFunding.ts';
import { createDelistingSettler, type DelistingDeps } from './settleDelisted.ts';
import { LEADER_NAME, Watch, type WatchDeps } from './watch.ts';
import type { MarketMode } from '../../../config.ts';

export interface WatchingDeps extends WatchDeps {
  config: DelistingDeps['config'];
  market: WatchDeps['market'] & Pick<Market, 'readQuote' | 'fundingHistory' | 'prices' | 'symbols'>;
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Clock of this node for its leadership. */
  now?: () => number;
}

const hourMs = 60 * MINUTE_MS;
/** Interval of the search for ended contracts. */
const DELISTED_MS = 5000;

/** The database writes rows and the watch writes events: a difference is a bug and is logged. */
async function warnOfDrift({ db, warn }: WatchingDeps): Promise<void> {
  const drifted = await findDrift(db, new Date((await withSystem(db, databaseNowMs)) - 2 * hourMs));
  if (drifted.length > 0) warn(new Error(`positions that are not what their events say: ${drifted.join(' ')}`));
}

/** Watches positions while this node leads. Closing it lets another node take over at once. */
export function startWatching(deps: WatchingDeps): Leadership {
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.onError,
    ...(deps.now && { now: deps.now }),
    lead: (term, client) => lead(deps, term, client),
  });
}

async function lead(deps: WatchingDeps, term: Term, client: pg.Client): Promise<void> {
  const watch = new Watch(deps, term);
  const guard = { ...deps, assertLeader: (tx: SystemTx) => assertLeader(tx, LEADER_NAME, term.epoch) };
  // Openings and changes on other nodes arrive on the connection that renews the lease: losing it ends the leadership anyway.
  const stopNotices = await followNotices(deps.db, client, ({ topic, data }) => {
    const change = topic === 'positions' ? data['change'] : undefined;
    const isFill = change === 'added' || change === 'reduced';
    if (change === 'opened' || change === 'changed' || isFill) watch.syncPositions();
    if (topic === 'resync') watch.sync();
    if (topic === 'orders') {
      const { order_id: id } = data;
      // Every notice names its order; one that does not means any of them.
      if (typeof id === 'string') watch.syncOrder(id);
      else watch.sync();
    }
  });
  const chargeFundings = createFundingCharger(guard);
  const settleDelisted = createDelistingSettler(guard);
  // Due times use the database clock: this node's clock may step.
  const now = () => withSystem(deps.db, databaseNowMs);
  const stops = [
    repeat(MINUTE_MS, async () => chargeFundings(await now()), deps.warn),
    repeat(MINUTE_MS, async () => keepEquity(guard, await now()), deps.warn),
    repeat(
      DELISTED_MS,
      async () => {
        // The watch still has the settled positions in its book.
        if ((await settleDelisted()) > 0) watch.sync();
      },
      deps.warn,
    ),
    repeat(hourMs, () => warnOfDrift(deps), deps.warn),
    repeat(RECALIBRATE_MS, () => recalibrate(guard), deps.warn),
    repeat(RECALIBRATE_MS, () => recalibrateStrategies(guard), deps.warn),
  ];
  try {
    await watch.run();
  } finally {
    stopNotices();
    for (const stop of stops) stop();
  }
}

interface EquityDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'readQuote'>;
  assertLeader: (tx: SystemTx) => Promise<void>;
}

const EQUITY_STEP_MS = 5 * 60_000;
const LAST_TRY_MS = 4 * 60_000;

/**
 * Stores an equity point for every account with open positions on the served market: balance, realised, unrealised after the costs
 * so far, exposure. If a price is missing, the point has no value.
 * @returns accounts that got a point
 */
export async function keepEquity({ db, config, market, assertLeader }: EquityDeps, nowMs: number): Promise<number> {
  const { market: mode } = config;
  const at = new Date(Math.floor(nowMs / EQUITY_STEP_MS) * EQUITY_STEP_MS).toISOString();
  return withSystem(db, async (tx) => {
    await assertLeader(tx);
    const series = await tx
      .selectFrom('positions')
      .select(['exchange', 'symbol'])
      .where('closed_at', 'is', null)
      .where('market', '=', mode)
      .groupBy(['exchange', 'symbol'])
      .execute();
    const prices = series.flatMap(({ exchange, symbol }) => {
      const quote = market.readQuote({ exchange: exchange as ExchangeId, symbol, maxAgeMs: SERVER_PRICE_AGE_MS_MAX });
      return quote === null ? [] : [{ exchange, symbol, price: String(quote.last) }];
    });
    // `unrealised` is `worth` of workers/src/positions/openFigures.ts, summed here in decimals.
    const done = await sql`
      with q as (
        select * from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as q (exchange text, symbol text, price numeric)),
      held as (
        select p.user_id, count(*) filter (where q.price is null)::int as missing,
          sum((q.price - p.entry_price) * case p.side when 'LONG' then 1 else -1 end * p.qty + p.realised - p.fees - p.funding) as unrealised,
          sum(q.price * p.qty) as exposure
        from positions p left join q using (exchange, symbol) where p.closed_at is null and p.market = ${mode} group by p.user_id)
      insert into equity_points (market, user_id, created_at, balance, realised, unrealised, exposure, missing)
      select ${mode}, h.user_id, ${at}::timestamptz, s.balance_usdt,
        coalesce((select sum(net_pnl) from positions c where c.user_id = h.user_id and c.market = ${mode} and c.closed_at is not null), 0),
        case when h.missing = 0 then h.unrealised end, case when h.missing = 0 then h.exposure end, h.missing
      from held h join preferences s using (user_id)
      -- A price may come within the minutes of this point: only the last try says that it is missing.
      where h.missing = 0 or ${nowMs % EQUITY_STEP_MS >= LAST_TRY_MS}
      on conflict do nothing`.execute(tx);
    return Number(done.numAffectedRows ?? 0n);
  });
}
