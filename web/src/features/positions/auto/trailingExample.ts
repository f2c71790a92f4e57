import type { Preferences } from '../../../api/types.ts';
import { formatFixed } from '../../../format/number.ts';

type TrailingSettings = Pick<
  Preferences,
  | 'trailing_enabled'
  | 'trail_mode'
  | 'trail_callback_pct'
  | 'trail_step_pct'
  | 'trail_atr_mult'
  | 'trail_atr_period'
  | 'trail_activation_stops'
>;

/** The settings on a long from 100 with its stop at 98 whose best price is 102, in words that can be checked by head. */
export function trailingExample(settings: TrailingSettings): string {
  if (!settings.trailing_enabled) return 'Off: a long from 100 keeps its stop, however far the price runs.';
  const activation = 100 + 2 * settings.trail_activation_stops;
  if (activation > 102)
    return `A long from 100 with its stop at 98 that reached 102: the stop stays at 98. It trails once the price reaches ${formatFixed(activation, 2)}.`;
  if (settings.trail_mode === 'atr')
    return `A long from 100 that reached 102: the stop stands ${settings.trail_atr_mult} average true ranges of ${settings.trail_atr_period} candles below 102, at ${formatFixed(102 - settings.trail_atr_mult, 2)} when a range is 1.00.`;
  const stop = 102 * (1 - settings.trail_callback_pct / 100);
  return `A long from 100 that reached 102: the stop stands ${settings.trail_callback_pct}\u00a0% below 102, at ${formatFixed(stop, 2)}. It moves when it can move by ${formatFixed(settings.trail_step_pct, 2)} or more.`;
}
