import {
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  RULE_LEVERAGE,
  RULE_MAINTENANCE_AMOUNT,
  RULE_MAINTENANCE_MARGIN,
  RULE_SLIPPAGE,
  RULE_STOP_LOSS_FRACTION,
  RULE_TAKER_FEE,
  RULE_TICK_SIZE,
  TIER_LENGTH,
  TIER_MAINTENANCE_AMOUNT,
  TIER_MAINTENANCE_MARGIN,
} from '../../abi/backtest';
import { column, number } from '../backtest/frame';
import { addressOf, at } from '../series';

/** Share of the price that the stop must be nearer by: far above any rounding. */
const SAFETY: f64 = 1e-6;

/**
 * 1 when every price path without a gap meets the stop before the liquidation price, whatever the entry. With 1 / leverage as
 * margin, r the largest maintenance rate and f the taker fee, the three models put liquidation at least (1 / leverage - r - f)
 * / (1 + r + f) of the entry price away: Binance (1 / leverage - r) / (1 - r) for a long and / (1 + r) for a short, Bybit
 * 1 / leverage - r, OKX with r + f for r; amounts of the tiers, which must not be negative, add to it. Both levels are rounded to
 * ticks the same way, so more than a tick apart they do not meet; a trailing stop only comes nearer.
 * @param lowest lowest low of the market
 */
export function isStopFirst(frame: usize, rules: usize, lowest: f64): i32 {
  const tiers = column(frame, FRAME_TIERS);
  const tierCount = number(frame, FRAME_TIER_COUNT);
  let rate = at(rules, RULE_MAINTENANCE_MARGIN);
  let amount = at(rules, RULE_MAINTENANCE_AMOUNT);
  for (let row = 0; row < tierCount; row++) {
    const tier = addressOf(tiers, row * TIER_LENGTH);
    rate = max(rate, at(tier, TIER_MAINTENANCE_MARGIN));
    amount = min(amount, at(tier, TIER_MAINTENANCE_AMOUNT));
  }
  rate += at(rules, RULE_TAKER_FEE);
  const distance = (1 / at(rules, RULE_LEVERAGE) - rate) / (1 + rate);
  const tick = at(rules, RULE_TICK_SIZE);
  const cheapest = lowest * (1 - at(rules, RULE_SLIPPAGE)) - tick; // no fill is cheaper
  if (!(amount >= 0) || !(cheapest > 0)) return 0;
  return at(rules, RULE_STOP_LOSS_FRACTION) < distance - 1.01 * (tick / cheapest) - SAFETY ? 1 : 0;
}
