import { isDeepStrictEqual } from 'node:util';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import {
  parseDecimal,
  formatDecimal,
  type Decimal,
  addDecimals,
  divideDecimals,
  multiplyDecimals,
} from '@sextant/workers/src/core/decimal.ts';
import { withChanges } from './ownerChanges.ts';
import type { PositionRow } from './positionRow.ts';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
/** Normalises a numeric without a scale, which preserves the zeros it was written with. */
const plain = (text: string): string => formatDecimal(parseDecimal(text));
const plainOrNull = (text: string | null): string | null => (text === null ? null : plain(text));

/** The part of a row that its events determine. */
export const historyOf = (row: PositionRow): Rebuilt => historyNow(withChanges(row));

const historyNow = (row: PositionRow): Rebuilt => ({
  symbol: row.symbol,
  side: row.side,
  leverage: row.leverage,
  confidence: row.confidence,
  entry_price: plain(row.entry_price),
  qty: plain(row.qty),
  stop_loss: plain(row.stop_loss),
  take_profit: plain(row.take_profit),
  liquidation_approx: plainOrNull(row.liquidation_approx),
  opened_at: row.opened_at.toISOString(),
  armed_at: instant(row.armed_at),
  closed_at: instant(row.closed_at),
  close_price: plainOrNull(row.close_price),
  close_reason: row.close_reason,
  fees: row.fees,
  funding: row.funding,
  margin: row.margin ?? '',
  pnl: row.pnl,
  roi_pct: row.roi_pct,
  net_pnl: row.net_pnl,
  return_on_margin_pct: row.return_on_margin_pct,
});

const AT_ONCE = 1000;

