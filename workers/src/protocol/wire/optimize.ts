import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { voteIds as rulesVoteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { z } from 'zod';
import type { BacktestSummary, Candles, Costs } from '../backtest.ts';
import type {
  NamedSet,
  OptimizeInput,
  OptimizeResult,
  OptimizeSpace,
  RulesSpace,
  TrialColumns,
  WalkForwardResult,
} from '../optimize.ts';
import { detailFromWire, rulesFromWire, runShape } from './backtest.ts';
import { type BacktestJson, backtestToWire } from './backtestResult.ts';
import { candlesFromWire, columnToWire } from './candles.ts';
import { checkContext } from './checkContext.ts';
import { costsFromWire } from './costs.ts';
import {
  API_LOADED,
  DEEP_SAMPLES_MAX,
  ENGINE_SAMPLES_MAX,
  foldsBounds,
  leftOutBounds,
  optimizeTargets,
  SAMPLES_MIN,
  SCORED_DEFAULT,
  searchDefaults,
  voteIds,
  walkForwardDefaults,
  walkForwardKinds,
} from './defaults.ts';
import { takeRules } from './ownRules.ts';
import { paramsFromWire, paramsToWire, type StrategyParamsJson } from './strategyParams.ts';

/** The JSON form of an optimisation. `slPct`, `tpPct`, `callbackPct` and `stepPct` are fractions, as everywhere on the wire. */

export const OptimizeTargetWire = z.enum(optimizeTargets);

/** Share of the candles that is scored where there are fewer than the API loads; the ones before train. */
const SCORED_SHARE = SCORED_DEFAULT / API_LOADED;

export const RangeWire = z.strictObject({ min: z.number(), max: z.number() });

export const SpaceWire = z
  .strictObject({
    draw: z.enum(['mixed', 'dense']).optional().meta({
      description: 'mixed: dense sets, sets of 1 to 5 votes and whole groups; dense: every parameter by itself.',
    }),
    weight: RangeWire.optional(),
    weights: z
      .partialRecord(z.enum(voteIds), RangeWire)
      .optional()
      .meta({ description: 'Ranges of single votes, by id, where they differ from weight.' }),
    entryThreshold: RangeWire.optional(),
    slPct: RangeWire.optional(),
    tpPct: RangeWire.optional(),
    trailing: z.enum(['off', 'on', 'either']).optional(),
    callbackPct: RangeWire.optional(),
    stepPct: RangeWire.optional(),
  })
  .meta({ description: "Where sets are drawn from; the product's ranges where absent. min = max fixes a parameter." });

/** Ranges of a search over rules. Bounds depend on how the strategy measures its exits, so the engine checks them. */
export const RulesSpaceWire = z
  .strictObject({
    draw: z.enum(['mixed', 'dense']).optional(),
    weight: RangeWire.optional(),
    weights: z.partialRecord(z.enum(rulesVoteIds), RangeWire).optional(),
    entryThreshold: RangeWire.optional(),
    stop: RangeWire.optional(),
    target: RangeWire.optional(),
    trailing: z.enum(['off', 'on', 'either']).optional(),
    trailingDistance: RangeWire.optional(),
  })
  .meta({
    description:
      'Where sets of `strategy` are drawn from, as `space` says it of `params`: weights within -5..5; stop, target and trailing distance in the mode of the strategy, as fractions or average true ranges.',
    examples: [{ weight: { min: -1, max: 2 }, weights: { rsi: { min: 0, max: 0 } }, trailing: 'on' }],
  });

export const WalkForwardWire = z.strictObject({
  kind: z.enum(walkForwardKinds).default(walkForwardDefaults.kind),
  folds: z.int().min(foldsBounds.min).max(foldsBounds.max).default(walkForwardDefaults.folds),
  purgeBars: z.int().min(leftOutBounds.min).max(leftOutBounds.max).default(walkForwardDefaults.purgeBars),
  embargoBars: z.int().min(leftOutBounds.min).max(leftOutBounds.max).default(walkForwardDefaults.embargoBars),
});

/** Options of a search, and the stored ones of the form as it was last used. */
export const searchFields = {
  samples: z.int().min(SAMPLES_MIN).max(DEEP_SAMPLES_MAX).default(searchDefaults.samples),
  target: OptimizeTargetWire.default(searchDefaults.target),
  seed: z.int().min(0).default(searchDefaults.seed),
  trainOn: z.enum(['earlier', 'scored']).default(searchDefaults.trainOn),
  refine: z.boolean().default(searchDefaults.refine),
};

const shape = {
  target: searchFields.target,
  seed: searchFields.seed.meta({ description: 'The same seed draws the same sets, everywhere.' }),
  trainOn: searchFields.trainOn.meta({
    description: 'Search on the candles before the scored window, or on the scored window itself.',
  }),
  refine: searchFields.refine.meta({ description: 'Search around the best with as many trials again.' }),
  guide: z
    .boolean()
    .default(searchDefaults.guide)
    .meta({ description: 'Half of the trials of refine are generations of CMA-ES, which learn from each other.' }),
  space: SpaceWire.prefault({}),
  rulesSpace: RulesSpaceWire.optional(),
  walkForward: WalkForwardWire.optional(),
};

interface SearchedWire {
  strategy?: { rules?: string | undefined } | undefined;
  optimize?: { space: object; rulesSpace?: object | undefined } | undefined;
}

/** Ranges must match the kind of set that is searched: each kind has its own. */
function rejectOtherRanges({ strategy, optimize }: SearchedWire): { path: string[]; message: string } | undefined {
  if (optimize === undefined) return undefined;
  if (strategy === undefined && optimize.rulesSpace !== undefined)
    return {
      path: ['optimize', 'rulesSpace'],
      message: 'ranges of a search over `strategy`: send one, or use `space` for `params`',
    };
  if (strategy?.rules !== undefined && optimize.rulesSpace !== undefined)
    return { path: ['optimize', 'rulesSpace'], message: 'ranges of votes: write those of own rules into their text' };
  if (strategy !== undefined && Object.keys(optimize.space).length > 0)
    return { path: ['optimize', 'space'], message: 'ranges of `params`: use `rulesSpace` for a `strategy`' };
  return undefined;
}

/** Rejects ranges of the other kind of sets by their field. */
export const checkRanges = ({ value, issues }: { value: SearchedWire; issues: z.core.$ZodRawIssue[] }): void => {
  const rejection = rejectOtherRanges(value);
  if (rejection !== undefined) issues.push({ code: 'custom', input: value, ...rejection });
};

export const OptimizeOptionsWire = z.strictObject({
  samples: searchFields.samples,
  ...shape,
});

/** Limits of the engine, used by the command line. */
const EngineOptionsWire = z.strictObject({
  samples: z.int().min(1).max(ENGINE_SAMPLES_MAX).default(searchDefaults.samples),
  ...shape,
  part: z.strictObject({ from: z.int().min(0), count: z.int().min(1) }).optional(),
  bestOfParts: z.array(z.int().min(0)).optional(),
});

export const OptimizeRequestWire = z
  .strictObject({
    ...runShape,
    scored: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: `Last candles that are shown; ${SCORED_DEFAULT}, or the same share of fewer than ${API_LOADED} as of those.`,
      }),
    optimize: EngineOptionsWire.prefault({}),
  })
  .check(takeRules)
  .check(checkRanges)
  .check(checkContext);

