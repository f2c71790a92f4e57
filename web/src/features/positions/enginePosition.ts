import type { BookPosition, BookTrailing } from '@sextant/workers/src/positions/bookTypes.ts';
import { stopSpanOf } from '@sextant/workers/src/positions/strategyExits.ts';
import type { PositionView, TrailingView } from '../../api/positionView.ts';
import { feeRateOf } from './mark.ts';

/** The position as the engine's book takes it, with the levels in force now. */
export const enginePosition = (position: PositionView): BookPosition => ({
  id: position.id,
  side: position.side,
  entryTimeMs: position.openedAt,
  entryPrice: position.entryPrice,
  quantity: position.qty,
  leverage: position.leverage,
  stopPrice: position.stopLoss,
  targetPrice: position.takeProfit,
  liquidationPrice: position.liquidationApprox,
  bestPrice: position.trailPeak,
  isArmed: position.armedAt !== null,
  tickSize: 0,
  takerFeeFraction: feeRateOf(position),
  trailing: engineTrailing(position.trailing),
  atr: rangeOf(position),
  initialStopPrice: position.initialStopLoss,
  breakEvenR: position.strategy?.value.breakEvenR ?? 0,
  stopSpanMs: position.strategy == null ? null : stopSpanOf(position.strategy.value),
});

export function engineTrailing(trailing: TrailingView | null): BookTrailing {
  if (trailing === null) return { mode: 'off' };
  const activationFraction = trailing.activationPct / 100;
  if (trailing.mode === 'atr') return { mode: 'atr', atrMultiplier: trailing.atrMultiplier, activationFraction };
  const { callbackPct, stepPct } = trailing;
  return { mode: 'percent', callbackFraction: callbackPct / 100, stepFraction: stepPct / 100, activationFraction };
}

export const rangeOf = ({ trailing, interval }: PositionView): BookPosition['atr'] =>
  trailing?.mode === 'atr' ? { interval, period: trailing.atrPeriod } : null;
