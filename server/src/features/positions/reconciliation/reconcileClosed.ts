import { HOUR_MS, intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BookPosition } from '@sextant/workers/src/positions/bookTypes.ts';
import { rangesAt } from '@sextant/workers/src/positions/rangesAt.ts';
import type { Reconciliation } from '@sextant/workers/src/positions/reconcile.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { ReconcileInput } from '@sextant/workers/src/protocol/positions.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { MarketMode } from '../../../config.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { History } from '../../history/port.ts';
import type { ExchangeId, Interval, Market, PriceKind } from '../../market/port.ts';
import type { PositionRow } from '../positionRow.ts';
import { settledAt } from '../watch/chargeFunding.ts';
import { bookPositionOf } from '../watch/watchRepository.ts';
import { readResultPlan } from '../../scan/scanDetails.ts';
import {
  type NotComparable,
  readDecidedAt,
  readDue,
  readEntryMarket,
  storeReconciliation,
} from './reconciliationRepository.ts';

export interface ReconcileDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'candles' | 'fundingHistory'>;
  history: Pick<History, 'readClosedCandles'>;
  engine: EnginePool;
  /** First statement of each write: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
  /** Ends a round early. */
  signal?: AbortSignal;
  warn: (error: unknown) => void;
}

/** Wait after a close, until its last minute candle has closed and is stored. */
const SETTLE_MS = 2 * MINUTE_MS;
/** How long after a close missing candles are waited for, and failed reads repeated. */
const waitMs = { missing: HOUR_MS, failed: 24 * HOUR_MS } as const;
type Waiting = keyof typeof waitMs;
const isWaiting = (result: unknown): result is Waiting => result === 'missing' || result === 'failed';
/** Positions per round. */
const AT_ONCE = 50;
/** Two weeks: longer positions are not compared. */
const MINUTES_MAX = 20_160;
/** Candles before the entry that the first range needs to settle. */
const WARMUP_COUNT = 500;
/** Mark prices are read when a traded price comes this near to the liquidation price. */
const NEAR_FRACTION = 0.02;

/**
 * One round: compares each closed automatic position with the lab. A row is written once per result of the position, so a round that is
 * killed or repeated changes nothing.
 * @returns how many rows were written
 */
export async function reconcileClosed(deps: ReconcileDeps): Promise<number> {
  const nowMs = await withSystem(deps.db, databaseNowMs);
  const due = await withSystem(deps.db, (tx) =>
    readDue(tx, { market: deps.config.market, closedBy: new Date(nowMs - SETTLE_MS), limit: AT_ONCE }),
  );
  let count = 0;
  for (const row of due) {
    if (deps.signal?.aborted === true) break;
    const compared = await compare(deps, row);
    const closedMs = row.closed_at?.getTime() ?? nowMs;
    if (isWaiting(compared) && closedMs >= nowMs - waitMs[compared]) continue;
    const result = isWaiting(compared) ? 'no_candles' : compared;
    if (typeof result !== 'string' && Number(result.rest) !== 0)
      deps.warn(new Error(`${result.rest} USDT of the difference of position ${row.id} has no cause`));
    await withSystem(deps.db, async (tx) => {
      await deps.assertLeader(tx);
      await storeReconciliation(tx, row, result);
    });
    count += 1;
  }
  return count;
}

/** Why the lab cannot repeat a position; null when it can. */
function rejectComparison(row: PositionRow): NotComparable | null {
  if (row.changes > 0) return 'changed_by_owner';
  return row.entered !== null || row.targets !== null ? 'filled_in_parts' : null;
}