/** The options of a request as the task takes them; ranges of rules go with the rules. */
export function optionsFromWire({
  space,
  rulesSpace: _ofRules,
  ...options
}: z.output<typeof OptimizeOptionsWire>): Pick<OptimizeInput, 'samples' | 'target' | 'seed'> & Partial<OptimizeInput> {
  return withoutUndefined({ ...options, space: spaceFromWire(space) });
}

export function optimizeFromWire(wire: z.output<typeof OptimizeRequestWire>): OptimizeInput {
  const candles: Candles = candlesFromWire(wire.candles);
  const { space, rulesSpace, ...options } = wire.optimize;
  const rules = rulesFromWire(wire);
  const scoredDefault = Math.min(SCORED_DEFAULT, Math.max(1, Math.floor(candles.time.length * SCORED_SHARE)));
  return withoutUndefined({
    ...options,
    candles,
    params: paramsFromWire(wire.params),
    costs: costsFromWire(wire.costs),
    scoredCount: wire.scored ?? scoredDefault,
    space: spaceFromWire(space),
    rules: rules && { ...rules, ...rulesSpaceFromWire(rulesSpace) },
    ...detailFromWire(wire),
  });
}

/** The ranges of a search over rules, as part of its rules. */
export const rulesSpaceFromWire = (
  wire: z.output<typeof RulesSpaceWire> | undefined,
): { space?: Partial<RulesSpace> } => (wire === undefined ? {} : { space: withoutUndefined(wire) });

