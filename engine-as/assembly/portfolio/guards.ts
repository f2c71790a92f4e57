import { CLOSE_LIQUIDATION, CLOSE_STOP_LOSS } from '../../abi/backtest';
import { SKIP_DAILY_LOSS, SKIP_DRAWDOWN, SKIP_NONE, SKIP_STOP_STREAK } from '../../abi/portfolio';
import { Account, Limits, Portfolio } from '../records.gen';

const DAY_MS: f64 = 86_400_000;

/**
 * Adds a close to what the guards read.
 * @param time open of the candle of the close: which part of the candle it was in is not known
 */
export function seeClose(account: Account, time: f64, net: f64, reason: i32): void {
  const day = Math.floor(time / DAY_MS);
  if (day !== account.day) account.dayNet = 0;
  account.day = day;
  account.dayNet += net;
  const isLosingStop = (reason === CLOSE_STOP_LOSS || reason === CLOSE_LIQUIDATION) && net < 0;
  account.streak = isLosingStop ? account.streak + 1 : 0;
  account.lastCloseTime = time;
  account.closedEquity += net;
  account.closedPeak = Math.max(account.closedPeak, account.closedEquity);
}

/** The guard that blocks openings at `time`, SKIP_NONE without one: those of automatic opening, in its order. */
export function trippedGuard(portfolio: Portfolio, time: f64): i32 {
  const limits = portfolio.limits;
  const account = portfolio.account;
  if (limits.dailyLossPct > 0 && dailyLossPct(limits, account, time) >= limits.dailyLossPct) return SKIP_DAILY_LOSS;
  if (limits.stopStreak > 0 && account.streak >= limits.stopStreak) {
    if (time < account.lastCloseTime + limits.cooldownMs) return SKIP_STOP_STREAK;
  }
  const peak = account.closedPeak;
  const drawdown = ((peak - account.closedEquity) / peak) * 100;
  return limits.drawdownPct > 0 && drawdown >= limits.drawdownPct ? SKIP_DRAWDOWN : SKIP_NONE;
}

function dailyLossPct(limits: Limits, account: Account, time: f64): f64 {
  const net = Math.floor(time / DAY_MS) === account.day ? account.dayNet : 0;
  return (Math.max(0, -net) / limits.initialEquity) * 100;
}
