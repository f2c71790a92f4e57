import { describe, expect, it } from 'vitest';
import { trailingOf } from '../../../src/features/positions/openPosition.ts';
import type { Preferences } from '../../../src/features/preferences/contract.ts';

const settings = {
  trailing_enabled: true,
  trail_mode: 'percent',
  trail_callback_pct: 0.5,
  trail_step_pct: 0.25,
  trail_atr_mult: 2,
  trail_atr_period: 14,
  trail_activation_stops: 1,
} as Preferences;
/** A 4h long from 100 with its stop 6 % below. */
const plan = { entryPrice: 100, stopPrice: 94 };

describe('X72 the trailing that goes with a position', () => {
  it('starts one stop distance in favour by default: 6 % for a stop 6 % away, long or short', () => {
    expect(trailingOf(settings, plan)).toMatchObject({ mode: 'percent', callbackPct: 0.5, activationPct: 6 });
    expect(trailingOf(settings, { entryPrice: 100, stopPrice: 106 })).toMatchObject({ activationPct: 6 });
  });
  it.each([
    { stops: 0, activationPct: 0 },
    { stops: 0.5, activationPct: 3 },
    { stops: 2, activationPct: 12 },
  ])('starts after $stops stop distances: $activationPct %', ({ stops, activationPct }) => {
    for (const mode of ['percent', 'atr'] as const) {
      const changed = { ...settings, trail_mode: mode, trail_activation_stops: stops };
      expect(trailingOf(changed, plan)).toMatchObject({ mode, activationPct });
    }
  });
  it('has none when trailing is off', () => {
    expect(trailingOf({ ...settings, trailing_enabled: false }, plan)).toMatchObject({
      mode: null,
      activationPct: null,
    });
  });
});
