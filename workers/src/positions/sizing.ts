/**
 * How large a position is (docs/adr/0014). The only place that decides it: eligibility of a scan, preview, opening and the `position` of
 * a signal call `sizePosition`. Plain arithmetic without the engine, so that server and browser get the same bits.
 */

import type { ChoiceOf } from '../core/settings.ts';

export type RiskLevel = ChoiceOf<'risk_tolerance'>;

/** Part of the balance that one trade may lose. */
export const RISK_FRACTIONS: Readonly<Record<RiskLevel, number>> = { low: 0.005, medium: 0.01, high: 0.02 };
/** Dynamic risk starts at this share of the level. */
export const DYNAMIC_FACTOR = 0.8;
/** With fewer closed trades dynamic risk stays where it starts. */
export const ADAPTIVE_CLOSES_MIN = 10;
/** Quantities have at most four decimals. */
export const QUANTITY_STEP_MIN = 0.0001;
/** Share of one step that counts as rounding noise of f64: 0.3 / 0.1 is 2.9999999999999996. */
const NOISE = 1e-9;

/** Dynamic risk: the fraction moves with the results of closed trades (docs/simulator.md). */
export interface DynamicRisk {
  /** Net PnL of closed trades, oldest first. */
  results: ArrayLike<number>;
  /** How many of the newest count. */
  lookback: number;
  /** Weight of the newest close in the running mean. A result counts as a part of the mean size of all of them, from -1 to 1. */
  smoothing: number;
  min: number;
  max: number;
}

/** Part of the balance a trade may lose. @param dynamic null: the level unchanged */
export function riskFractionOf(level: RiskLevel, dynamic: DynamicRisk | null): number {
  if (dynamic === null) return RISK_FRACTIONS[level];
  const { results, lookback, smoothing, min, max } = dynamic;
  const start = RISK_FRACTIONS[level] * DYNAMIC_FACTOR;
  if (results.length < ADAPTIVE_CLOSES_MIN) return start;
  const performance = performanceOf(Array.from(results).slice(-lookback), smoothing);
  const end = performance >= 0 ? max : min;
  const fraction = Math.min(Math.max(start + Math.abs(performance) * (end - start), min), max);
  // A minimum above the start does not raise the risk after losses.
  return performance > 0 ? fraction : Math.min(fraction, start);
}

/** -1 to 1. Small wins do not outweigh a large loss, and closes with a net loss never raise the risk, however the newest ended. */
function performanceOf(results: readonly number[], smoothing: number): number {
  const meanSize = results.reduce((sum, net) => sum + Math.abs(net), 0) / results.length;
  if (!(meanSize > 0)) return 0;
  let mean = 0;
  for (const net of results) mean += smoothing * (Math.max(-1, Math.min(1, net / meanSize)) - mean);
  const sum = results.reduce((total, net) => total + net, 0);
  return sum > 0 ? mean : Math.min(0, mean);
}

/** Risk of a position of a chart analysis: the level scaled by the chart's risk score of 0 to 10. */
export function chartRiskFraction(level: RiskLevel, riskScore: number): number {
  const base = RISK_FRACTIONS[level];
  if (riskScore <= 3) return base * 1.2;
  if (riskScore >= 7) return base * 0.5;
  return riskScore >= 5 && riskScore <= 6 ? base * 0.8 : base;
}

export type SizingMode = ChoiceOf<'sizing_mode'>;

export interface SizingAccount {
  mode: SizingMode;
  balanceUsdt: number;
  /** Part of the balance that the position may lose at its stop, costs included. */
  riskFraction: number;
  /** Margin of a position whose multiplier is 1. */
  baseUsdt: number;
  /** Equity that is no margin of an open position. */
  freeUsdt: number;
}

/** Order rules of the exchange for a symbol; 0 means no rule. */
export interface SizingMarket {
  tickSize: number;
  stepSize: number;
  minNotional: number;
  /** Largest market order, base units. */
  maxQuantity: number;
  maxLeverage: number | null;
}

