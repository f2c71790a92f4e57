import type { Engine } from '../../engine/engine.ts';

/** Typed calls of the honesty kernels on columns that are already in the arena. */

export interface Moments {
  mean: number;
  deviation: number;
  skewness: number;
  kurtosis: number;
}

export function momentsOf(engine: Engine, at: number, length: number): Moments {
  return inArena(engine, () => {
    const out = engine.reserve(4);
    engine.raw.moments(at, length, out);
    const [mean, deviation, skewness, kurtosis] = engine.pull(out, 4) as unknown as [number, number, number, number];
    return { mean, deviation, skewness, kurtosis };
  });
}

export interface TrialTable {
  meanSharpe: number;
  variance: number;
  /** Mean pairwise correlation of the trials that traded; NaN below two of them. */
  correlation: number;
  sharpes: Float64Array;
}

export function tableOf(engine: Engine, at: number, trials: number, bars: number): TrialTable {
  return inArena(engine, () => {
    const [sharpes, row, out] = [engine.reserve(trials), engine.reserve(bars), engine.reserve(4)];
    engine.raw.trialTable(at, trials, bars, sharpes, row, out);
    const [meanSharpe, variance, correlation] = engine.pull(out, 3) as unknown as [number, number, number];
    return { meanSharpe, variance, correlation, sharpes: engine.pull(sharpes, trials) };
  });
}

/** Quantiles of values by the engine's own sort. */
export function quantilesOf(engine: Engine, values: Float64Array, probabilities: readonly number[]): number[] {
  return inArena(engine, () => {
    const at = engine.push(values);
    engine.raw.sortAscending(at, values.length);
    return probabilities.map((probability) => engine.raw.quantileOfSorted(at, values.length, probability));
  });
}

export function inArena<T>(engine: Engine, work: () => T): T {
  const mark = engine.raw.arenaMark();
  const result = work();
  engine.raw.arenaRelease(mark);
  return result;
}
