import { describe, expect, it } from 'vitest';
import { trailingExample } from '../../../src/features/positions/auto/AutoTab.tsx';

const settings = {
  trailing_enabled: true,
  trail_mode: 'percent' as const,
  trail_callback_pct: 0.5,
  trail_step_pct: 0.25,
  trail_atr_mult: 2,
  trail_atr_period: 14,
  trail_activation_stops: 1,
} as const;

describe('X72 the example of the trailing settings', () => {
  it('trails at 102 when one stop distance of 2 is set: 102 x 0.995', () => {
    expect(trailingExample(settings)).toContain('at 101.49');
  });
  it('keeps the stop at 98 and names the price that starts it when two are set', () => {
    const later = trailingExample({ ...settings, trail_activation_stops: 2 });
    expect(later).toContain('stays at 98');
    expect(later).toContain('104.00');
  });
});
