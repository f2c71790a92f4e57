import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { type RawBuilder, sql } from 'kysely';
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

/** A settlement may become known this long after it: until then a closed position may still owe one. */
const SETTLED_MS = 2 * HOUR_MS;
/** A closed position whose settlements stay unknown, as of a contract that its exchange removed, is given up after this time. */
const GIVEN_UP_MS = 30 * 24 * HOUR_MS;

interface Place {
  market: MarketMode;
  exchange: string;
  symbol: string;
}

type Due = Place & { since: Date };

/** Series with possibly due funding: positions are open, or closed ones are not known to be charged up to their close. */
const readDue = (tx: SystemTx, market: MarketMode, nowMs: number): Promise<Due[]> =>
  tx
    .selectFrom('positions')
    .select(['market', 'exchange', 'symbol'])
    .select(({ fn }) => fn.min('funded_until').as('since'))
    .where('market', '=', market)
    .where((eb) =>
      eb.or([
        eb('closed_at', 'is', null),
        eb.and([eb('closed_at', '>', eb.ref('funded_until')), eb('closed_at', '>', new Date(nowMs - GIVEN_UP_MS))]),
      ]),
    )
    .groupBy(['market', 'exchange', 'symbol'])
    .execute() as Promise<Due[]>;

/**
 * Charges every settled funding that positions held through, by the exchange's timestamps; an interval is never assumed. A position pays
 * a settlement when it was opened before it and closed after it: an exit by a candle is dated at that candle's end, so an end equal to
 * the settlement time was not held through, as in a backtest. An open position pays once the watch has judged every minute before the
 * settlement: until then one of them may still close it. @returns function of the time, epoch ms: how many charges were made
 */
