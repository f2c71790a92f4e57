import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { EnsembleResult } from '../protocol/ensemble.ts';
import { leavesByRule } from '../rules/liveInputs.ts';
import { isOwnRules } from '../rules/strategyOfRules.ts';

type Side = 'LONG' | 'SHORT';

/** Whether a strategy may close a position of the side by a signal: the opposite one, or an exit of own rules. */
export const closesBySignal = (strategy: Strategy, side: Side): boolean =>
  strategy.onOpposite !== 'hold' || (isOwnRules(strategy) && leavesByRule(strategy, side));

/** Whether the signal of a closed base candle closes a position of the side. */
export function isClosedBy(
  { direction, exits }: Pick<EnsembleResult, 'direction' | 'exits'>,
  side: Side,
  { onOpposite }: Pick<Strategy, 'onOpposite'>,
): boolean {
  if (exits?.[side === 'LONG' ? 'long' : 'short'] === true) return true;
  return onOpposite !== 'hold' && direction !== 'NEUTRAL' && direction !== side;
}
