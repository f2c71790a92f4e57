import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';

/** Guards in addition to the specification. Limits are preferences (`guard_*`); null means off. */
export const GuardState = z.object({
  name: z.enum(['daily_loss', 'stop_streak', 'drawdown']),
  is_on: z.boolean(),
  is_tripped: z.boolean(),
  limit: z.number().nullable(),
  value: z.number().meta({ description: 'Now, in the unit of the limit: percent of the balance, or closes in a row.' }),
  until: InstantOrNull.meta({
    description: 'When the guard releases by itself; null: never, or it is not tripped.',
  }),
});
/** A guard that opens smaller positions. */
export const SizingGuardState = z.object({
  name: z.enum(['stops', 'exposure']),
  is_on: z.boolean(),
  limit: z.number().nullable(),
  value: z.number().nullable().meta({
    description:
      'Used now, percent of the equity: loss at all open stops, or longs less shorts, negative when shorts prevail. Null: open positions without equity.',
  }),
});
export const GuardsResponse = z.object({
  armed: z.boolean().meta({ description: 'Automatic opening is on and no guard blocks it.' }),
  auto_open_enabled: z.boolean(),
  guards: z.array(GuardState),
  sizing_guards: z.array(SizingGuardState),
  min_auto_conf_pct: z.number(),
  max_concurrent_positions: z.int(),
  open_positions: z.int(),
  leverage: z.int(),
});
