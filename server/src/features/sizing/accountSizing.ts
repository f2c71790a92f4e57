import type { StrategySizing } from '@sextant/engine-as/abi/strategy.ts';
import { riskFractionOf, type SizingAccount } from '@sextant/workers/src/positions/sizing.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { Preferences } from '../preferences/contract.ts';
import { readCloses } from './readCloses.ts';

/** Results and margin of a user's positions, for sizing. */
export interface Funds {
  /** Net PnL of closed positions, oldest first. */
  results: Float64Array;
  /** Net PnL of all closed positions, and what open ones realised so far less their fees and funding, USDT. */
  realisedUsdt: number;
  /**
   * Isolated margin of all open positions, and what is set aside for orders that rest, USDT. Gains and losses of positions stay inside it
   * until they close.
   */
  marginUsdt: number;
}

const RESULTS_MAX = 1000;

/** The funds of a user on one market. Works in the user's and in the service role. */
export async function readFunds(tx: UserTx | SystemTx, userId: string, market: MarketMode): Promise<Funds> {
  const closes = await readCloses(tx, { userId, market, limit: RESULTS_MAX });
  const totals = await tx
    .selectFrom('positions')
    .select([
      sql<number>`coalesce(sum(case when closed_at is null then realised - fees - funding else net_pnl end), 0)::float8`.as(
        'realised',
      ),
      sql<number>`coalesce(sum(margin) filter (where closed_at is null), 0)::float8`.as('margin'),
    ])
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .executeTakeFirstOrThrow();
  const { reserved } = await tx
    .selectFrom('orders')
    .select(sql<number>`coalesce(sum(reserved), 0)::float8`.as('reserved'))
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .where('status', '=', 'resting')
    .executeTakeFirstOrThrow();
  return {
    results: Float64Array.from(closes, ({ net_pnl }) => Number(net_pnl)),
    realisedUsdt: totals.realised,
    marginUsdt: totals.margin + reserved,
  };
}

/** The settings and funds of a user in the form sizing needs. */
export function sizingAccount(preferences: Preferences, { results, realisedUsdt, marginUsdt }: Funds): SizingAccount {
  const { balance_usdt: balanceUsdt } = preferences;
  const dynamic = {
    results,
    lookback: preferences.risk_perf_lookback,
    smoothing: preferences.risk_smoothing,
    min: preferences.risk_min_pct,
    max: preferences.risk_max_pct,
  };
  return {
    mode: preferences.sizing_mode,
    balanceUsdt,
    riskFraction: riskFractionOf(preferences.risk_tolerance, preferences.dynamic_risk_on ? dynamic : null),
    baseUsdt: preferences.base_usdt ?? balanceUsdt,
    freeUsdt: balanceUsdt + realisedUsdt - marginUsdt,
  };
}

/** The account for sizing by a strategy: its mode and risk; with compounding, balance and base follow the equity. */
export function strategyAccount(
  account: SizingAccount,
  { mode, riskFraction, isCompounding }: StrategySizing,
  { realisedUsdt }: Pick<Funds, 'realisedUsdt'>,
): SizingAccount {
  const { balanceUsdt, baseUsdt } = account;
  const ratio = isCompounding ? Math.max(0, (balanceUsdt + realisedUsdt) / balanceUsdt) : 1;
  // The balance itself is the user's setting: the risk of a changed one is the changed risk of the same.
  return { ...account, mode, riskFraction: riskFraction * ratio, baseUsdt: baseUsdt * ratio };
}

/** The user's own stop, where it replaces a signal's. */
export const ownStopPct = ({ levels_mode: mode, stop_loss_pct: pct }: Preferences): number | null =>
  mode === 'own' && pct > 0 ? pct : null;
