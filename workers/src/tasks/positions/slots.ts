import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../../engine/engine.ts';
import type { CloseReason, Trailing } from '../../protocol.ts';
import type { FillCosts, OpenPosition } from '../../protocolPositions.ts';
import { rulesOf } from '../rules.ts';

/** The rules a position that is open already lives by: how its stop trails and what its exit costs. */
export function rulesOfPosition(trailing: Trailing, costs: FillCosts): Float64Array<ArrayBuffer> {
  const params = { weights: {}, entryThreshold: 1, stopLossFraction: 0, takeProfitFraction: 0, trailing };
  // Equity, notional, leverage and tiers are asked for when a position is opened; the step does not read them.
  const opening = { initialEquity: 0, notional: 0, leverage: 1, maintenanceMarginFraction: 0 };
  return rulesOf(params, { ...opening, ...costs }, 0);
}

/** The position in the layout of abi/backtest.ts; a level that is not there is NaN, which nothing reaches. */
export function slotsOfPosition(position: OpenPosition): Float64Array<ArrayBuffer> {
  const slots = new Float64Array(abi.POSITION_LENGTH);
  slots[abi.POSITION_SIDE] = sideOf(position);
  slots[abi.POSITION_ENTRY_TIME] = position.entryTimeMs;
  slots[abi.POSITION_ENTRY_PRICE] = position.entryPrice;
  slots[abi.POSITION_QUANTITY] = position.quantity;
  slots[abi.POSITION_MARGIN] = position.margin;
  slots[abi.POSITION_STOP_PRICE] = position.stopLossPrice ?? Number.NaN;
  slots[abi.POSITION_TARGET_PRICE] = position.takeProfitPrice ?? Number.NaN;
  slots[abi.POSITION_LIQUIDATION_PRICE] = position.liquidationPrice ?? Number.NaN;
  slots[abi.POSITION_BEST_PRICE] = position.bestPrice;
  slots[abi.POSITION_WORST_PRICE] = position.entryPrice;
  slots[abi.POSITION_FEES] = position.fees;
  slots[abi.POSITION_FUNDING] = position.funding;
  slots[abi.POSITION_EXIT_TIME] = Number.NaN;
  slots[abi.POSITION_EXIT_PRICE] = Number.NaN;
  return slots;
}

export const sideOf = ({ side }: Pick<OpenPosition, 'side'>): 1 | -1 => (side === 'LONG' ? 1 : -1);

const reasons: Record<number, CloseReason> = {
  [abi.CLOSE_TAKE_PROFIT]: 'TP',
  [abi.CLOSE_STOP_LOSS]: 'SL',
  [abi.CLOSE_LIQUIDATION]: 'LIQ',
  [abi.CLOSE_TIME]: 'TIME',
};

/** @param code what stepPosition answered */
export const reasonOf = (code: number): CloseReason | null => reasons[code] ?? null;

/** One position in the arena, stepped in place. */
export interface Held {
  /** @returns CLOSE_* */
  step(bar: readonly number[]): number;
  slot(index: number): number;
}

export function hold(engine: Engine, position: OpenPosition, costs: FillCosts): Held {
  const rulesAt = engine.push(rulesOfPosition(position.trailing, costs));
  const positionAt = engine.push(slotsOfPosition(position));
  const barAt = engine.reserve(abi.BAR_LENGTH);
  return {
    step(bar) {
      engine.f64View(barAt, abi.BAR_LENGTH).set(bar);
      return engine.raw.stepPosition(rulesAt, positionAt, barAt, 0, 0);
    },
    slot: (index) => engine.f64View(positionAt, abi.POSITION_LENGTH)[index] ?? Number.NaN,
  };
}

/** NaN is how the engine says "there is none". */
export const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** USDT a position is worth at `price` after the fees and fundings so far: what writeTrade books at its exit price. */
export function netAt(held: Held, price: number): number {
  const gross = (price - held.slot(abi.POSITION_ENTRY_PRICE)) * held.slot(abi.POSITION_SIDE);
  return gross * held.slot(abi.POSITION_QUANTITY) - held.slot(abi.POSITION_FEES) - held.slot(abi.POSITION_FUNDING);
}
