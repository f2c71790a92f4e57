import type { Engine } from '../../engine/engine.ts';
import { liquidationPriceOf } from '../../positions/plan.ts';
import { sizePosition } from '../../positions/sizing.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { SizeInput, SizeResult } from '../../protocol/positions.ts';
import { SIZING_COSTS } from '../../signals/signalRules.ts';
import { check, firstFailure } from '../validateParams.ts';
import { validatePosition } from './validatePosition.ts';
import { ok } from '../../core/result.ts';

/** Sizes one position again, at its own entry and fee, as an opening would. */
export function size(engine: Engine, { position, exchange, account, market }: SizeInput): TaskResult<SizeResult> {
  const valid = firstFailure([
    () => validatePosition(position, 'position'),
    () => check('account.riskFraction', account.riskFraction, { min: 0, max: 1 }),
    () => check('account.balanceUsdt', account.balanceUsdt, { min: 0, max: 1e12 }),
    () => check('account.baseUsdt', account.baseUsdt, { min: 0, max: 1e12 }),
    () => check('account.freeUsdt', account.freeUsdt, { min: -1e15, max: 1e15 }),
  ]);
  if (!valid.ok) return valid;
  const { side, entryPrice: price, stopPrice, leverage: requestCount, takerFeeFraction } = position;
  const order = { side, price, stopPrice, leverage: requestCount, aiMultiplier: 1 };
  const { stopSlippageFraction, maintenanceMarginFraction } = SIZING_COSTS;
  const sized = sizePosition(account, market, order, { takerFeeFraction, stopSlippageFraction });
  const { quantity, leverage } = sized;
  if (sized.refusal !== null) return ok({ size: sized, position });
  const opened = { side, price, quantity, leverage };
  const costs = { exchange, maintenanceMarginFraction, takerFeeFraction };
  const liquidationPrice = liquidationPriceOf(engine, opened, costs);
  return ok({ size: sized, position: { ...position, quantity, leverage, liquidationPrice } });
}
