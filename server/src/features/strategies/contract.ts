import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import {
  builtInNames,
  ownRulesOf,
  RulesText,
  StrategyName,
  StoredStrategyWire,
  StrategyWire,
} from '@sextant/workers/src/protocol/wire/strategy.ts';
import type { FieldIssue } from '@sextant/workers/src/protocol/wire/ownRules.ts';
import { failWith, type Result } from '@sextant/workers/src/core/result.ts';
import { problemText } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { IntervalName } from '../market/contract.ts';

/** Strategies stored per user. */
export const STRATEGIES_MAX = 50;

const reserved = new Set(builtInNames.map((name) => name.toLowerCase()));
const Name = Text.trim()
  .min(1, 'must not be empty')
  .max(SAVED_NAME_MAX, `must be at most ${SAVED_NAME_MAX} characters`)
  .refine((name) => !reserved.has(name.toLowerCase()), 'is the name of a built-in strategy');

/** The value of a strategy, or own rules that make one. */
const Value = {
  value: StrategyWire.optional(),
  rules: RulesText.optional().meta({
    description: 'Own rules as text in place of `value`, with `interval`: `long when rsi(14) < 30`.',
  }),
  interval: IntervalName.optional().meta({ description: 'Interval of the candles on which `rules` decide.' }),
};

interface WithValue {
  value?: Strategy | undefined;
  rules?: string | undefined;
  interval?: z.output<typeof IntervalName> | undefined;
}

/** Puts the strategy of `rules` and `interval` in `value`. */
function takeValue(payload: { value: WithValue; issues: z.core.$ZodRawIssue[] }): void {
  const { value: body, issues } = payload;
  if (body.rules === undefined && body.interval === undefined) return;
  const taken = strategyIn(body);
  if (!taken.ok) {
    issues.push({ code: 'custom', input: body, ...taken.error });
    return;
  }
  const { rules: _rules, interval: _interval, ...rest } = body;
  payload.value = { ...rest, value: taken.value };
}

function strategyIn({ rules, interval, value }: WithValue): Result<Strategy, FieldIssue> {
  const issue = (field: string, message: string) => failWith({ path: [field], message });
  if (rules === undefined) return issue('interval', 'belongs to `rules`');
  if (value !== undefined) return issue('rules', 'send either `rules` or `value`');
  if (interval === undefined) return issue('interval', 'send the interval of the candles on which `rules` decide');
  const own = ownRulesOf(rules, interval);
  return own.ok ? own : issue('rules', problemText(own.error[0]));
}

export const SaveStrategyBody = z
  .strictObject({ name: Name, ...Value })
  .check(takeValue)
  .refine(({ value }) => value !== undefined, { path: ['value'], error: 'send a value, or `rules` and `interval`' });
export const ChangeStrategyBody = z
  .strictObject({ name: Name.optional(), ...Value })
  .check(takeValue)
  .refine(({ name, value }) => name !== undefined || value !== undefined, 'must hold a name, a value or `rules`')
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
  value: StoredStrategyWire,
  is_used: z.boolean().meta({ description: 'Used by scans and automatic opening.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Earlier versions stored per strategy. */
export const VERSIONS_MAX = 20;

export const StrategyVersionsResponse = z.object({
  versions: z
    .array(
      z.object({
        version: z.string(),
        value: StoredStrategyWire,
        replaced_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'When a newer version took its place; null: the current one.' }),
      }),
    )
    .meta({ description: `Newest first: the current version and at most ${VERSIONS_MAX} earlier ones.` }),
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
  isOwnRules = false,
}: Pick<RecentSignals, 'opened' | 'candles' | 'symbols'> & {
  isOwnRules?: boolean;
  /** Orders below the least order or the quantity step. */
  tooSmall?: number;
}) {
  const where = `in the last ${candles} candles of ${symbols} symbol${symbols === 1 ? '' : 's'}`;
  const what = opened === 0 ? 'no position' : `${opened} position${opened === 1 ? '' : 's'}`;
  const text = `These rules would have opened ${what} ${where}.`;
  const next =
    tooSmall === 0
      ? isOwnRules
        ? 'Widen a condition of your rules.'
        : 'Lower the entry threshold or use more votes.'
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
