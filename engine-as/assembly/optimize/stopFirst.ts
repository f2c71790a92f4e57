import { IMPACT_MAX } from '../../abi/backtest';
import { Frame, Rules } from '../records.gen';
import { tierAt } from '../rows';

/** Share of the price that the stop must be nearer by: far above any rounding. */
const SAFETY: f64 = 1e-6;

/**
 * 1 when every price path without a gap meets the stop before the liquidation price, whatever the entry. With 1 / leverage as
 * margin, r the largest maintenance rate and f the taker fee, the three models put liquidation at least (1 / leverage - r - f)
 * / (1 + r + f) of the entry price away: Binance (1 / leverage - r) / (1 - r) for a long and / (1 + r) for a short, Bybit
 * 1 / leverage - r, OKX with r + f for r; amounts of the tiers, which must not be negative, add to it. Both levels are rounded to
 * ticks the same way, so more than a tick apart they do not meet; a trailing stop only comes nearer. Where the
 * mark price meets the liquidation price L, the last price is within d L of it, d the divergence. So the stop must be nearer by d L
 * more: at most d (1 - distance) of the entry for a long; for a short, whose room grows faster than d L, d (1 + distance).
 * @param lowest     lowest low of the market
 * @param divergence largest part of the price by which the mark price lies beyond the last price, at the open or inside a bar
 */
export function isStopFirst(frame: Frame, rules: Rules, lowest: f64, divergence: f64): i32 {
  const tiers = frame.tiers;
  const tierCount = frame.tierCount;
  let rate = rules.maintenanceMargin;
  let amount = rules.maintenanceAmount;
  for (let row = 0; row < tierCount; row++) {
    const tier = tierAt(tiers, row);
    rate = max(rate, tier.maintenanceMargin);
    amount = min(amount, tier.maintenanceAmount);
  }
  rate += rules.takerFee;
  const distance = (1 / rules.leverage - rate) / (1 + rate);
  const tick = rules.tickSize;
  const slippage = rules.impactCoefficient > 0 ? rules.slippage + IMPACT_MAX : rules.slippage;
  const cheapest = lowest * (1 - slippage) - tick; // no fill is cheaper
  if (!(amount >= 0) || !(cheapest > 0) || !(divergence < 1)) return 0;
  const margin = 1.01 * (tick / cheapest) * (1 + divergence) + (1 + distance) * divergence + SAFETY;
  return rules.stopLossFraction < distance - margin ? 1 : 0;
}
