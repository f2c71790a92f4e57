import { POSITION_LENGTH, positionSlot, RULES_LENGTH, ruleSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { venueFacts, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { Engine } from '../engine/engine.ts';
import type { StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import { writeLevels } from './levels.ts';
import { rulesRow } from './rows.ts';
import { lossAtStop, type SizingCosts } from './sizing.ts';

/** Engine functions for opening and closing: those of the backtest, on separate scratch memory. */

export interface PlanInput extends SizingCosts {
  /** Its liquidation formula applies. */
  exchange: VenueId;
  side: 'LONG' | 'SHORT';
  price: number;
  timeMs: number;
  quantity: number;
  leverage: number;
  stopPrice: number;
  targetPrice: number;
  /** 0: no rounding, here and below. */
  tickSize: number;
  stepSize: number;
  minNotional: number;
  maintenanceMarginFraction: number;
  /** Levels of a strategy, measured from the fill; they stand in place of the two prices. */
  strategy?: { stop: StrategyLevel; target: StrategyLevel; range: number };
}

/** A position as it would be filled at the price. Levels are rounded to ticks towards the entry. */
export interface Plan {
  entryPrice: number;
  quantity: number;
  notional: number;
  margin: number;
  stopPrice: number;
  targetPrice: number;
  liquidationPrice: number | null;
  entryFee: number;
  /** Net loss when the stop is hit, with its slippage and both fees. */
  lossAtStop: number;
  /** Net gain when the target is hit at its level. */
  gainAtTarget: number;
  /** The stop is met before the liquidation price. */
  isStopNearer: boolean;
}

/** The engine's own opening, at the price without slippage; null when the quantity rounds to 0 or is below the minimum. */
export function planPosition(engine: Engine, input: PlanInput): Plan | null {
  const { raw } = engine;
  const mark = raw.arenaMark();
  try {
    const side = input.side === 'LONG' ? 1 : -1;
    const rules = rulesRow({ ...input, trailing: { mode: 'off' } });
    // A product and a quotient of f64 may end below the step that was meant.
    rules[ruleSlot.notional] = input.quantity * input.price * (1 + 2 * Number.EPSILON);
    if (input.entryFeeFraction !== undefined) rules[ruleSlot.takerFee] = input.entryFeeFraction;
    rules[ruleSlot.stepSize] = input.stepSize;
    rules[ruleSlot.minNotional] = input.minNotional;
    rules[ruleSlot.maintenanceMargin] = input.maintenanceMarginFraction;
    rules[ruleSlot.liquidationModel] = venueFacts[input.exchange].liquidationModel;
    rules[ruleSlot.stopLossFraction] = side * (1 - input.stopPrice / input.price);
    rules[ruleSlot.takeProfitFraction] = side * (input.targetPrice / input.price - 1);
    const { strategy } = input;
    if (strategy !== undefined) writeLevels(rules, strategy);
    const rulesAt = engine.push(rules);
    const stateAt = engine.reserve(POSITION_LENGTH);
    const { timeMs, price } = input;
    const response = raw.openPosition(
      rulesAt,
      0,
      0,
      stateAt,
      side,
      timeMs,
      price,
      Infinity,
      strategy?.range ?? Number.NaN,
      0,
      Infinity,
    );
    return response === abi.OPEN_DONE ? readPlan(input, engine.pull(stateAt, POSITION_LENGTH)) : null;
  } finally {
    raw.arenaRelease(mark);
  }
}

function readPlan(input: PlanInput, state: Float64Array): Plan {
  const { side: name, takerFeeFraction: fee } = input;
  const at = (slot: number): number => state[slot] as number;
  const side = name === 'LONG' ? 1 : -1;
  const [entryPrice, quantity] = [at(positionSlot.entryPrice), at(positionSlot.quantity)];
  const [stopPrice, targetPrice] = [at(positionSlot.stopPrice), at(positionSlot.targetPrice)];
  const liquidation = at(positionSlot.liquidationPrice);
  const entryFee = at(positionSlot.fees);
  return {
    entryPrice,
    quantity,
    stopPrice,
    targetPrice,
    entryFee,
    notional: quantity * entryPrice,
    margin: at(positionSlot.margin),
    liquidationPrice: Number.isNaN(liquidation) ? null : liquidation,
    lossAtStop: lossAtStop({ side: name, entryPrice, stopPrice, quantity }, input),
    gainAtTarget: side * (targetPrice - entryPrice) * quantity - entryFee - fee * quantity * targetPrice,
    isStopNearer: !(side * stopPrice <= side * liquidation),
  };
}

/** Liquidation price of an isolated position by the formula of its exchange; null without borrowed money, or when no price reaches it. */
export function liquidationPriceOf(
  engine: Engine,
  { side, price, quantity, leverage }: { side: 'LONG' | 'SHORT'; price: number; quantity: number; leverage: number },
  costs: { exchange: VenueId; maintenanceMarginFraction: number; takerFeeFraction: number },
): number | null {
  if (leverage <= 1 || quantity <= 0) return null;
  const { raw } = engine;
  const mark = raw.arenaMark();
  try {
    const rules = new Float64Array(RULES_LENGTH);
    rules[ruleSlot.liquidationModel] = venueFacts[costs.exchange].liquidationModel;
    rules[ruleSlot.maintenanceMargin] = costs.maintenanceMarginFraction;
    rules[ruleSlot.takerFee] = costs.takerFeeFraction;
    const margin = (quantity * price) / leverage;
    const actual = raw.liquidationPrice(engine.push(rules), 0, 0, side === 'LONG' ? 1 : -1, price, quantity, margin);
    return Number.isNaN(actual) ? null : actual;
  } finally {
    raw.arenaRelease(mark);
  }
}

/** Taker fee of closing `quantity` base units at `price`, quote currency. */
export const exitFee = (quantity: number, price: number, takerFeeFraction: number): number =>
  takerFeeFraction * (quantity * price);
