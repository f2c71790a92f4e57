import { costDefaults, laterCostDefaults } from '@sextant/engine-as/abi/costParameters.ts';
import { backtestWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { type ClassicRequired, classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { WEIGHT_TENTHS_MAX } from '@sextant/engine-as/abi/votes.ts';
import type { Costs, StrategyParams } from '../backtest.ts';
import type { NumberRange, WalkForwardInput } from '../optimize.ts';

/** Defaults shared by form, API and command line. No zod here: the browser bundle reads this file. */

export const defaultWeights = backtestWeights;

export type VoteId = keyof typeof defaultWeights;
export const voteIds = Object.keys(defaultWeights) as VoteId[];

/** Parameters of Classic; fractions, 0.02 is 2 %. */
export const classicDefaults: Readonly<StrategyParams> = {
  weights: defaultWeights,
  ...defaultsOf('params'),
  trailing: { enabled: false, ...defaultsOf('trailing') },
};

function defaultsOf<P extends 'params' | 'trailing'>(part: P): ClassicRequired<P, 'field'> {
  const rows = classicRows.filter(({ classic }) => classic.part === part && classic.isOptional !== true);
  return Object.fromEntries(rows.map((row) => [row.classic.field, row.default] as const));
}

/** Bounds of the weight of a vote of Classic. */
export const weightBounds = { min: 0, max: WEIGHT_TENTHS_MAX / 10 } as const satisfies NumberRange;

/** Fees of Binance, lowest tier; 10x. */
export const defaultCosts = {
  ...costDefaults,
  takeProfitOrder: 'market',
  fundingSource: 'history',
  sameBar: 'stop',
} as const satisfies Costs;

/** The size of an order counts, on candles of an exchange and on sent ones, unless a run says otherwise. */
export const standardLiquidity = laterCostDefaults satisfies Partial<Costs>;
/** Defaults for costs stored before market impact was modelled. */
export const withoutLiquidity = { impactCoefficient: 0, turnoverShareMax: 0 } as const satisfies Partial<Costs>;

/** Candles that lab and API load by themselves, and how many of the newest of them are scored. */
export const LAB_LOADED = 1200;
export const API_LOADED = 800;
export const SCORED_DEFAULT = 500;
/** Share of a long history that the lab scores, that of the standard one; in words. */
export const labScoredShare = `${SCORED_DEFAULT / 100}/${LAB_LOADED / 100} (${Math.round((100 * SCORED_DEFAULT) / LAB_LOADED)} %)`;

/** Targets of a search; docs/optimiser.md states the conditions of each. */
export const optimizeTargets = Object.keys(searchTargets) as (keyof typeof searchTargets)[];

/** Samples of a search of the product; above SAMPLES_MAX it is a deep search. */
export const SAMPLES_MIN = 10;
export const SAMPLES_MAX = 1000;
export const DEEP_SAMPLES_MAX = 100_000;
/** The same of the engine, for the command line. */
export const ENGINE_SAMPLES_MAX = 10_000_000;

export const searchDefaults = {
  samples: 50,
  target: 'pnl',
  seed: 1,
  trainOn: 'earlier',
  refine: true,
  guide: false,
} as const;

export const walkForwardKinds = ['anchored', 'rolling'] as const;
export const walkForwardDefaults = {
  kind: 'anchored',
  folds: 4,
  purgeBars: 24,
  embargoBars: 12,
} as const satisfies WalkForwardInput;
export const foldsBounds = { min: 2, max: 20 } as const;
/** Bounds of the purged candles, and of the embargoed ones. */
export const leftOutBounds = { min: 0, max: 10_000 } as const;

/** Candles below which a search finds only accidents. */
export const TRAIN_BARS_MIN = 100;
