import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { BACKTEST_VOTE_COUNT, VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { Costs, LeverageTier, StrategyParams, Trailing } from '../protocol.ts';

const liquidationModels = {
  binance: abi.LIQUIDATION_BINANCE,
  bybit: abi.LIQUIDATION_BYBIT,
  okx: abi.LIQUIDATION_OKX,
} as const;

const fundingSources = { history: abi.FUNDING_HISTORY, assumed: abi.FUNDING_ASSUMED, off: abi.FUNDING_OFF } as const;

/** The rules struct of abi/backtest.ts: the same slots the kernel reads and the parameter hash covers. */
export function rulesOf(params: StrategyParams, costs: Costs, scoredCount: number): Float64Array<ArrayBuffer> {
  const rules = new Float64Array(abi.RULES_LENGTH);
  rules[abi.RULE_ENTRY_THRESHOLD] = params.entryThreshold;
  rules[abi.RULE_STOP_LOSS_FRACTION] = params.stopLossFraction;
  rules[abi.RULE_TAKE_PROFIT_FRACTION] = params.takeProfitFraction;
  rules[abi.RULE_TRAILING_MODE] = trailingMode(params.trailing);
  rules[abi.RULE_TRAILING_CALLBACK] = params.trailing.callbackFraction;
  rules[abi.RULE_TRAILING_STEP] = params.trailing.stepFraction;
  rules[abi.RULE_TRAILING_ATR_MULTIPLIER] = params.trailing.atrMultiplier ?? 0;
  rules[abi.RULE_TRAILING_ACTIVATION] = params.trailing.activationFraction ?? 0;
  rules[abi.RULE_HOLDING_BARS_MAX] = params.holdingBarsMax ?? 0;
  rules[abi.RULE_TAKER_FEE] = costs.takerFeeFraction;
  rules[abi.RULE_MAKER_FEE] = costs.makerFeeFraction;
  rules[abi.RULE_SLIPPAGE] = costs.slippageFraction;
  rules[abi.RULE_STOP_SLIPPAGE] = costs.stopSlippageFraction;
  rules[abi.RULE_TARGET_ORDER] = costs.takeProfitOrder === 'limit' ? abi.TARGET_LIMIT : abi.TARGET_MARKET;
  rules[abi.RULE_INITIAL_EQUITY] = costs.initialEquity;
  rules[abi.RULE_NOTIONAL] = costs.notional;
  rules[abi.RULE_LEVERAGE] = costs.leverage;
  rules[abi.RULE_MAINTENANCE_MARGIN] = costs.maintenanceMarginFraction;
  rules[abi.RULE_LIQUIDATION_MODEL] = liquidationModels[costs.liquidationModel ?? 'binance'];
  rules[abi.RULE_TICK_SIZE] = costs.tickSize ?? 0;
  rules[abi.RULE_STEP_SIZE] = costs.stepSize ?? 0;
  rules[abi.RULE_MIN_NOTIONAL] = costs.minNotional ?? 0;
  rules[abi.RULE_IS_TARGET_FIRST] = costs.sameBar === 'target' ? 1 : 0;
  rules[abi.RULE_SCORED_COUNT] = scoredCount;
  rules[abi.RULE_FUNDING_SOURCE] = fundingSources[costs.fundingSource ?? 'history'];
  // A rate that is not charged must not make another parameter hash.
  rules[abi.RULE_ASSUMED_FUNDING] = costs.fundingSource === 'assumed' ? (costs.assumedFundingFraction ?? 0) : 0;
  return rules;
}

function trailingMode(trailing: Trailing): number {
  if (!trailing.enabled) return abi.TRAILING_OFF;
  return trailing.mode === 'atr' ? abi.TRAILING_ATR : abi.TRAILING_PERCENT;
}

/** Rows of the tier table in the layout of abi/backtest.ts. */
export function tierRows(tiers: readonly LeverageTier[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(tiers.length * abi.TIER_LENGTH);
  tiers.forEach((tier, i) => {
    const row = i * abi.TIER_LENGTH;
    rows[row + abi.TIER_NOTIONAL_FLOOR] = tier.notionalFloor;
    rows[row + abi.TIER_MAINTENANCE_MARGIN] = tier.maintenanceMarginFraction;
    rows[row + abi.TIER_MAINTENANCE_AMOUNT] = tier.maintenanceAmount;
    rows[row + abi.TIER_LEVERAGE_MAX] = tier.leverageMax;
  });
  return rows;
}

/** Weights in tenths by vote index; votes that do not belong to a backtest weigh nothing. */
export function weightTenths(weights: Record<string, number>): Int32Array<ArrayBuffer> {
  const tenths = new Int32Array(VOTE_COUNT);
  for (let vote = 0; vote < BACKTEST_VOTE_COUNT; vote++) {
    tenths[vote] = Math.round((weights[voteIds[vote] ?? ''] ?? 0) * 10);
  }
  return tenths;
}