export interface SizingCosts {
  takerFeeFraction: number;
  stopSlippageFraction: number;
  /** Fee of a maker's entry; absent: the taker fee. */
  entryFeeFraction?: number;
}

export interface SizingOrder {
  side: 'LONG' | 'SHORT';
  price: number;
  stopPrice: number;
  /** As requested; the symbol caps it. */
  leverage: number;
  /** Factor an AI check puts on the size; 1 without one. */
  aiMultiplier: number;
  /** A quantity the user entered instead of an automatic size. */
  quantity?: number;
  /** What the guards of automatic opening leave for it; absent: no guard. */
  guard?: SizingGuard;
}

/** USDT; Infinity: the guard is off. At or below 0 the least order is opened. */
export interface SizingGuard {
  /** Loss at its stop that the loss at all stops together has left. */
  lossLeftUsdt: number;
  /** Notional that the net exposure has left for its side. */
  notionalLeftUsdt: number;
}

/** Why there is no size, with the failed figure and its limit. */
export interface SizeRejection {
  detail: 'quantity' | 'min_notional' | 'min_above_risk' | 'margin_full';
  value: number;
  limit: number;
}

export interface Size {
  leverage: number;
  /** The price on the tick that a buyer pays or a seller gets. */
  entryPrice: number;
  /** Net loss of the quantity at the stop on its tick, costs included, USDT. */
  lossAtStopUsdt: number;
  /** Base units on the exchange's step; 0 with an error. */
  quantity: number;
  /** Share of base x leverage that is opened: the `n%` of messages. */
  multiplier: number;
  /** Smaller than the settings say, because the free equity is not enough. */
  isReduced: boolean;
  /** Smaller than the settings say, because the exchange takes no larger market order. */
  isLargestOrder: boolean;
  /** The guard that sized it down; null: none. */
  sizedDownBy: 'stops' | 'exposure' | null;
  refusal: SizeRejection | null;
}

/** Net loss of one unit from the entry to its stop: price distance with stop slippage, and taker fees of both fills. */
function lossPerUnit(side: number, entry: number, stop: number, costs: SizingCosts): number {
  const fill = stop * (1 - side * costs.stopSlippageFraction);
  const entryFee = costs.entryFeeFraction ?? costs.takerFeeFraction;
  return side * (entry - fill) + entryFee * entry + costs.takerFeeFraction * fill;
}

/** Net loss of a position that is stopped, USDT. */
export const lossAtStop = (
  {
    side,
    entryPrice,
    stopPrice,
    quantity,
  }: { side: 'LONG' | 'SHORT'; entryPrice: number; stopPrice: number; quantity: number },
  costs: SizingCosts,
): number => quantity * lossPerUnit(side === 'LONG' ? 1 : -1, entryPrice, stopPrice, costs);

/**
 * The size of a position: `base x multiplier x leverage / entry`, where the multiplier lets the stop lose the risk that was set, costs
 * included, and is at most 1. What does not fit into the free equity, or into one market order of the exchange, is reduced. A size below the exchange's minimum is
 * raised to it when the stop then still loses no more than the risk.
 */