export function createFundingCharger(deps: FundingDeps): (nowMs: number) => Promise<number> {
  // Full hour up to which a series is known to be charged, to respect the request limits of the exchanges.
  const known = new Map<string, number>();
  return async (nowMs) => {
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    let count = 0;
    for (const due of await withSystem(deps.db, (tx) => readDue(tx, deps.config.market, nowMs))) {
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
  { db, market, assertLeader }: FundingDeps,
  { since, ...place }: Due,
  nowMs: number,
): Promise<Charged> {
  const charged: Charged = { count: 0, isWhole: false, lastMs: 0 };
  // A settlement may be stamped within the second before its hour.
  const span = { sinceMs: since.getTime() - STAMP_UNIT_MS, untilMs: nowMs + 1 };
  const series = { exchange: place.exchange as ExchangeId, symbol: place.symbol };
  const history = await market.fundingHistory({ ...series, ...span });
  if (!history.ok) return charged;
  const { time, rate } = history.value.value;
  const stamps = [...time].map((stamp, i) => ({ stampMs: settledAt(stamp), rate: rate[i] as number }));
  const payers = await withSystem(db, (tx) => readPayers(tx, place, stamps));
  charged.isWhole = true;
  for (const [i, { stampMs, rate }] of stamps.entries()) {
    const { pays, waits } = payers[i] ?? { pays: false, waits: false };
    if (waits) charged.isWhole = false;
    charged.lastMs = stampMs;
    if (!pays) continue;
    const mark = await openAt(market, series, stampMs);
    // Without a price nothing is guessed: the settlement is charged when the price is known, and later ones wait.
    if (mark === undefined) return { ...charged, isWhole: false };
    charged.count += await withSystem(db, async (tx) => {
      await assertLeader(tx);
      return chargeStamp(tx, { ...place, stampMs, rate, mark, fromMs: since.getTime(), earlier: stamps.slice(0, i) });
    });
  }
  await withSystem(db, async (tx) => {
    await assertLeader(tx);
    await settleClosed(tx, place, { stamps, fromMs: since.getTime(), untilMs: nowMs - SETTLED_MS });
  });
  return charged;
}

/** Whether the watch has judged all that happened in the series of a position `p` before a time. */
const isJudged = (at: RawBuilder<unknown>) => sql<boolean>`exists (
  select from position_watch w where (w.market, w.exchange, w.symbol) = (p.market, p.exchange, p.symbol) and w.next_candle_at >= ${at})`;

type Stamps = readonly { stampMs: number }[];

const instants = (stamps: Stamps) =>
  sql`${stamps.map(({ stampMs }) => new Date(stampMs).toISOString())}::timestamptz[]`;

/** Whether positions owe each stamp, and whether open ones may owe it once their minutes are judged. */
async function readPayers(
  tx: SystemTx,
  { market, exchange, symbol }: Place,
  stamps: Stamps,
): Promise<{ pays: boolean; waits: boolean }[]> {
  if (stamps.length === 0) return [];
  const { rows } = await sql<{ pays: boolean; waits: boolean }>`
    select coalesce(bool_or(o.is_known), false) as pays, coalesce(bool_or(not o.is_known), false) as waits
    from unnest(${instants(stamps)}) with ordinality as s (at, place)
    left join lateral (
      select p.closed_at is not null or ${isJudged(sql`s.at`)} as is_known from positions p
      where p.market = ${market} and p.exchange = ${exchange} and p.symbol = ${symbol} and p.opened_at < s.at
        and p.funded_until < s.at and (p.closed_at is null or (p.closed_at > p.funded_until and p.closed_at > s.at))) o on true
    group by s.place order by s.place`.execute(tx);
  return rows;
}

/**
 * Closed positions that owe nothing more are not read again: the history reaches from before their first open settlement to well after
 * their close, and every stamp in between is charged.
 */
async function settleClosed(
  tx: SystemTx,
  { market, exchange, symbol }: Place,
  { stamps, fromMs, untilMs }: { stamps: Stamps; fromMs: number; untilMs: number },
): Promise<void> {
  await sql`
    update positions p set funded_until = p.closed_at
    where p.market = ${market} and p.exchange = ${exchange} and p.symbol = ${symbol} and p.closed_at > p.funded_until
      and p.funded_until >= ${new Date(fromMs)}::timestamptz and p.closed_at <= ${new Date(untilMs)}::timestamptz
      and not exists (
        select from unnest(${instants(stamps)}) s where s > p.funded_until and s < p.closed_at)`.execute(tx);
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

export interface Stamp extends Place {
  stampMs: number;
  /** Fraction that longs pay. */
  rate: number;
  mark: number;
  /**
   * From when on the settlements are known, epoch ms, and those before this one. A position that still owes one of them, because the watch
   * wrote it meanwhile, pays in a later round. Absent: this is the first.
   */
  fromMs?: number;
  earlier?: Stamps;
}

/**
 * side x quantity x mark price x rate, once per position and settlement: `funded_until` marks what is charged already. The quantity is what
 * was open then, also where a part was added or closed before the settlement became known; a part closed at the settlement itself was not
 * open any more, as a whole position. Open positions that are not judged up to the settlement do not pay yet.
 */
export async function chargeStamp(tx: SystemTx, stamp: Stamp): Promise<number> {
  const { market, exchange, symbol, stampMs, rate, mark, fromMs = 0, earlier = [] } = stamp;
  const at = new Date(stampMs).toISOString();
  const { rows } = await sql<{ user_id: string }>`
    with charged as (
      select id, round(case side when 'LONG' then 1 else -1 end * coalesce((
        select sum(case when f.kind not in ('open', 'add') then -f.quantity when f.at < ${at}::timestamptz then f.quantity else 0 end)
        from position_fills f where f.position_id = p.id and f.at <= ${at}::timestamptz), qty)
          * ${String(mark)}::numeric * ${String(rate)}::numeric, 8) as amount
      from positions p
      where p.market = ${market} and p.exchange = ${exchange} and p.symbol = ${symbol} and p.opened_at < ${at}::timestamptz
        and p.funded_until < ${at}::timestamptz
        and ((p.closed_at > p.funded_until and p.closed_at > ${at}::timestamptz)
          or (p.closed_at is null and ${isJudged(sql`${at}::timestamptz`)}))
        and p.funded_until >= ${new Date(fromMs)}::timestamptz and not exists (
          select from unnest(${instants(earlier)}) e where e > p.funded_until and e < ${at}::timestamptz)
      -- Its owner may be closing it: then as the close leaves it.
      for update of p),
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
