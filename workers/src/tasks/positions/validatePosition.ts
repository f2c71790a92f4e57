import { ok, type TaskResult } from '../../protocol.ts';
import type { FillCosts, OpenPosition } from '../../protocolPositions.ts';
import { check, firstFailure } from '../validateStrategy.ts';

const price = { min: 0, max: 1e15, isOpen: true };
const share = { min: 0, max: 0.5 };
const any = { min: -1e15, max: 1e15 };

/** What the step needs of a position that is open already. @param field how the caller names it */
export function validatePosition(position: OpenPosition, costs: FillCosts, field: string): TaskResult<null> {
  const { trailing } = position;
  const at = (name: string): string => `${field}.position.${name}`;
  const level = (name: 'stopLossPrice' | 'takeProfitPrice' | 'liquidationPrice') => (): TaskResult<null> =>
    position[name] === null ? ok(null) : check(at(name), position[name], price);
  return firstFailure([
    () => check(at('entryTimeMs'), position.entryTimeMs, { min: 0, max: 1e15 }),
    () => check(at('entryPrice'), position.entryPrice, price),
    () => check(at('quantity'), position.quantity, price),
    () => check(at('margin'), position.margin, { min: 0, max: 1e15 }),
    level('stopLossPrice'),
    level('takeProfitPrice'),
    level('liquidationPrice'),
    () => check(at('bestPrice'), position.bestPrice, price),
    () => check(at('fees'), position.fees, any),
    () => check(at('funding'), position.funding, any),
    () => check(at('trailing.callbackFraction'), trailing.callbackFraction, { min: 0, max: 0.99 }),
    () => check(at('trailing.stepFraction'), trailing.stepFraction, { min: 0, max: 1 }),
    () => check(at('trailing.atrMultiplier'), trailing.atrMultiplier ?? 1, { min: 0, max: 1000, isOpen: true }),
    () => check(`${field}.costs.takerFeeFraction`, costs.takerFeeFraction, share),
    () => check(`${field}.costs.slippageFraction`, costs.slippageFraction, share),
    () => check(`${field}.costs.stopSlippageFraction`, costs.stopSlippageFraction, share),
  ]);
}