export function sizePosition(
  account: SizingAccount,
  market: SizingMarket,
  order: SizingOrder,
  costs: SizingCosts,
): Size {
  const leverage = Math.max(1, Math.min(order.leverage, Math.floor(market.maxLeverage ?? order.leverage)));
  const side = order.side === 'LONG' ? 1 : -1;
  const entry = roundAgainst(order.price, market.tickSize, side);
  const stop = roundAgainst(entry * (order.stopPrice / order.price), market.tickSize, side);
  const perUnit = lossPerUnit(side, entry, stop, costs);
  const fullQuantity = (account.baseUsdt * leverage) / entry;
  const riskUsdt = account.riskFraction * account.balanceUsdt;
  const marginPerUnit = entry * (1 / leverage + costs.takerFeeFraction);
  const fitting = Math.max(0, account.freeUsdt) / marginPerUnit;

  const byRisk = riskUsdt / (fullQuantity * perUnit);
  const multiplier = Math.min(1, (account.mode === 'risk' ? byRisk : 1) * order.aiMultiplier);
  const most = market.maxQuantity > 0 ? market.maxQuantity : Infinity;
  const unguarded = order.quantity ?? fullQuantity * multiplier;
  const byStops = order.guard === undefined ? Infinity : Math.max(0, order.guard.lossLeftUsdt / perUnit);
  const byExposure = order.guard === undefined ? Infinity : Math.max(0, order.guard.notionalLeftUsdt / entry);
  const wanted = Math.min(unguarded, byStops, byExposure);
  const sizedDownBy = wanted === unguarded ? null : byStops <= byExposure ? ('stops' as const) : ('exposure' as const);
  const capped = Math.min(wanted, fitting, most);
  const step = Math.max(market.stepSize, QUANTITY_STEP_MIN);
  const rounded = roundDown(capped, step);
  const sized = {
    leverage,
    entryPrice: entry,
    isReduced: fitting < Math.min(wanted, most),
    isLargestOrder: most < Math.min(wanted, fitting),
    sizedDownBy,
  };
  if (rounded > 0 && rounded * entry >= market.minNotional) {
    return {
      ...sized,
      quantity: rounded,
      multiplier: capped / fullQuantity,
      lossAtStopUsdt: rounded * perUnit,
      refusal: null,
    };
  }

  const least = leastQuantity(market.minNotional, entry, step);
  const rejection = rejectMinimum(
    { rounded, wanted, least, step, entry, perUnit, riskUsdt, marginPerUnit },
    account,
    market,
    order,
  );
  const quantity = rejection === null ? least : 0;
  return {
    ...sized,
    quantity,
    multiplier: quantity / fullQuantity,
    lossAtStopUsdt: quantity * perUnit,
    refusal: rejection,
  };
}

/** The smallest quantity on the step that is worth the least notional. */
function leastQuantity(minNotional: number, entry: number, step: number): number {
  const least = Math.max(step, roundUp(minNotional / entry, step));
  return least * entry < minNotional ? roundUp(least + step, step) : least;
}

interface Minimum {
  rounded: number;
  wanted: number;
  least: number;
  step: number;
  entry: number;
  perUnit: number;
  riskUsdt: number;
  marginPerUnit: number;
}

/** Why a size below the minimum is not raised to it; null when it may be. A quantity the user named is never raised. */
function rejectMinimum(
  { rounded, wanted, least, step, entry, perUnit, riskUsdt, marginPerUnit }: Minimum,
  account: SizingAccount,
  market: SizingMarket,
  order: SizingOrder,
): SizeRejection | null {
  const margin = least * marginPerUnit;
  if (margin > account.freeUsdt * (1 + NOISE)) {
    return { detail: 'margin_full', value: Math.max(0, account.freeUsdt), limit: margin };
  }
  if (order.quantity !== undefined) {
    return rounded > 0
      ? { detail: 'min_notional', value: rounded * entry, limit: market.minNotional }
      : { detail: 'quantity', value: wanted, limit: step };
  }
  const loss = least * perUnit;
  return loss <= riskUsdt * (1 + NOISE) ? null : { detail: 'min_above_risk', value: loss, limit: riskUsdt };
}

/** Down to whole units, unchanged when the unit is 0. */
export function roundDown(value: number, unit: number): number {
  return unit > 0 ? onGrid(Math.floor(value / unit + NOISE), unit) : value;
}

/** Up to whole units, unchanged when the unit is 0. */
export function roundUp(value: number, unit: number): number {
  return unit > 0 ? onGrid(Math.ceil(value / unit - NOISE), unit) : value;
}

/** The f64 nearest to the decimal an exchange would send, as the simulator rounds: 1041 x 0.1 is 104.10000000000001, 1041 / 10 is 104.1. */
function onGrid(count: number, unit: number): number {
  const parts = Math.floor(1 / unit + 0.5);
  return Math.abs(parts * unit - 1) <= NOISE ? count / parts : count * unit;
}

/** A buyer pays the tick above, a seller gets the tick below. */
export const roundAgainst = (price: number, tick: number, trade: number): number =>
  trade > 0 ? roundUp(price, tick) : roundDown(price, tick);
