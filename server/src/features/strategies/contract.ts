import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { builtInNames, StrategyName, StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';

/** Strategies stored per user. */
export const STRATEGIES_MAX = 50;

const reserved = new Set(builtInNames.map((name) => name.toLowerCase()));
const Name = Text.trim()
  .min(1, 'must not be empty')
  .max(SAVED_NAME_MAX, `must be at most ${SAVED_NAME_MAX} characters`)
  .refine((name) => !reserved.has(name.toLowerCase()), 'is the name of a built-in strategy');

export const SaveStrategyBody = z.strictObject({ name: Name, value: StrategyWire });
export const ChangeStrategyBody = z
  .strictObject({ name: Name.optional(), value: StrategyWire.optional() })
  .refine(({ name, value }) => name !== undefined || value !== undefined, 'must hold a name or a value')
  .meta({ description: 'Missing fields stay unchanged. A new value makes a new version.' });

export const UseStrategyBody = z.strictObject({
  id: z.uuid().nullable().meta({ description: 'null: the built-in Live rules.' }),
  version: z.string().length(64).optional().meta({ description: 'Rejected when the strategy has a newer version.' }),
});

export const StrategyId = z.strictObject({ id: z.uuid() });

const SavedStrategy = z.object({
  id: z.uuid(),
  name: z.string(),
  version: z.string().meta({
    description: 'SHA-256 of the canonical JSON: ordered keys, without votes of weight 0 and default parameters.',
  }),
  value: StrategyWire,
  is_used: z.boolean().meta({ description: 'Used by scans and automatic opening.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const RecentSignals = z.object({
  opened: z.int().min(0).meta({ description: 'Positions the rules would have opened.' }),
  candles: z.int().meta({ description: 'Last closed candles of the base interval that were tested.' }),
  symbols: z.int().meta({ description: 'Symbols that were tested, of your universe, at most 100.' }),
  left_out: z.int().meta({ description: 'Symbols without candles in time.' }),
  text: z.string(),
  warning: z.string().nullable().meta({ description: 'null: some position would have opened.' }),
});
export type RecentSignals = z.output<typeof RecentSignals>;

/** `These rules would have opened 37 positions in the last 500 candles of 100 symbols.` */
export function recentText({
  opened,
  candles,
  symbols,
  tooSmall = 0,
}: Pick<RecentSignals, 'opened' | 'candles' | 'symbols'> & {
  /** Orders below the least order or the quantity step. */
  tooSmall?: number;
}) {
  const where = `in the last ${candles} candles of ${symbols} symbol${symbols === 1 ? '' : 's'}`;
  const what = opened === 0 ? 'no position' : `${opened} position${opened === 1 ? '' : 's'}`;
  const text = `These rules would have opened ${what} ${where}.`;
  const next =
    tooSmall === 0
      ? 'Lower the entry threshold or use more votes.'
      : `${tooSmall} order${tooSmall === 1 ? ' was' : 's were'} too small for the exchange. Use a larger size.`;
  return { text, warning: opened === 0 ? `${text} ${next}` : null };
}

export const StrategiesResponse = z.object({
  strategies: z.array(SavedStrategy).meta({ description: `By name, at most ${STRATEGIES_MAX}.` }),
  used: StrategyName.meta({ description: 'Strategy of scans and automatic opening.' }),
});

export const SavedStrategyResponse = StrategiesResponse.extend({
  recent: RecentSignals.nullable().meta({
    description:
      'Recent signals of the sent value; null without a value, for intervals scans do not read, or without candles within 20 s.',
  }),
});
