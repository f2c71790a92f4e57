import { Rules } from '../records.gen';
import { tierAt } from '../rows';
import { NOISE, roundDown, roundUp } from './rounding';

// How large an entry is. A size of 0 means too small for an order, a negative one that the equity is too short for it.

const TOO_SMALL: f64 = 0;
const MARGIN_SHORT: f64 = -1;
/** Sizes by risk have at most four decimals, as those of live positions. */
const STEP_MIN: f64 = 0.0001;

/**
 * Factor on the notional of the rules: 1, or the equity over the initial equity with compounding. What compounds stays within
 * the tiers that allow the leverage.
 */
export function scaleOf(rules: Rules, tiers: usize, tierCount: i32, available: f64): f64 {
  if (!(rules.isCompounding > 0)) return 1;
  const scale = available / rules.initialEquity;
  for (let row = 1; row < tierCount; row++) {
    const tier = tierAt(tiers, row);
    if (tier.leverageMax < rules.leverage) return Math.min(scale, (tier.notionalFloor * (1 - NOISE)) / rules.notional);
  }
  return scale;
}

/** Quantity of the notional, at most `entryMax` of it and the largest order, or what `available` covers of that. */
export function fixedQuantity(rules: Rules, fill: f64, available: f64, scale: f64, entryMax: f64): f64 {
  const wanted = roundDown(orderOf(rules, lesser(rules.notional * scale, entryMax) / fill), rules.stepSize);
  if (!(wanted > 0) || wanted * fill < rules.minNotional) return TOO_SMALL;
  if (isCovered(needOf(rules, wanted * fill), available)) return wanted;
  const quantity = coveredQuantity(rules, fill, available);
  return quantity > 0 ? quantity : MARGIN_SHORT;
}

/**
 * Quantity that loses the risk at its stop, costs included, at most that of the notional, `entryMax`, the largest order and what `available` covers. Below the
 * exchange's minimum it is raised to it when the stop then still loses no more than the risk. The arithmetic of live positions,
 * in the same order (workers/src/positions/sizing.ts).
 */
export function riskQuantity(
  rules: Rules,
  side: f64,
  fill: f64,
  stop: f64,
  available: f64,
  scale: f64,
  entryMax: f64,
): f64 {
  const stopFill = stop * (1 - side * rules.stopSlippage);
  const perUnit = side * (fill - stopFill) + rules.takerFee * (fill + stopFill);
  const full = lesser(rules.notional * scale, entryMax) / fill;
  const risk = rules.riskFraction * (rules.initialEquity * (rules.isCompounding > 0 ? scale : 1));
  const marginPerUnit = fill * (1 / rules.leverage + rules.takerFee);
  const fitting = Math.max(0, available) / marginPerUnit;
  const wanted = full * Math.min(1, risk / (full * perUnit));
  const step = Math.max(rules.stepSize, STEP_MIN);
  const rounded = roundDown(orderOf(rules, Math.min(wanted, fitting)), step);
  if (rounded > 0 && rounded * fill >= rules.minNotional) return rounded;
  const least = leastQuantity(rules.minNotional, fill, step);
  if (least * marginPerUnit > available * (1 + NOISE)) return MARGIN_SHORT;
  if (least * fill > entryMax * (1 + NOISE) || orderOf(rules, least) < least) return TOO_SMALL;
  return least * perUnit <= risk * (1 + NOISE) ? least : TOO_SMALL;
}

/** A quantity that one market order may have. */
export function orderOf(rules: Rules, quantity: f64): f64 {
  const most = rules.maxQuantity;
  return most > 0 && quantity > most ? most : quantity;
}

function lesser(wanted: f64, most: f64): f64 {
  return wanted > most ? most : wanted;
}

/** The smallest quantity on the step that is worth the least notional. */
function leastQuantity(minNotional: f64, fill: f64, step: f64): f64 {
  const least = Math.max(step, roundUp(minNotional / fill, step));
  return least * fill < minNotional ? roundUp(least + step, step) : least;
}

/** Initial margin and entry fee of a notional. */
function needOf(rules: Rules, notional: f64): f64 {
  return notional / rules.leverage + rules.takerFee * notional;
}

/**
 * Largest quantity whose margin and entry fee `available` covers; 0 when that is below the minimum notional or less than a billionth of the
 * requested notional, the rounding residue of an account that lost everything.
 */
export function coveredQuantity(rules: Rules, fill: f64, available: f64): f64 {
  const quantity = roundDown(available / needOf(rules, fill), rules.stepSize);
  const notional = quantity * fill;
  const isOrder = notional >= rules.minNotional && notional > NOISE * rules.notional;
  return isOrder ? quantity : 0;
}

/** True when the account can put up the margin and fees of an entry. The quantity is a rounded quotient, so a billionth is noise. */
export function isCovered(needed: f64, available: f64): bool {
  return needed <= available * (1 + NOISE);
}
