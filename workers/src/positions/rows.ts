import { POSITION_LENGTH, positionSlot, RULES_LENGTH, ruleSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import type { BookPosition, BookTrailing } from './bookTypes.ts';
import { trailingNumbers } from './trailingNumbers.ts';

const trailingModes = {
  off: abi.TRAILING_OFF,
  percent: abi.TRAILING_PERCENT,
  atr: abi.TRAILING_ATR,
} as const satisfies Record<BookTrailing['mode'], number>;

/**
 * The rules struct of a watched position. A stop slips as in a backtest, and so does an exit by time or signal (`PositionBook`). A target
 * fills at the observed price or at its level, as the specification has it; the market target of a backtest slips (docs/simulator.md).
 */
export function rulesRow(
  position: Pick<BookPosition, 'trailing' | 'takerFeeFraction' | 'leverage' | 'tickSize' | 'breakEvenR'>,
): Float64Array<ArrayBuffer> {
  const rules = new Float64Array(RULES_LENGTH);
  writeTrailing(rules, position.trailing);
  rules[ruleSlot.breakEvenR] = position.breakEvenR ?? 0;
  rules[ruleSlot.takerFee] = position.takerFeeFraction;
  rules[ruleSlot.stopSlippage] = STOP_SLIPPAGE;
  rules[ruleSlot.leverage] = position.leverage;
  rules[ruleSlot.tickSize] = position.tickSize;
  rules[ruleSlot.targetOrder] = abi.TARGET_MARKET;
  return rules;
}

/** Writes how the stop trails; other slots are unchanged. */
export function writeTrailing(rules: Float64Array, trailing: BookTrailing): void {
  rules[ruleSlot.trailingMode] = trailingModes[trailing.mode];
  for (const { row, value } of trailingNumbers(trailing)) if (row.slot !== null) rules[ruleSlot[row.slot]] = value;
}

/** The position struct. Fees count from 0: the engine adds the exit fee. */
export function stateRow(position: BookPosition): Float64Array {
  const state = new Float64Array(POSITION_LENGTH);
  state[positionSlot.side] = position.side === 'LONG' ? 1 : -1;
  state[positionSlot.entryTime] = position.entryTimeMs;
  state[positionSlot.entryPrice] = position.entryPrice;
  state[positionSlot.quantity] = position.quantity;
  state[positionSlot.margin] = (position.quantity * position.entryPrice) / position.leverage;
  state[positionSlot.stopPrice] = position.stopPrice;
  state[positionSlot.targetPrice] = position.targetPrice;
  state[positionSlot.liquidationPrice] = position.liquidationPrice ?? Number.NaN;
  state[positionSlot.bestPrice] = position.bestPrice;
  state[positionSlot.worstPrice] = position.entryPrice;
  state[positionSlot.stopDistance] = Math.abs(position.entryPrice - (position.initialStopPrice ?? position.stopPrice));
  state[positionSlot.exitTime] = Number.NaN;
  state[positionSlot.exitPrice] = Number.NaN;
  return state;
}