/** Ids of positions closed since a time whose row differs from its events. There must be none. */
export async function findDrift(db: Db, since: Date): Promise<string[]> {
  return withSystem(db, async (tx) => {
    const rows = await tx
      .selectFrom('positions')
      .selectAll()
      .where('closed_at', '>=', since)
      .orderBy('closed_at', 'desc')
      .limit(AT_ONCE)
      .execute();
    if (rows.length === 0) return [];
    const events = await tx
      .selectFrom('position_events')
      .select(['position_id', 'kind', 'at', 'data'])
      .where(
        'position_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('seq')
      .execute();
    const byPosition = Map.groupBy(events, ({ position_id: id }) => id);
    return rows.flatMap((row) => {
      const own = (byPosition.get(row.id) ?? []) as StoredEvent[];
      return isDeepStrictEqual(rebuildPosition(own), historyOf(row)) ? [] : [row.id];
    });
  });
}

/** A position rebuilt from its events, to compare with its row. Money as text with eight decimals, prices as stored. */
interface Rebuilt {
  symbol: string;
  side: string;
  entry_price: string;
  qty: string;
  leverage: number;
  stop_loss: string;
  take_profit: string;
  liquidation_approx: string | null;
  confidence: number;
  opened_at: string;
  armed_at: string | null;
  closed_at: string | null;
  close_price: string | null;
  close_reason: string | null;
  fees: string;
  funding: string;
  margin: string;
  pnl: string | null;
  roi_pct: string | null;
  net_pnl: string | null;
  return_on_margin_pct: string | null;
}

interface StoredEvent {
  kind: string;
  at: Date;
  /** As stored; numbers are short enough to be exact. */
  data: Record<string, unknown>;
}

const MONEY = 8;
const text = (value: unknown): string => String(value);
const decimalOf = (value: unknown): Decimal => parseDecimal(text(value));

/** Computes sums and figures with integers, never floats: the database computes the row, this is its check. */
export function rebuildPosition(events: readonly StoredEvent[]): Rebuilt {
  const opened = events.find(({ kind }) => kind === 'opened');
  if (opened === undefined) throw new Error('a position starts with `opened`');
  const facts = opened.data;
  const sumOf = (kind: string): Decimal =>
    events
      .filter((event) => event.kind === kind)
      .reduce((sum, { data }) => addDecimals(sum, decimalOf(data['amount'])), parseDecimal('0'));
  const closed = events.find(({ kind }) => kind === 'closed');
  const levels = levelsOf(events, closed?.at.getTime() ?? Infinity);
  const armed = events.find(({ kind }) => kind === 'armed');
  const { entry, qty, left, value, exited, liquidation } = fillsOf(events, closed !== undefined);
  const base = {
    symbol: text(facts['symbol']),
    side: text(facts['side']),
    leverage: Number(facts['leverage']),
    entry_price: formatDecimal(entry),
    qty: formatDecimal(qty),
    confidence: Number(facts['confidence']),
    stop_loss: formatDecimal(decimalOf(levels.stop ?? facts['stop_loss'])),
    take_profit: formatDecimal(decimalOf(levels.target ?? facts['take_profit'])),
    liquidation_approx: liquidation == null ? null : formatDecimal(decimalOf(liquidation)),
    opened_at: opened.at.toISOString(),
    armed_at: armed?.at.toISOString() ?? null,
  };
  const costs = { fees: sumOf('fee'), funding: sumOf('funding') };
  const leverage = parseDecimal(String(base.leverage));
  return {
    ...base,
    fees: formatDecimal(costs.fees, MONEY),
    funding: formatDecimal(costs.funding, MONEY),
    margin: divideDecimals(multiplyDecimals(entry, qty), leverage, MONEY),
    ...closeOf(closed, base.side, { qty, left, value, exited, leverage, ...costs }),
  };
}

/**
 * The last stop and target by the time they apply from. Candles may be judged after a change that applies later, so the order of the
 * events does not say it; at the same time the owner's change comes after the candle that ends there.
 */
function levelsOf(events: readonly StoredEvent[], endMs: number): { stop: unknown; target: unknown } {
  const isOwners = ({ kind }: StoredEvent): number => (kind === 'changed' ? 1 : 0);
  const moves = events
    .filter(
      ({ kind, at, data }) =>
        kind === 'trail_raised' ||
        (kind === 'reduced' && 'take_profit' in data) ||
        (kind === 'changed' && at.getTime() <= endMs),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime() || isOwners(a) - isOwners(b));
  const levels: { stop: unknown; target: unknown } = { stop: undefined, target: undefined };
  for (const { kind, data } of moves) {
    const raised = { stop_loss: data['to'], take_profit: data['take_profit'] };
    const to: Record<string, unknown> = kind === 'changed' ? (data['to'] as Record<string, unknown>) : raised;
    levels.stop = to['stop_loss'] ?? levels.stop;
    levels.target = to['take_profit'] ?? levels.target;
  }
  return levels;
}

/** Averages are f64, as the database stores them. */
const average = (value: Decimal, qty: Decimal): Decimal => decimalOf(Number(divideDecimals(value, qty, 20)));

/**
 * What the fills add up to: entry and quantity as the row has them, the value of all entries and of all exits before the last, and the last
 * liquidation price.
 */
function fillsOf(events: readonly StoredEvent[], isClosed: boolean) {
  const facts = events.find(({ kind }) => kind === 'opened')?.data ?? {};
  let [entry, qty] = [decimalOf(facts['entry_price']), decimalOf(facts['qty'])];
  let [value, entered] = [multiplyDecimals(entry, qty), qty];
  let exited: Decimal | null = null;
  let liquidation = facts['liquidation_approx'];
  for (const { kind, data } of events) {
    if (kind !== 'added' && kind !== 'reduced') continue;
    const part = decimalOf(data['quantity']);
    const worth = multiplyDecimals(decimalOf(data['price']), part);
    exited ??= parseDecimal('0');
    if (kind === 'reduced') {
      exited = addDecimals(exited, worth);
      qty = addDecimals(qty, minus(part));
    } else {
      value = addDecimals(value, worth);
      entered = addDecimals(entered, part);
      qty = addDecimals(qty, part);
      entry = decimalOf(data['entry_price']);
      liquidation = data['liquidation_approx'];
    }
  }
  const left = qty;
  if (exited !== null && isClosed) [entry, qty] = [average(value, entered), entered];
  return { entry, qty, left, value, exited, liquidation };
}

const minus = (amount: Decimal): Decimal => multiplyDecimals(amount, parseDecimal('-1'));

interface Terms {
  qty: Decimal;
  value: Decimal;
  /** Quantity of exits before the last; null: there were none, and one entry. */
  exited: Decimal | null;
  left: Decimal;
  leverage: Decimal;
  fees: Decimal;
  funding: Decimal;
}

function closeOf(closed: StoredEvent | undefined, side: string, terms: Terms) {
  if (closed === undefined) {
    const none = { pnl: null, roi_pct: null, net_pnl: null, return_on_margin_pct: null };
    return { closed_at: null, close_price: null, close_reason: null, ...none };
  }
  const { qty, left, value, exited, leverage, fees, funding } = terms;
  const price = decimalOf(closed.data['price']);
  const worth = multiplyDecimals(price, left);
  const all = exited === null ? worth : addDecimals(exited, worth);
  const sign = parseDecimal(side === 'LONG' ? '1' : '-1');
  const gross = multiplyDecimals(addDecimals(all, minus(value)), sign);
  const hundred = parseDecimal('100');
  const pnl = divideDecimals(gross, parseDecimal('1'), MONEY);
  const net = addDecimals(addDecimals(parseDecimal(pnl), minus(fees)), minus(funding));
  return {
    closed_at: closed.at.toISOString(),
    close_price: formatDecimal(exited === null ? price : average(all, qty)),
    close_reason: text(closed.data['reason']),
    pnl,
    roi_pct: divideDecimals(multiplyDecimals(gross, hundred), value, MONEY),
    net_pnl: formatDecimal(net, MONEY),
    return_on_margin_pct: divideDecimals(multiplyDecimals(multiplyDecimals(net, hundred), leverage), value, MONEY),
  };
}
