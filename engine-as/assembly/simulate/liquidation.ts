import { LIQUIDATION_BYBIT, LIQUIDATION_OKX } from '../../abi/backtest';
import { Rules, Tier } from '../records.gen';
import { tierAt } from '../rows';

// Liquidation price of an isolated, USDT-margined position, quote currency. side 1 long, -1 short; entry in quote currency; quantity in
// base units; margin and amount (deduction of the tier) in quote currency; rate (maintenance margin) and takerFee fractions.

/** Equity of the position equals its maintenance margin at the mark. Source: Binance, "How to calculate liquidation price". */
export function liquidationBinance(side: f64, entry: f64, quantity: f64, margin: f64, rate: f64, amount: f64): f64 {
  return (margin + amount - side * quantity * entry) / (quantity * (rate - side));
}

/** Maintenance margin valued at entry. Source: Bybit help centre, "Liquidation price (USDT contract)", isolated margin. */
export function liquidationBybit(side: f64, entry: f64, quantity: f64, margin: f64, rate: f64, amount: f64): f64 {
  const maintenance = quantity * entry * rate - amount;
  return entry - (side * (margin - maintenance)) / quantity;
}

/** Price at which the margin ratio is 1, closing fee included. Source: OKX as implemented by freqtrade; OKX's own page was not seen. */
export function liquidationOkx(side: f64, entry: f64, quantity: f64, margin: f64, rate: f64, takerFee: f64): f64 {
  return (entry - (side * margin) / quantity) / (1 - side * (rate + takerFee));
}

/** The tier that holds `notional`; `tiers` has at least one row and its first floor is 0. */
export function tierOf(tiers: usize, tierCount: i32, notional: f64): Tier {
  let row = 0;
  while (row + 1 < tierCount && tierAt(tiers, row + 1).notionalFloor <= notional) row++;
  return tierAt(tiers, row);
}

/** Highest leverage at `notional`. */
export function leverageMax(tiers: usize, tierCount: i32, notional: f64): f64 {
  return tierCount === 0 ? Infinity : tierOf(tiers, tierCount, notional).leverageMax;
}

/**
 * Price that liquidates the position, NaN when there is none (a long that borrows nothing, or a price at or below zero).
 * The tier is the one of the LIQUIDATION notional, which depends on the price: iterated from the entry tier to a fixed point.
 * Bybit values the maintenance margin at entry, and with it the tier.
 */
export function liquidationPrice(
  rules: Rules,
  tiers: usize,
  tierCount: i32,
  side: f64,
  entry: f64,
  quantity: f64,
  margin: f64,
): f64 {
  if (side > 0 && margin >= quantity * entry) return NaN;
  if (tierCount === 0) {
    const rate = rules.maintenanceMargin;
    return positive(byModel(rules, side, entry, quantity, margin, rate, rules.maintenanceAmount));
  }
  let tier = tierOf(tiers, tierCount, quantity * entry);
  let price = atTier(rules, tier, side, entry, quantity, margin);
  if (<i32>rules.liquidationModel === LIQUIDATION_BYBIT) return positive(price);
  let nearest = price;
  for (let round = 0; round <= tierCount; round++) {
    const next = tierOf(tiers, tierCount, quantity * price);
    if (next === tier) return positive(price);
    tier = next;
    price = atTier(rules, tier, side, entry, quantity, margin);
    if (side * price > side * nearest) nearest = price;
  }
  // A table whose amounts do not join up at a boundary has no fixed point there: the price that is met first is taken.
  return positive(nearest);
}

function atTier(rules: Rules, tier: Tier, side: f64, entry: f64, quantity: f64, margin: f64): f64 {
  const rate = tier.maintenanceMargin;
  return byModel(rules, side, entry, quantity, margin, rate, tier.maintenanceAmount);
}

function byModel(rules: Rules, side: f64, entry: f64, quantity: f64, margin: f64, rate: f64, amount: f64): f64 {
  const model = <i32>rules.liquidationModel;
  if (model === LIQUIDATION_BYBIT) return liquidationBybit(side, entry, quantity, margin, rate, amount);
  if (model === LIQUIDATION_OKX) return liquidationOkx(side, entry, quantity, margin, rate, rules.takerFee);
  return liquidationBinance(side, entry, quantity, margin, rate, amount);
}

function positive(price: f64): f64 {
  return price > 0 ? price : NaN;
}
