import { HIGH_CONFIDENCE } from '@sextant/workers/src/core/limits.ts';
import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import type { AnalyticsResponse } from './contract.ts';
import { numberOrNull } from '../../platform/db/numberOrNull.ts';
import { riskMultipleOf } from './positionRow.ts';
import { isAutomatic } from './reconciliation/reconciliationRepository.ts';

/** Figures of a closed position. Money in USDT. */
export interface ClosedTrade {
  id: string;
  symbol: string;
  side: string;
  source: string;
  reason: string;
  confidence: number;
  openedAtMs: number;
  closedAtMs: number;
  pnl: number;
  fees: number;
  funding: number;
  net: number;
  /** Null: nothing was at risk. */
  riskMultiple: number | null;
  /** Opened by a saved strategy, by automatic opening, on a signal. */
  hasStrategy: boolean;
  isAutomatic: boolean;
  hasSignal: boolean;
}

type ResponseBody = z.input<typeof AnalyticsResponse>;
type Totals = ResponseBody['all'];
type Group = ResponseBody['by_side'][number];

const CURVE_MAX = 2000;
const SYMBOLS_MAX = 50;

/** Money with its eight decimals, without the noise of float sums. */
export const cents8 = (value: number): number => Math.round(value * 1e8) / 1e8;
const sum = (values: readonly number[]): number => cents8(values.reduce((total, value) => total + value, 0));

/** @param trades oldest close first */
function totalsOf(trades: readonly ClosedTrade[]): Totals {
  const nets = trades.map(({ net }) => net);
  const gains = sum(nets.filter((net) => net > 0));
  const lost = -sum(nets.filter((net) => net < 0));
  const count = trades.length;
  const wins = nets.filter((net) => net > 0).length;
  const hours = trades.reduce((total, { openedAtMs, closedAtMs }) => total + (closedAtMs - openedAtMs) / HOUR_MS, 0);
  return {
    trades: count,
    wins,
    losses: nets.filter((net) => net < 0).length,
    win_rate: count === 0 ? null : wins / count,
    pnl: sum(trades.map(({ pnl }) => pnl)),
    fees: sum(trades.map(({ fees }) => fees)),
    funding: sum(trades.map(({ funding }) => funding)),
    net_pnl: sum(nets),
    profit_factor: lost === 0 ? null : gains / lost,
    expectancy: count === 0 ? null : sum(nets) / count,
    best: count === 0 ? null : Math.max(...nets),
    worst: count === 0 ? null : Math.min(...nets),
    mean_hours_held: count === 0 ? null : hours / count,
    max_drawdown: maxDrawdown(nets),
    mean_r: multiplesOf(trades).mean,
  };
}

/** Maximum drawdown of the running sum from its peak, which starts at 0. */
function maxDrawdown(nets: readonly number[]): number {
  let total = 0;
  let peak = 0;
  let deepest = 0;
  for (const net of nets) {
    total += net;
    peak = Math.max(peak, total);
    deepest = Math.max(deepest, peak - total);
  }
  return cents8(deepest);
}

/** Sum and mean of the risk multiples; null without one. */
function multiplesOf(trades: readonly ClosedTrade[]): { sum: number | null; mean: number | null } {
  const known = trades.flatMap(({ riskMultiple: multiple }) => (multiple === null ? [] : [multiple]));
  if (known.length === 0) return { sum: null, mean: null };
  const total = sum(known);
  return { sum: total, mean: total / known.length };
}

/** Groups by name, largest net result first. @param namesOf of a trade: it counts for each */
export function groupTrades(
  trades: readonly ClosedTrade[],
  namesOf: (trade: ClosedTrade) => readonly string[],
): (Group & { r_sum: number | null })[] {
  const named = new Map<string, ClosedTrade[]>();
  for (const trade of trades)
    for (const name of namesOf(trade)) {
      const own = named.get(name);
      if (own === undefined) named.set(name, [trade]);
      else own.push(trade);
    }
  return [...named]
    .map(([name, own]) => {
      const multiples = multiplesOf(own);
      return {
        name,
        trades: own.length,
        wins: own.filter(({ net }) => net > 0).length,
        pnl: sum(own.map(({ pnl }) => pnl)),
        net_pnl: sum(own.map(({ net }) => net)),
        mean_r: multiples.mean,
        r_sum: multiples.sum,
      };
    })
    .sort((a, b) => b.net_pnl - a.net_pnl || (a.name < b.name ? -1 : 1));
}

