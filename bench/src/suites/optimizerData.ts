import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput, OptimizeSpace } from '@sextant/workers/src/protocol/optimize.ts';
import { pushMarket, type Market } from '@sextant/workers/src/tasks/optimize/market.ts';
import { defaultSpace, packSet, packSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { defaultCosts, defaultWeights } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { eightHourlyFunding } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { marketTwin, type TwinMarket } from '../twins/optimizer/market.ts';
import { TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { votesTwin } from '../twins/votes.ts';

export const params: StrategyParams = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

const only = (value: number): { min: number; max: number } => ({ min: value, max: value });

/** The product's ranges, drawn as they were in every earlier run of this suite. */
export const denseSpace: OptimizeSpace = { ...defaultSpace, draw: 'dense' };

/** Where each case draws its sets from. */
export const spaces: Record<string, Partial<OptimizeSpace>> = {
  // The product's default strategy; only the weights vary.
  defaults: {
    draw: 'dense',
    entryThreshold: only(0.08),
    stopLossFraction: only(0.02),
    takeProfitFraction: only(0.04),
    trailing: 'off',
  },
  'no-trailing': { ...denseSpace, trailing: 'off' },
  // A trade every few candles: the search for entries and exits is short, the trades themselves count.
  dense: {
    draw: 'dense',
    entryThreshold: { min: 0.01, max: 0.1 },
    stopLossFraction: { min: 0.005, max: 0.015 },
    takeProfitFraction: { min: 0.005, max: 0.02 },
    trailing: 'off',
  },
  // All that the product lets vary; half of the sets trail.
  product: denseSpace,
};

export interface BenchSymbol {
  candles: Candles;
  costs: Costs;
  market: Market;
  twin: TwinMarket;
}

export const costsOf = (candles: Candles): Costs => ({ ...defaultCosts, funding: eightHourlyFunding(candles) });

/** The symbol in the engine's arena and, the same, for the twins. */
export function symbolOf(engine: Engine, candles: Candles): BenchSymbol {
  const costs = costsOf(candles);
  const market = pushMarket(engine, inputOf(candles, costs));
  return { candles, costs, market, twin: marketTwin(candles, costs, votesTwin(candles)) };
}

/** A search over every candle. */
export function inputOf(candles: Candles, costs: Costs): OptimizeInput {
  return { candles, params, costs, scoredCount: candles.close.length, samples: 1, seed: 1, target: 'pnl' };
}

/** Address of the engine's space rows. */
export function pushSpace(engine: Engine, wanted: Partial<OptimizeSpace>): number {
  const space = packSpace(wanted);
  if (!space.ok) throw new Error(space.error.message);
  return engine.push(space.value);
}

/** Samples from .. from + count - 1 of a search, as the engine draws them: a case is the search a user would start. */
export function drawSets(
  engine: Engine,
  wanted: Partial<OptimizeSpace>,
  { seed, from, count }: { seed: bigint; from: number; count: number },
): Float64Array {
  const spaceAt = pushSpace(engine, wanted);
  const currentAt = engine.push(packSet(params));
  const setAt = engine.reserve(abi.SET_LENGTH);
  const sets = new Float64Array(abi.SET_LENGTH * count);
  for (let index = 0; index < count; index++) {
    engine.raw.sampleSet(seed, BigInt(from + index), spaceAt, currentAt, setAt);
    sets.set(engine.f64View(setAt, abi.SET_LENGTH), index * abi.SET_LENGTH);
  }
  return sets;
}

/** Every result column of every set, to the bit. The engine writes column after column, a twin set after set. */
export function compareResults(columns: Float64Array, rows: Float64Array, where: string): string[] {
  const count = rows.length / TWIN_RESULT_LENGTH;
  const ours = new Float64Array(rows.length);
  for (let set = 0; set < count; set++) {
    for (let field = 0; field < TWIN_RESULT_LENGTH; field++) {
      ours[set * TWIN_RESULT_LENGTH + field] = columns[field * count + set] as number;
    }
  }
  const difference = firstDifference(ours, rows);
  return difference === undefined ? [] : [`${where}, ${difference}`];
}
