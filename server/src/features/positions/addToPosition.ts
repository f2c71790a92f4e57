import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { netAtStop } from '@sextant/workers/src/positions/changedLevels.ts';
import { averageEntry } from '@sextant/workers/src/positions/partialClose.ts';
import { exitFee, liquidationPriceOf } from '@sextant/workers/src/positions/plan.ts';
import { roundAgainst } from '@sextant/workers/src/positions/sizing.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { termsOf } from './changePosition.ts';
import type { PositionWire } from './contract.ts';
import { writeAddition } from './fillWriter.ts';
import type { OrderFill } from './openPosition.ts';
import type { PositionRow } from './positionRow.ts';

/** A position after adding to it. Prices in quote currency, money in USDT. */
export interface AdditionPlan {
  averagePrice: number;
  /** Base units of the whole position. */
  quantity: number;
  liquidationPrice: number | null;
  /** Margin of the addition. */
  margin: number;
  entryFee: number;
  /** Net loss of the whole position at its stop. */
  lossAtStop: number;
  /** The stop is met before the liquidation price. */
  isStopNearer: boolean;
}

/** What adding does to an open position: average entry, and the engine's liquidation price of the sum. */
export function planAddition(
  kernel: Engine,
  position: PositionWire,
  added: { price: number; quantity: number; feeFraction: number; tickSize: number },
): AdditionPlan {
  const { side, qty, entry_price: entry, leverage, stop_loss: stop, taker_fee_fraction: takerFeeFraction } = position;
  const sign = side === 'LONG' ? 1 : -1;
  const averagePrice = averageEntry({ price: entry, quantity: qty }, added);
  const quantity = Number((qty + added.quantity).toPrecision(15));
  const costs = { ...SIZING_COSTS, exchange: position.exchange, takerFeeFraction };
  const exact = liquidationPriceOf(kernel, { side, price: averagePrice, quantity, leverage }, costs);
  const liquidationPrice = exact === null ? null : roundAgainst(exact, added.tickSize, sign);
  const entryFee = exitFee(added.quantity, added.price, added.feeFraction);
  const terms = { ...termsOf(position), entryPrice: averagePrice, qty: quantity, fees: position.fees + entryFee };
  return {
    averagePrice,
    quantity,
    liquidationPrice,
    margin: (added.quantity * added.price) / leverage,
    entryFee,
    lossAtStop: -netAtStop(terms, stop),
    isStopNearer: liquidationPrice === null || sign * stop > sign * liquidationPrice,
  };
}

/** Adds to an open position. Null: it closed meanwhile. */
export async function addToPosition(
  tx: SystemTx,
  position: PositionWire,
  { plan, fill, quantity, atMs }: { plan: AdditionPlan; fill: OrderFill; quantity: number; atMs: number },
): Promise<PositionRow | null> {
  const { averagePrice, liquidationPrice, entryFee } = plan;
  const { price, role, orderId, market } = fill;
  const addition = {
    id: position.id,
    atMs,
    price,
    market,
    quantity,
    entryFee,
    role,
    orderId,
    averagePrice,
    liquidationPrice,
  };
  const row = await writeAddition(tx, addition);
  if (row !== null) await notifyUser(tx, row.user_id, 'positions', { change: 'added', position_id: row.id });
  return row;
}