/** Analytics of closed positions. @param trades oldest close first */
function analyticsOf(trades: readonly ClosedTrade[], nowMs: number): Omit<ResponseBody, 'balance_usdt' | 'equity'> {
  let total = 0;
  const curve = trades.map(({ closedAtMs, net }) => {
    total = cents8(total + net);
    return { at: new Date(closedAtMs).toISOString(), net_pnl: net, total };
  });
  return {
    all: totalsOf(trades),
    last_24h: totalsOf(trades.filter(({ closedAtMs }) => closedAtMs >= nowMs - DAY_MS)),
    by_reason: groupTrades(trades, ({ reason }) => [reason]),
    by_side: groupTrades(trades, ({ side }) => [side]),
    by_symbol: groupTrades(trades, ({ symbol }) => [symbol]).slice(0, SYMBOLS_MAX),
    by_source: groupTrades(trades, ({ source }) => [source]),
    by_confidence: groupTrades(trades, ({ confidence }) => [confidence >= HIGH_CONFIDENCE ? 'high' : 'low']),
    curve: curve.slice(-CURVE_MAX),
  };
}

const TRADES_MAX = 20_000;
/** A week of points five minutes apart. */
const EQUITY_MAX = 2016;

/** Closed positions of a market, oldest close first. */
export async function readTrades(tx: UserTx, market: MarketMode, since: Date): Promise<ClosedTrade[]> {
  const rows = await tx
    .selectFrom('positions')
    .select(['id', 'symbol', 'side', 'source', 'close_reason', 'confidence', 'opened_at', 'closed_at'])
    .select(['pnl', 'fees', 'funding', 'net_pnl'])
    .select(['entry_price', 'qty', 'initial_stop_loss', 'loss_at_stop', 'entered', 'taker_fee_fraction'])
    .select(['opening_ref', 'scan_id', 'signal_id', 'strategy_name'])
    .where('closed_at', '>=', since)
    .where('market', '=', market)
    .orderBy('closed_at', 'desc')
    .orderBy('id')
    .limit(TRADES_MAX)
    .execute();
  return rows.reverse().map((row) => ({
    id: row.id,
    symbol: row.symbol,
    side: row.side,
    source: row.source,
    confidence: row.confidence,
    reason: row.close_reason ?? '',
    openedAtMs: row.opened_at.getTime(),
    closedAtMs: row.closed_at?.getTime() ?? 0,
    pnl: Number(row.pnl),
    fees: Number(row.fees),
    funding: Number(row.funding),
    net: Number(row.net_pnl),
    riskMultiple: riskMultipleOf(row),
    hasStrategy: row.strategy_name !== null,
    isAutomatic: isAutomatic(row),
    hasSignal: row.signal_id !== null || row.scan_id !== null || row.source === 'vision',
  }));
}

async function readEquity(tx: UserTx, market: MarketMode, since: Date): Promise<ResponseBody['equity']> {
  const rows = await tx
    .selectFrom('equity_points')
    .selectAll()
    .where('created_at', '>=', since)
    .where('market', '=', market)
    .orderBy('created_at', 'desc')
    .limit(EQUITY_MAX)
    .execute();
  return rows.reverse().map(({ created_at, balance, realised, unrealised, exposure, missing }) => ({
    at: created_at.toISOString(),
    equity: unrealised === null ? null : cents8(Number(balance) + Number(realised) + Number(unrealised)),
    realised: Number(realised),
    unrealised: numberOrNull(unrealised),
    exposure: numberOrNull(exposure),
    missing,
  }));
}

/** Analytics of one market: results on a simulated market say nothing about those on a real one. */
export async function readAnalytics(
  tx: UserTx,
  market: MarketMode,
  since: Date | undefined,
  nowMs: number,
): Promise<ResponseBody> {
  const from = since ?? new Date(0);
  const { balance_usdt } = await preferencesOf(tx);
  const trades = await readTrades(tx, market, from);
  return { balance_usdt, ...analyticsOf(trades, nowMs), equity: await readEquity(tx, market, from) };
}
