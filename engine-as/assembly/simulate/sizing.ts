import { ADAPTIVE_CLOSES_MIN, RISK_HIGH, RISK_LOW, RISK_MEDIUM } from '../../abi/sizing';
import { at } from '../series';

const DECIMALS: f64 = 10_000;
/** Share of the risk that is left when the user lets the engine adapt it. */
const DYNAMIC_FACTOR: f64 = 0.8;

export function scanQuantity(base: f64, riskMultiplier: f64, leverage: f64, entryPrice: f64): f64 {
  return rounded((base * riskMultiplier * leverage) / entryPrice);
}

export function riskQuantity(balance: f64, riskFraction: f64, leverage: f64, price: f64): f64 {
  return rounded((balance * riskFraction * leverage) / price);
}

export function tradeRiskFraction(level: i32, isDynamic: i32): f64 {
  return baseFraction(level) * (isDynamic !== 0 ? DYNAMIC_FACTOR : 1);
}

export function adaptiveRiskFraction(
  level: i32,
  results: usize,
  count: i32,
  lookback: i32,
  smoothing: f64,
  riskMin: f64,
  riskMax: f64,
): f64 {
  const start = tradeRiskFraction(level, 1);
  if (count < ADAPTIVE_CLOSES_MIN) return start;
  let performance: f64 = 0;
  for (let i = max<i32>(0, count - lookback); i < count; i++) {
    const result = at(results, i);
    const outcome: f64 = result > 0 ? 1 : result < 0 ? -1 : 0;
    performance += smoothing * (outcome - performance);
  }
  const end = performance >= 0 ? riskMax : riskMin;
  const moved = start + Math.abs(performance) * (end - start);
  return Math.min(Math.max(moved, riskMin), riskMax);
}

/** Literal reading of the factors: a score of 4 (or between 6 and 7) is named by none and keeps the base. */
export function chartRiskFraction(level: i32, riskScore: f64): f64 {
  const base = baseFraction(level);
  if (riskScore <= 3) return base * 1.2;
  if (riskScore >= 7) return base * 0.5;
  return riskScore >= 5 && riskScore <= 6 ? base * 0.8 : base;
}

export function lossAtStop(
  side: f64,
  entryPrice: f64,
  stopPrice: f64,
  quantity: f64,
  takerFee: f64,
  stopSlippage: f64,
): f64 {
  const fill = stopPrice * (1 - side * stopSlippage);
  return quantity * (side * (entryPrice - fill) + takerFee * (entryPrice + fill));
}

function baseFraction(level: i32): f64 {
  if (level === RISK_LOW) return 0.005;
  if (level === RISK_MEDIUM) return 0.01;
  return level === RISK_HIGH ? 0.02 : NaN;
}

function rounded(quantity: f64): f64 {
  return Math.floor(quantity * DECIMALS + 0.5) / DECIMALS;
}
