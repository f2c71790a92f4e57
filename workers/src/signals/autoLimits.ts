import type { PortfolioLimits } from '../protocol/portfolio.ts';

/** Settings of automatic opening that limit an account, in their wire names; a guard of null is off. */
export interface AutoLimitSettings {
  max_concurrent_positions: number;
  positions_wanted: number;
  guard_daily_loss_pct: number | null;
  guard_stop_streak: number | null;
  guard_cooldown_minutes: number;
  guard_drawdown_pct: number | null;
}

/** Slots and guards of Auto as limits of a portfolio run, for the server that runs it and the page that prefills them. */
export const limitsOfAuto = (settings: AutoLimitSettings): Required<PortfolioLimits> => ({
  positionsMax: settings.max_concurrent_positions,
  openingsMax: settings.positions_wanted,
  dailyLossPct: settings.guard_daily_loss_pct ?? 0,
  stopStreak: settings.guard_stop_streak ?? 0,
  cooldownMinutes: settings.guard_cooldown_minutes,
  drawdownPct: settings.guard_drawdown_pct ?? 0,
  grossMaxFraction: 0,
  netMaxFraction: 0,
  stopLossMaxFraction: 0,
  skipsStopBeyondLiquidation: true,
});
