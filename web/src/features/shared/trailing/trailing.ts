import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import type { TrailingView } from '../../../api/positionView.ts';
import type { ChangePositionBody } from '../../../api/types.ts';

/** A trailing stop as the calls take it; null switches it off. */
export function trailingBody(trailing: TrailingView | null): NonNullable<ChangePositionBody['trailing']> {
  if (trailing === null) return { enabled: false };
  const { mode, activationPct: activation_pct } = trailing;
  return mode === 'atr'
    ? { enabled: true, mode, activation_pct, atr_mult: trailing.atrMultiplier, atr_period: trailing.atrPeriod }
    : { enabled: true, mode, activation_pct, callback_pct: trailing.callbackPct, step_pct: trailing.stepPct };
}

/** The numbers of a trailing stop that is switched on: the defaults of the settings. */
export const standardTrailing = {
  percent: {
    mode: 'percent',
    callbackPct: numberSettings.trail_callback_pct.default,
    stepPct: numberSettings.trail_step_pct.default,
    activationPct: 0,
  },
  atr: {
    mode: 'atr',
    atrMultiplier: numberSettings.trail_atr_mult.default,
    atrPeriod: numberSettings.trail_atr_period.default,
    activationPct: 0,
  },
} as const satisfies Record<TrailingView['mode'], TrailingView>;
