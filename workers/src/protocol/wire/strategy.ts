import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { WEIGHT_UNITS } from '@sextant/engine-as/abi/ensemble.ts';
import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { VoteEntry, VoteParameter } from '@sextant/engine-as/abi/registryTypes.ts';
import {
  directions,
  oppositeReactions,
  sizingModes,
  type Strategy,
  STRATEGY_INTERVALS_MAX,
  STRATEGY_WEIGHT_MAX,
} from '@sextant/engine-as/abi/strategy.ts';
import { withoutLaterDefaults } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { decidingParameters, rejectParameters, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import { z } from 'zod';
import { ensembleVoteIds } from '../../core/ensembleVotes.ts';
import { ok, type Result } from '../../core/result.ts';
import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { RULES_TEXT_MAX } from '../../rules/compileRules.ts';
import type { RuleProblem } from '../../rules/problems.ts';
import { problemText, strategyOfRules } from '../../rules/strategyOfRules.ts';
import { numberOf, strategyShape } from './numberSchemas.ts';

/** A strategy as JSON. Bounds and texts of its numbers are those of engine-as/abi/runParameters.ts; fractions: 0.02 is 2 %. */

const isStep = (value: number, units: number): boolean => Math.abs(value * units - Math.round(value * units)) < 1e-6;

const Weight = z
  .number()
  .min(-STRATEGY_WEIGHT_MAX)
  .max(STRATEGY_WEIGHT_MAX)
  .refine((value) => isStep(value, WEIGHT_UNITS), `must be in steps of ${1 / WEIGHT_UNITS}`);

const Level = (name: 'stop' | 'target') =>
  z.discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('percent'), fraction: numberOf(`${name}Fraction`) }),
    z.strictObject({ mode: z.literal('atr'), multiple: numberOf(`${name}Multiple`) }),
  ]);

const Interval = z.strictObject({
  interval: z.enum(intervals, `must be one of ${intervals.join(' ')}`),
  weight: z
    .number()
    .min(0)
    .max(10)
    .refine((value) => isStep(value, 10), 'must be a multiple of 0.1'),
});

/** Weights of every vote, 0 where absent; those of own rules may be absent in a response. Has the type of a strategy's weights on both sides of the wire. */
const Weights = (
  z.strictObject(
    Object.fromEntries(ensembleVoteIds.map((id) => [id, Weight.optional().default(0)])),
  ) as unknown as z.ZodType<Record<string, number>, Record<string, number>>
).meta({ description: 'Weight of each vote, `news` among them; a negative one reverses the vote.' });

const parameterOf = ({ title, default: value, min, max, isInteger }: VoteParameter) =>
  (isInteger ? z.int() : z.number())
    .min(min)
    .max(max)
    .optional()
    .meta({ description: `${title}; ${value} when absent.` });

const parametersOf = ({ parameters }: VoteEntry) =>
  z.strictObject(Object.fromEntries(parameters.map((each) => [each.name, parameterOf(each)]))).optional();

/** Parameters of the votes that have any; two that bind each other are checked with the defaults filled in. */
export const VoteParametersWire = (
  z.strictObject(
    Object.fromEntries(
      voteRegistry.filter(({ parameters }) => parameters.length > 0).map((vote) => [vote.id, parametersOf(vote)]),
    ),
  ) as unknown as z.ZodType<VoteParameters, VoteParameters>
)
  .check(({ value, issues }) => {
    const rejection = issues.length > 0 ? undefined : rejectParameters(value);
    if (rejection !== undefined)
      issues.push({ code: 'custom', input: value, path: rejection.path as string[], message: rejection.message });
  })
  .meta({
    description:
      'Look-backs and levels of the votes where they are not the defaults (docs/indicators.md). Another value is another strategy.',
  });

/** With the weight 0 of every vote that it leaves out, as a request has it once it is read. */
export const withEveryVote = (strategy: Strategy): Strategy => ({
  ...strategy,
  weights: Object.fromEntries(ensembleVoteIds.map((id) => [id, strategy.weights[id] ?? 0])),
});

/** The strategy of own rules as a request would hold it. */
export function ownRulesOf(text: string, interval: IntervalName): Result<Strategy, RuleProblem[]> {
  const own = strategyOfRules(text, interval);
  return own.ok ? ok(withEveryVote(own.value)) : own;
}

/** Own rules as text (docs/rules.md). */
export const RulesText = z
  .string()
  .min(1, 'must not be empty')
  .max(RULES_TEXT_MAX)
  // The database stores no other text.
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be text without NUL or unpaired surrogates')
  .meta({ description: 'Own rules as text, such as `long when rsi(14) < 30`. docs/rules.md has the language.' });

