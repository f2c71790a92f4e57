import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { Preferences } from '../preferences/contract.ts';
import { type Funds, readFunds } from '../sizing/accountSizing.ts';
import type { GuardsResponse, SizingGuardState } from './contract.ts';
import { type Exposure, exposureOf, guardedEquity, type OpenRisk, shareOfEquity } from './exposure.ts';
import { type Guard, guardsOf } from './guards.ts';
import { readRealised } from './readRealised.ts';

/** Closes read for the guards: enough for any streak and any day, and the newest part of a long drawdown. */
const CLOSES_MAX = 5000;

/** The current guards of a user, from the events on one market. Works in the user's and in the service role. */
export async function readGuards(
  tx: UserTx | SystemTx,
  userId: string,
  preferences: Preferences,
  { nowMs, market }: { nowMs: number; market: MarketMode },
): Promise<Guard[]> {
  const { since } = await tx
    .selectFrom('preferences')
    .select('guard_drawdown_since as since')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const closes = await readRealised(tx, { userId, market, limit: CLOSES_MAX });
  const rules = {
    balanceUsdt: preferences.balance_usdt,
    dailyLossPct: preferences.guard_daily_loss_pct,
    stopStreak: preferences.guard_stop_streak,
    cooldownMinutes: preferences.guard_cooldown_minutes,
    drawdownPct: preferences.guard_drawdown_pct,
  };
  return guardsOf(rules, closes, { nowMs, drawdownSinceMs: since?.getTime() ?? 0 });
}

/** States of the guards that size down, by the open positions. */
function sizingGuardsOf(
  { balance_usdt: balance, guard_stops_pct: stopsPct, guard_exposure_pct: exposurePct }: Preferences,
  { lossAtStops, netNotional }: Exposure,
  { realisedUsdt }: Pick<Funds, 'realisedUsdt'>,
): z.input<typeof SizingGuardState>[] {
  const equity = guardedEquity(balance, realisedUsdt);
  const state = (name: 'stops' | 'exposure', limit: number | null, usdt: number) => ({
    name,
    is_on: limit !== null,
    limit,
    value: shareOfEquity(usdt, equity),
  });
  return [state('stops', stopsPct, lossAtStops), state('exposure', exposurePct, netNotional)];
}

/**
 * State of the guards for automatic opening, as shown to the owner.
 * @param now.open all open positions of that market
 */
export async function guardsResponse(
  tx: UserTx,
  userId: string,
  preferences: Preferences,
  now: { nowMs: number; market: MarketMode; open: readonly OpenRisk[] },
): Promise<z.input<typeof GuardsResponse>> {
  const guards = await readGuards(tx, userId, preferences, now);
  return {
    armed: preferences.auto_open_enabled && !guards.some(({ is_tripped: isTripped }) => isTripped),
    auto_open_enabled: preferences.auto_open_enabled,
    guards,
    sizing_guards: sizingGuardsOf(preferences, exposureOf(now.open), await readFunds(tx, userId, now.market)),
    min_auto_conf_pct: preferences.min_auto_conf_pct,
    max_concurrent_positions: preferences.max_concurrent_positions,
    open_positions: now.open.length,
    leverage: preferences.leverage,
  };
}

/** Resumes after the drawdown guard stopped: the drawdown is measured from now on. */
export async function measureDrawdownFromNow(tx: UserTx, userId: string): Promise<void> {
  await tx
    .updateTable('preferences')
    .set({ guard_drawdown_since: sql`now()` })
    .where('user_id', '=', userId)
    .execute();
}