export function spaceFromWire(wire: z.output<typeof SpaceWire>): Partial<OptimizeSpace> {
  const { slPct, tpPct, callbackPct, stepPct, ...same } = wire;
  return withoutUndefined({
    ...same,
    stopLossFraction: slPct,
    takeProfitFraction: tpPct,
    callbackFraction: callbackPct,
    stepFraction: stepPct,
  });
}

type SpaceFields = z.output<typeof SpaceWire>;
type SpaceJson = { [Name in keyof SpaceFields]?: Exclude<SpaceFields[Name], undefined> };

export function spaceToWire(space: Partial<OptimizeSpace>): SpaceJson {
  const { stopLossFraction, takeProfitFraction, callbackFraction, stepFraction, ...same } = space;
  return withoutUndefined({
    ...same,
    slPct: stopLossFraction,
    tpPct: takeProfitFraction,
    callbackPct: callbackFraction,
    stepPct: stepFraction,
  });
}

type Json = (number | null)[];

const columnsToWire = (columns: TrialColumns): Record<keyof TrialColumns, Json> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, columnToWire(column as Float64Array)]),
  ) as Record<keyof TrialColumns, Json>;

/** The best set as a whole backtest, with where it came from and how it did in training. */
export interface OptimizeBestJson extends BacktestJson {
  origin: { kind: 'sample' | 'refined'; index: number };
  value: number | null;
  reason?: string;
  train: BacktestSummary;
  /** Value of each parameter of own rules with a range, by name. */
  values?: Record<string, number>;
}

/** @param input the costs of the search, by which its best set was sized */
export function optimizeToWire(result: OptimizeResult, { costs }: Pick<OptimizeInput, 'costs'>): object {
  const { trials, refined, leaders, best, walkForward, ...rest } = result;
  // What each trial ran with follows from the seed and its index; as JSON it would be larger than everything else.
  const plain = { ...rest, sets: undefined };
  return withoutUndefined({
    best: best && bestToWire(best, costs),
    ...plain,
    leaders: leaders.map((leader) => ({ ...leader, ...setToWire(leader) })),
    trials: columnsToWire(trials),
    refined: columnsToWire(refined),
    walkForward: walkForward && walkForwardToWire(walkForward),
  });
}

export const walkForwardToWire = (result: WalkForwardResult): object => ({
  ...result,
  folds: result.folds.map((fold) => ({ ...fold, ...setToWire(fold) })),
});

/** A strategy is sent unchanged. */
const setToWire = ({ params }: NamedSet): { params: StrategyParamsJson } => ({ params: paramsToWire(params) });

export function bestToWire(best: NonNullable<OptimizeResult['best']>, costs: Costs): OptimizeBestJson {
  const { params, scored, ...origin } = best;
  return { ...backtestToWire(scored, paramsToWire(params), { costs, strategy: best.strategy }), ...origin };
}