/** Votes need a weight; own rules need the fields that their text gives. */
function issueOf(strategy: Strategy): { path: string[]; message: string } | undefined {
  const {
    rules,
    weights,
    intervals: [base],
  } = strategy;
  if (rules === undefined) {
    const isWeighed = Object.values(weights).some((weight) => weight !== 0);
    return isWeighed ? undefined : { path: ['weights'], message: 'one weight at least must not be 0' };
  }
  if (base === undefined) return undefined;
  const own = strategyOfRules(rules, base.interval);
  if (!own.ok) return { path: ['rules'], message: problemText(own.error[0]) };
  if (canonicalJson(own.value) === canonicalJson(strategy)) return undefined;
  return {
    path: ['rules'],
    message: 'say something else than the other fields: send `rules` and `interval` instead of a strategy',
  };
}

const lengthOf = (each: z.output<typeof Interval> | undefined): number | undefined => each && intervalMs[each.interval];

const shape = z.strictObject({
  intervals: z
    .array(Interval)
    .min(1)
    .max(STRATEGY_INTERVALS_MAX)
    .refine(
      (all) => all.every(({ interval }, i) => intervalMs[interval] > (lengthOf(all[i - 1]) ?? 0)),
      'must be in order, the shortest first',
    )
    .meta({ description: 'The first one is the base; each longer one votes with its last closed candle.' }),
  weights: Weights,
  parameters: VoteParametersWire.exactOptional(),
  ...strategyShape('entry'),
  direction: z.enum(directions),
  stop: Level('stop'),
  target: Level('target'),
  ...strategyShape('range'),
  trailing: z.strictObject({ mode: z.enum(['off', 'percent', 'atr']), ...strategyShape('trailing') }),
  ...strategyShape('breakEven'),
  onOpposite: z.enum(oppositeReactions),
  ...strategyShape('time'),
  sizing: z.strictObject({ mode: z.enum(sizingModes), ...strategyShape('size'), isCompounding: z.boolean() }),
  rules: RulesText.exactOptional(),
});
const description = 'Votes with their weights and parameters, intervals, threshold, direction, exits and sizing.';

/** A strategy in a response: stored rules are shown even where the language has changed since. */
export const StoredStrategyWire = shape
  .extend({ weights: z.record(z.string(), z.number()).meta({ description: 'By vote id.' }) })
  .meta({ description });

/** A strategy in a request. */
export const StrategyWire = shape
  .check(({ value, issues }) => {
    const issue = issueOf(value);
    if (issue !== undefined) issues.push({ code: 'custom', input: value, ...issue });
  })
  .meta({ description });

const { intervals: _intervals, weights: _weights, parameters: _parameters, rules: _rules, ...exitFields } = shape.shape;

/** What a set of many changes of a strategy: threshold, exits and sizing, on which no vote depends. */
export const SetStrategyWire = z
  .strictObject(exitFields)
  .partial()
  .transform((sent) => withoutUndefined(sent));

/** Values of parameters of own rules, by name. The language has no bound for a name but that of its text. */
export const RuleValuesWire = z.record(z.string().max(RULES_TEXT_MAX), z.number()).meta({
  description: 'Values of parameters of own rules that have a range: {"fast": 12}.',
});

/** Threshold and levels in place of those of a strategy, or values of own rules, as a search over an account finds them. */
export const SetLevelsWire = z
  .strictObject({
    entryThreshold: shape.shape.entryThreshold.exactOptional(),
    stop: shape.shape.stop.exactOptional(),
    target: shape.shape.target.exactOptional(),
    values: RuleValuesWire.exactOptional(),
  })
  .meta({ description: 'Threshold and levels in place of those of the strategy; of own rules values alone.' });

/** The keys of every object in order, so that equal strategies are equal texts. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** JSON of a strategy with ordered keys, without votes of weight 0 and default parameters. */
export function canonicalJson({ weights, parameters, ...rest }: Strategy): string {
  const weighed = Object.fromEntries(Object.entries(weights).filter(([, weight]) => weight !== 0));
  const parts = { ...withoutLaterDefaults(rest), weights: weighed };
  return JSON.stringify(sorted({ ...parts, parameters: decidingParameters({ weights, parameters }) }));
}

/** SHA-256 of the canonical JSON: the version a saved strategy is known by. */
export const strategyVersion = (strategy: Strategy): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(strategy))));

/** The rules of the scanner with the tuning of a user; its version follows from weights, threshold and levels. */
export const LIVE_RULES = 'Live rules';
export const builtInNames = ['Classic', LIVE_RULES] as const;

/** A strategy that was saved, as scans and positions name it. */
export const StrategyName = z.object({
  name: z.string().meta({ description: `\`${LIVE_RULES}\` is built in.` }),
  version: z.string().meta({ description: 'SHA-256 of the canonical JSON of a saved strategy.' }),
});
export type StrategyName = z.output<typeof StrategyName>;
