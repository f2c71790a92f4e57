import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { analyticsOf, type ClosedTrade } from './analytics.ts';
import type { AnalyticsAnswer } from './contract.ts';

type Answer = z.input<typeof AnalyticsAnswer>;

const TRADES_MAX = 20_000;
/** A week of points five minutes apart. */
const EQUITY_MAX = 2016;

async function readTrades(tx: UserTx, market: MarketMode, since: Date): Promise<ClosedTrade[]> {
  const rows = await tx
    .selectFrom('positions')
    .select(['symbol', 'side', 'source', 'close_reason', 'confidence', 'opened_at', 'closed_at'])
    .select(['pnl', 'fees', 'funding', 'net_pnl'])
    .where('closed_at', '>=', since)
    .where('market', '=', market)
    .orderBy('closed_at', 'desc')
    .orderBy('id')
    .limit(TRADES_MAX)
    .execute();
  return rows.reverse().map((row) => ({
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
  }));
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

async function readEquity(tx: UserTx, market: MarketMode, since: Date): Promise<Answer['equity']> {
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
    equity: unrealised === null ? null : Number(balance) + Number(realised) + Number(unrealised),
    realised: Number(realised),
    unrealised: numberOrNull(unrealised),
    exposure: numberOrNull(exposure),
    missing,
  }));
}

/** What happened on one market: results on invented prices say nothing about those on real ones. */
export async function readAnalytics(
  tx: UserTx,
  market: MarketMode,
  since: Date | undefined,
  nowMs: number,
): Promise<Answer> {
  const from = since ?? new Date(0);
  const { balance_usdt } = await preferencesOf(tx);
  const trades = await readTrades(tx, market, from);
  return { balance_usdt, ...analyticsOf(trades, nowMs), equity: await readEquity(tx, market, from) };
}
