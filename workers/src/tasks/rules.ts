import { RULES_LENGTH, ruleSlot, TIER_LENGTH, tierSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { BACKTEST_VOTE_COUNT, VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { venueFacts } from '@sextant/engine-as/abi/costs.ts';
import { costRows } from '@sextant/engine-as/abi/costParameters.ts';
import { absentNumber, classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { Strategy, StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { exitNumbers } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { leverageAllowed, notionalEnd } from '../candles/contract.ts';
import { writeLevels } from '../positions/levels.ts';
import type { Costs, LeverageTier, StrategyParams, Trailing } from '../protocol/backtest.ts';
import { classicNumber } from '../protocol/classicNumbers.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';

const fundingSources = { history: abi.FUNDING_HISTORY, assumed: abi.FUNDING_ASSUMED, off: abi.FUNDING_OFF } as const;

/** The kernel's leverage error, in words. */
export function rejectLeverage({ leverage, notional, tiers = [], rulesOf }: Costs): TaskResult<never> {
  const end = notionalEnd(tiers);
  if (end !== undefined && notional >= end) {
    const whose = rulesOf?.areTiersAssumed === true ? 'the leverage tiers are unknown, so a position' : 'a position';
    const words = `costs.notional ${notional} is too large: ${whose} must be below ${end} USDT`;
    return fail('bad_input', words, 'costs.notional');
  }
  const allowed = leverageAllowed({ leverageMax: null, tiers }, notional);
  const fix =
    leverage > allowed
      ? `the tiers of the contract grant at most ${allowed} at this size`
      : 'the margin must be above the maintenance margin';
  return fail(
    'bad_input',
    `costs.leverage ${leverage} is too high for a notional of ${notional}: ${fix}`,
    'costs.leverage',
  );
}

/** The rules record of abi/records.ts: the same slots the kernel reads and the parameter hash covers. */
export function rulesOf(params: StrategyParams, costs: Costs, scoredCount: number): Float64Array<ArrayBuffer> {
  const rules = new Float64Array(RULES_LENGTH);
  rules[ruleSlot.trailingMode] = trailingMode(params.trailing);
  for (const row of classicRows)
    if (row.slot !== null) rules[ruleSlot[row.slot]] = classicNumber(params, row) ?? absentNumber(row);
  for (const { name, slot } of costRows) rules[ruleSlot[slot]] = costs[name] ?? 0;
  rules[ruleSlot.targetOrder] = costs.takeProfitOrder === 'limit' ? abi.TARGET_LIMIT : abi.TARGET_MARKET;
  rules[ruleSlot.liquidationModel] = venueFacts[costs.liquidationModel ?? 'binance'].liquidationModel;
  rules[ruleSlot.isTargetFirst] = costs.sameBar === 'target' ? 1 : 0;
  rules[ruleSlot.scoredCount] = scoredCount;
  rules[ruleSlot.fundingSource] = fundingSources[costs.fundingSource ?? 'history'];
  // A rate that is not charged must not make another parameter hash.
  if (costs.fundingSource !== 'assumed') rules[ruleSlot.assumedFunding] = 0;
  rules[ruleSlot.isEntryHeld] = costs.entryCandleExits === false ? 1 : 0;
  rules[ruleSlot.isEndAtClose] = costs.lastClose === 'mark' ? 1 : 0;
  return rules;
}

const opposite = { hold: abi.OPPOSITE_HOLD, exit: abi.OPPOSITE_EXIT, reverse: abi.OPPOSITE_REVERSE } as const;
const sides = { both: 0, long: 1, short: -1 } as const;
/** Every slot that a strategy decides; costs and the entry threshold are left as they are. */
export function writeExits(rules: Float64Array, exits: StrategyExits): void {
  const { trailing, sizing } = exits;
  // A trailing stop is hashed with the distance of its other mode too.
  for (const { row, value } of exitNumbers(exits)) if (row.slot !== null) rules[ruleSlot[row.slot]] = value;
  writeLevels(rules, exits);
  rules[ruleSlot.trailingMode] = trailingModes[trailing.mode];
  rules[ruleSlot.onOpposite] = opposite[exits.onOpposite];
  rules[ruleSlot.direction] = sides[exits.direction];
  rules[ruleSlot.sizing] = sizing.mode === 'risk' ? abi.SIZING_RISK : abi.SIZING_FIXED;
  if (sizing.mode !== 'risk') rules[ruleSlot.riskFraction] = 0;
  rules[ruleSlot.isCompounding] = sizing.isCompounding ? 1 : 0;
}

const trailingModes = { off: abi.TRAILING_OFF, percent: abi.TRAILING_PERCENT, atr: abi.TRAILING_ATR } as const;

/** Classic parameters that a strategy does not use: its weights and levels overwrite them. */
const unused = { enabled: false, callbackFraction: 0, stepFraction: 0 };

/** The rules record of a strategy. */
export function strategyRulesOf(strategy: Strategy, costs: Costs, scoredCount: number): Float64Array<ArrayBuffer> {
  return exitRulesOf(strategy, costs, scoredCount, strategy.entryThreshold);
}

/** The rules record of exits. @param entryThreshold 1: the score is the decision itself */
export function exitRulesOf(
  exits: StrategyExits,
  costs: Costs,
  scoredCount: number,
  entryThreshold = 1,
): Float64Array<ArrayBuffer> {
  const plain = { weights: {}, entryThreshold, stopLossFraction: 0, takeProfitFraction: 0, trailing: unused };
  const rules = rulesOf(plain, costs, scoredCount);
  writeExits(rules, exits);
  return rules;
}

function trailingMode(trailing: Trailing): number {
  if (!trailing.enabled) return abi.TRAILING_OFF;
  return trailing.mode === 'atr' ? abi.TRAILING_ATR : abi.TRAILING_PERCENT;
}

/** Rows of the tier table in the layout of abi/records.ts. */
export function tierRows(tiers: readonly LeverageTier[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(tiers.length * TIER_LENGTH);
  tiers.forEach((tier, i) => {
    const row = i * TIER_LENGTH;
    rows[row + tierSlot.notionalFloor] = tier.notionalFloor;
    rows[row + tierSlot.maintenanceMargin] = tier.maintenanceMarginFraction;
    rows[row + tierSlot.maintenanceAmount] = tier.maintenanceAmount;
    rows[row + tierSlot.leverageMax] = tier.leverageMax;
  });
  return rows;
}

/** Weights in tenths by vote index; votes outside a backtest get 0. */
export function weightTenths(weights: Record<string, number>): Int32Array<ArrayBuffer> {
  const tenths = new Int32Array(VOTE_COUNT);
  for (let vote = 0; vote < BACKTEST_VOTE_COUNT; vote++) {
    tenths[vote] = Math.round((weights[voteIds[vote] ?? ''] ?? 0) * 10);
  }
  return tenths;
}
