import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import { priceKey } from '../live.ts';

export interface FundingDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'fundingHistory' | 'candles'>;
  /** First statement of each write: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
}

const HOUR_MS = 60 * MINUTE_MS;
/** Exchanges charge on full hours, at any interval; a settlement missing this long after one is not expected any more. */
const LATE_MS = 10 * MINUTE_MS;
/**
 * Exchanges settle on full hours and timestamp a settlement some milliseconds or seconds later, the same one sometimes twice. A timestamp
 * within this time after a full hour, or a second before it, belongs to that hour.
 */
const STAMP_LATE_MS = 5 * MINUTE_MS;
const STAMP_UNIT_MS = 1000;

/** The moment a settlement is charged for. */
export function settledAt(stampMs: number): number {
  const hourMs = Math.floor((stampMs + STAMP_UNIT_MS) / HOUR_MS) * HOUR_MS;
  return stampMs - hourMs <= STAMP_LATE_MS ? hourMs : Math.floor(stampMs / STAMP_UNIT_MS) * STAMP_UNIT_MS;
}

interface Due {
  exchange: string;
  symbol: string;
  since: Date;
}

/** Series with possibly due funding: positions are open, or were closed recently after a settlement that was not known yet. */
const readDue = (tx: SystemTx, market: MarketMode): Promise<Due[]> =>
  tx
    .selectFrom('positions')
    .select(['exchange', 'symbol'])
    .select(({ fn }) => fn.min('funded_until').as('since'))
    .where('market', '=', market)
    .where((eb) =>
      eb.or([
        eb('closed_at', 'is', null),
        eb.and([
          eb('closed_at', '>', eb.ref('funded_until')),
          eb('closed_at', '>', sql<Date>`now() - interval '2 hours'`),
        ]),
      ]),
    )
    .groupBy(['exchange', 'symbol'])
    .execute();

/**
 * Charges every settled funding that positions held through, by the exchange's timestamps; an interval is never assumed. A position pays
 * a settlement when it was opened before it and closed after it: an exit by a candle is dated at that candle's end, so an end equal to
 * the settlement time was not held through, as in a backtest. @returns how many charges were made
 */
export function createFundingCharger(deps: FundingDeps): (nowMs: number) => Promise<number> {
  // Full hour up to which a series is known to be charged, to respect the request limits of the exchanges.
  const known = new Map<string, number>();
  return async (nowMs) => {
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    let count = 0;
    for (const due of await withSystem(deps.db, (tx) => readDue(tx, deps.config.market))) {
      const key = priceKey(due.exchange, due.symbol);
      if ((known.get(key) ?? 0) >= hourMs) continue;
      const charged = await chargeSeries(deps, due, nowMs);
      count += charged.count;
      if (charged.isWhole && (charged.lastMs >= hourMs || nowMs - hourMs > LATE_MS)) known.set(key, hourMs);
    }
    return count;
  };
}

interface Charged {
  count: number;
  /** Every settlement known to the exchange is charged. */
  isWhole: boolean;
  lastMs: number;
}

async function chargeSeries(
  { db, config, market, assertLeader }: FundingDeps,
  { exchange, symbol, since }: Due,
  nowMs: number,
): Promise<Charged> {
  const charged: Charged = { count: 0, isWhole: false, lastMs: 0 };
  const place = { exchange: exchange as ExchangeId, symbol };
  const history = await market.fundingHistory({ ...place, sinceMs: since.getTime() + 1, untilMs: nowMs + 1 });
  if (!history.ok) return charged;
  const { time, rate } = history.value.value;
  for (let i = 0; i < time.length; i++) {
    const stampMs = settledAt(time[i] as number);
    const mark = await openAt(market, place, stampMs);
    // Without a price nothing is guessed: the settlement is charged when the price is known, and later ones wait.
    if (mark === undefined) return charged;
    const stamp = { ...place, market: config.market, stampMs, rate: rate[i] as number, mark };
    charged.count += await withSystem(db, async (tx) => {
      await assertLeader(tx);
      return chargeStamp(tx, stamp);
    });
    charged.lastMs = stampMs;
  }
  return { ...charged, isWhole: true };
}

/** Open of the minute of the settlement: the price of a funding charge (docs/simulator.md, section 6). */
async function openAt(
  market: Pick<Market, 'candles'>,
  place: { exchange: ExchangeId; symbol: string },
  stampMs: number,
): Promise<number | undefined> {
  const minuteMs = Math.floor(stampMs / MINUTE_MS) * MINUTE_MS;
  const response = await market.candles({ ...place, interval: '1m', limit: 1, endTimeMs: minuteMs + MINUTE_MS });
  if (!response.ok) return undefined;
  const { time, open } = response.value.value.candles;
  return time.at(-1) === minuteMs ? open.at(-1) : undefined;
}

export interface Stamp {
  market: MarketMode;
  exchange: string;
  symbol: string;
  stampMs: number;
  /** Fraction that longs pay. */
  rate: number;
  mark: number;
}

/**
 * side x quantity x mark price x rate, once per position and settlement: `funded_until` marks what is charged already. The quantity is what
 * was open then, also where a part was added or closed before the settlement became known.
 */
export async function chargeStamp(tx: SystemTx, stamp: Stamp): Promise<number> {
  const { market, exchange, symbol, stampMs, rate, mark } = stamp;
  const at = new Date(stampMs).toISOString();
  const { rows } = await sql<{ user_id: string }>`
    with charged as (
      select id, round(case side when 'LONG' then 1 else -1 end * coalesce((
        select sum(case when f.kind in ('open', 'add') then f.quantity else -f.quantity end)
        from position_fills f where f.position_id = p.id and f.at < ${at}::timestamptz), qty)
          * ${String(mark)}::numeric * ${String(rate)}::numeric, 8) as amount
      from positions p
      where market = ${market} and exchange = ${exchange} and symbol = ${symbol} and opened_at < ${at}::timestamptz
        and funded_until < ${at}::timestamptz and (closed_at is null or closed_at > ${at}::timestamptz)),
    done as (
      update positions p set funding = p.funding + c.amount, funded_until = ${at}::timestamptz
      from charged c where p.id = c.id and p.funded_until < ${at}::timestamptz
      returning p.id, p.user_id, c.amount)
    insert into position_events (user_id, position_id, kind, at, data)
    select user_id, id, 'funding', ${at}::timestamptz,
      jsonb_build_object('amount', amount, 'rate', ${String(rate)}::numeric, 'mark', ${String(mark)}::numeric)
    from done returning user_id`.execute(tx);
  for (const userId of new Set(rows.map(({ user_id }) => user_id))) {
    await notifyUser(tx, userId, 'positions', { change: 'funding' });
  }
  return rows.length;
}