/** `missing` and `failed`: candles or fundings may come later. */
async function compare(deps: ReconcileDeps, row: PositionRow): Promise<Reconciliation | NotComparable | Waiting> {
  const rejection = rejectComparison(row);
  if (rejection !== null) return rejection;
  const { closed_at: closedAt, close_price: closePrice, net_pnl: netPnl, fees, funding } = row;
  if (closedAt === null || closePrice === null || netPnl === null) throw new Error('only closed positions are due');
  const stepMs = intervalMs[row.interval as Interval];
  const decided = await withSystem(deps.db, (tx) => readDecidedAt(tx, row));
  // A due exit may be noticed within the candle after the close that decided it.
  const decidedAtMs = Math.floor((decided ?? row.opened_at.getTime()) / stepMs) * stepMs;
  // A position closed within the minute of its opening is compared over that minute.
  const firstEndMs = (Math.floor(row.opened_at.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
  const endMs = Math.max(Math.ceil(closedAt.getTime() / MINUTE_MS) * MINUTE_MS, firstEndMs);
  if (endMs - decidedAtMs > MINUTES_MAX * MINUTE_MS) return 'too_long';
  const series = { exchange: row.exchange as ExchangeId, symbol: row.symbol };
  const span = { fromMs: decidedAtMs, endMs };
  // Positions with additions are not compared.
  const position: BookPosition = {
    ...bookPositionOf({ ...row, added_at: null }),
    stopPrice: Number(row.initial_stop_loss),
  };
  return inBackground(async () => {
    const read = await readMinutes(deps, series, span, closedAt.getTime());
    if (isWaiting(read)) return read;
    const fundings = await readFundings(deps, series, span);
    const ranges = position.atr === null ? null : await readRanges(deps, series, position.atr, read.candles);
    if (fundings === null || (ranges === null && position.atr !== null)) return 'failed';
    // An exchange without mark prices liquidates by the traded ones.
    const marked = isNearLiquidation(row, read.candles) ? await readPrices(deps, series, span, 'mark') : null;
    const marks = isWaiting(marked) ? null : marked;
    const result = await deps.engine.run('reconcile', {
      exchange: series.exchange,
      position,
      ...(await readPlan(deps, row)),
      record: {
        closedAtMs: closedAt.getTime(),
        closePrice: Number(closePrice),
        entryMarketPrice: await withSystem(deps.db, (tx) => readEntryMarket(tx, row.id)),
        fees,
        funding,
        netPnl,
      },
      decidedAtMs,
      ...read,
      marks,
      ranges,
      fundings,
    });
    if (result.ok) return result.value.reconciliation ?? 'not_opened';
    if (result.error.code === 'bad_input') return 'not_computable';
    deps.warn(new Error(`position ${row.id} was not compared: ${result.error.message}`));
    return 'failed';
  });
}

/** A stop within this distance of the signal's stop is that stop, rounded to ticks. */
const TICKS_FRACTION = 0.0005;

/** Size and kind of levels of the scan's signal; without a signal those of the position. */
async function readPlan({ db }: ReconcileDeps, row: PositionRow): Promise<Plan> {
  const { scan_id: scanId, user_id: userId, symbol, interval } = row;
  const signal =
    scanId === null
      ? undefined
      : await withSystem(db, (tx) => readResultPlan(tx, { scanId, userId, symbol, interval }));
  const stop = signal?.stop ?? null;
  const isSame = stop !== null && Math.abs(Number(row.initial_stop_loss) / stop - 1) <= TICKS_FRACTION;
  const levels = row.strategy === null && isSame ? 'signal' : 'fill';
  const quantity = signal?.quantity ?? 0;
  return { levels, plannedQuantity: quantity > 0 ? quantity : Number(row.qty) };
}

type Plan = Pick<ReconcileInput, 'levels' | 'plannedQuantity'>;

interface Series {
  exchange: ExchangeId;
  symbol: string;
}
/** Opens from `fromMs` on, closes until `endMs`. */
interface Span {
  fromMs: number;
  endMs: number;
}

const isWhole = ({ time }: Candles, { fromMs, endMs }: Span): boolean =>
  time.length === (endMs - fromMs) / MINUTE_MS && time[0] === fromMs;

/** Every minute of a span, as stored now and as known at a moment. */
async function readMinutes(
  deps: ReconcileDeps,
  series: Series,
  span: Span,
  knownAtMs: number,
): Promise<{ candles: Candles; firstSeen: Candles | null } | Waiting> {
  const request = { ...series, interval: '1m' as const, from: span.fromMs, to: span.endMs - MINUTE_MS };
  const stored = await deps.history.readClosedCandles(request);
  if (!stored.ok || !isWhole(stored.value.columns, span)) {
    const candles = await readPrices(deps, series, span, 'last');
    return isWaiting(candles) ? candles : { candles, firstSeen: null };
  }
  const { columns: candles, revisedCount } = stored.value;
  if (revisedCount === 0) return { candles, firstSeen: null };
  const before = await deps.history.readClosedCandles({ ...request, asOf: knownAtMs });
  if (!before.ok) return 'failed';
  // Not all minutes were stored by the close, so the versions known then are unknown: the newest ones are used.
  if (!isWhole(before.value.columns, span)) return { candles, firstSeen: null };
  return { candles, firstSeen: before.value.columns };
}

async function readPrices(
  { market }: ReconcileDeps,
  series: Series,
  span: Span,
  price: PriceKind,
): Promise<Candles | Waiting> {
  const limit = (span.endMs - span.fromMs) / MINUTE_MS;
  const read = await market.candles({ ...series, interval: '1m', price, limit, endTimeMs: span.endMs });
  if (!read.ok) return 'failed';
  const { candles } = read.value.value;
  return isWhole(candles, span) ? candles : 'missing';
}

async function readFundings({ market }: ReconcileDeps, series: Series, { fromMs, endMs }: Span) {
  const read = await market.fundingHistory({ ...series, sinceMs: fromMs + 1, untilMs: endMs + 1 });
  if (!read.ok) return null;
  const { time, rate } = read.value.value;
  return { time: time.map(settledAt), rate };
}

/** The average true range known at the close of each minute; null when its candles are missing. */
async function readRanges(
  { market, engine }: ReconcileDeps,
  series: Series,
  { interval, period }: NonNullable<BookPosition['atr']>,
  minutes: Candles,
): Promise<Float64Array | null> {
  const spanMs = intervalMs[interval as Interval];
  const startMs = minutes.time[0] ?? 0;
  const endTimeMs = (minutes.time.at(-1) ?? startMs) + MINUTE_MS;
  const limit = Math.ceil((endTimeMs - startMs) / spanMs) + WARMUP_COUNT + period;
  const read = await market.candles({ ...series, interval: interval as Interval, limit, endTimeMs });
  if (!read.ok) return null;
  const { candles } = read.value.value;
  const result = await engine.run('indicators', { candles, requests: [{ id: 'atr', params: { period } }] });
  if (!result.ok) return null;
  const values = Object.values(result.value.series['atr'] ?? {})[0] ?? new Float64Array();
  return rangesAt(
    minutes.time,
    candles.time.map((openMs) => openMs + spanMs),
    values,
  );
}

function isNearLiquidation(row: PositionRow, { low, high }: Candles): boolean {
  if (row.close_reason === 'LIQ') return true;
  if (row.liquidation_approx === null) return false;
  const price = Number(row.liquidation_approx);
  return row.side === 'LONG'
    ? low.some((value) => value <= price * (1 + NEAR_FRACTION))
    : high.some((value) => value >= price * (1 - NEAR_FRACTION));
}
