import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { BookPosition, BookTrailing } from './bookTypes.ts';

const trailingModes = {
  off: abi.TRAILING_OFF,
  percent: abi.TRAILING_PERCENT,
  atr: abi.TRAILING_ATR,
} as const satisfies Record<BookTrailing['mode'], number>;

/** The rules struct for what is watched: no slippage, because a price that was seen, or the level, is the price. */
export function rulesRow(position: Pick<BookPosition, 'trailing' | 'takerFeeFraction' | 'leverage' | 'tickSize'>) {
  const rules = new Float64Array(abi.RULES_LENGTH);
  const { trailing } = position;
  rules[abi.RULE_TRAILING_MODE] = trailingModes[trailing.mode];
  if (trailing.mode !== 'off') rules[abi.RULE_TRAILING_ACTIVATION] = trailing.activationFraction ?? 0;
  if (trailing.mode === 'percent') {
    rules[abi.RULE_TRAILING_CALLBACK] = trailing.callbackFraction;
    rules[abi.RULE_TRAILING_STEP] = trailing.stepFraction;
  }
  if (trailing.mode === 'atr') rules[abi.RULE_TRAILING_ATR_MULTIPLIER] = trailing.atrMultiplier;
  rules[abi.RULE_TAKER_FEE] = position.takerFeeFraction;
  rules[abi.RULE_LEVERAGE] = position.leverage;
  rules[abi.RULE_TICK_SIZE] = position.tickSize;
  rules[abi.RULE_TARGET_ORDER] = abi.TARGET_MARKET;
  return rules;
}

/** The position struct. Fees count from 0: what the engine adds is the exit's. */
export function stateRow(position: BookPosition): Float64Array {
  const state = new Float64Array(abi.POSITION_LENGTH);
  state[abi.POSITION_SIDE] = position.side === 'LONG' ? 1 : -1;
  state[abi.POSITION_ENTRY_TIME] = position.entryTimeMs;
  state[abi.POSITION_ENTRY_PRICE] = position.entryPrice;
  state[abi.POSITION_QUANTITY] = position.quantity;
  state[abi.POSITION_MARGIN] = (position.quantity * position.entryPrice) / position.leverage;
  state[abi.POSITION_STOP_PRICE] = position.stopPrice;
  state[abi.POSITION_TARGET_PRICE] = position.targetPrice;
  state[abi.POSITION_LIQUIDATION_PRICE] = position.liquidationPrice ?? Number.NaN;
  state[abi.POSITION_BEST_PRICE] = position.bestPrice;
  state[abi.POSITION_WORST_PRICE] = position.entryPrice;
  state[abi.POSITION_EXIT_TIME] = Number.NaN;
  state[abi.POSITION_EXIT_PRICE] = Number.NaN;
  return state;
}
