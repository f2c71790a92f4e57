import { WEIGHT_UNITS } from './ensemble.ts';
import { intervalMs, type IntervalName } from './intervals.ts';
import { liveWeights } from './liveWeights.ts';
import { type NumbersOf, numbersOf, runParameters } from './runParameters.ts';
import type { VoteParameters } from './voteParameters.ts';

// A strategy as one value: the lab runs it, a scan decides by it, a saved strategy stores it. Its numbers are those of runParameters.ts.
// Not compiled to WASM.

/** A level of an exit: a fraction of the fill (0.02 is 2 %), or average true ranges of the deciding candle. */
export type StrategyLevel = { mode: 'percent'; fraction: number } | { mode: 'atr'; multiple: number };

export interface StrategyInterval {
  interval: IntervalName;
  /** Tenths, 0..10. */
  weight: number;
}

export interface StrategyTrailing extends NumbersOf<'trailing'> {
  mode: 'off' | 'percent' | 'atr';
}

/** How a position is left, and which are entered. */
export interface StrategyExits extends NumbersOf<'range' | 'breakEven' | 'time'> {
  direction: (typeof directions)[number];
  stop: StrategyLevel;
  target: StrategyLevel;
  trailing: StrategyTrailing;
  onOpposite: (typeof oppositeReactions)[number];
  sizing: StrategySizing;
}

export interface StrategySizing extends NumbersOf<'size'> {
  /** `fixed`: the whole notional. `risk`: as much of it as lets the stop lose `riskFraction` of the balance, costs included. */
  mode: (typeof sizingModes)[number];
  /** Notional and balance grow and shrink with the equity. */
  isCompounding: boolean;
}

export interface Strategy extends StrategyExits, NumbersOf<'entry'> {
  /** The first one is the base; each longer one votes with its last closed candle. */
  intervals: StrategyInterval[];
  /** By vote id, `news` among them, in steps of 1/WEIGHT_UNITS; a negative one turns the vote round. */
  weights: Record<string, number>;
  /** Parameters of the votes' indicators and rules, by vote id; an absent one is the registry's default. */
  parameters?: VoteParameters;
  /**
   * Own rules (docs/rules.md), which decide instead of the votes: `weights` is empty, the threshold 1, exits and longer intervals are those
   * of this text (workers/src/rules/strategyOfRules.ts).
   */
  rules?: string;
}

export const directions = ['both', 'long', 'short'] as const;
export const oppositeReactions = ['hold', 'exit', 'reverse'] as const;
export const sizingModes = ['fixed', 'risk'] as const;

/** Largest weight of a vote, either sign. */
export const STRATEGY_WEIGHT_MAX = 5;
export const STRATEGY_INTERVALS_MAX = 4;
/** A longer interval beside the base has half the weight. */
export const CONTEXT_WEIGHT = 0.5;

/** Exits of a live signal: stop two and target four average true ranges away, sized by the risk. */
export const liveExits: StrategyExits = {
  direction: 'both',
  stop: { mode: 'atr', multiple: runParameters.stopMultiple.default },
  target: { mode: 'atr', multiple: runParameters.targetMultiple.default },
  ...numbersOf(['range']),
  trailing: { mode: 'off', ...numbersOf(['trailing']) },
  ...numbersOf(['breakEven']),
  onOpposite: 'hold',
  ...numbersOf(['time']),
  sizing: { mode: 'risk', ...numbersOf(['size']), isCompounding: false },
};

/** Weight x tuning of each live vote, as the scanner weighs it. @param tuning factor by vote id; 1 when absent */
export function tunedWeights(tuning: Readonly<Record<string, number>> = {}): Record<string, number> {
  const units = (id: string, weight: number): number => Math.round(weight * 10) * Math.round((tuning[id] ?? 1) * 20);
  return Object.fromEntries(
    Object.entries(liveWeights).map(([id, weight]) => [id, units(id, weight) / WEIGHT_UNITS] as const),
  );
}

/**
 * The rules that the scanner trades, as a strategy. @param intervals any order; the shortest is the base, each longer one counts half as much
 */
export function liveRules(intervals: readonly IntervalName[], tuning?: Readonly<Record<string, number>>): Strategy {
  const sorted = [...intervals].sort((a, b) => intervalMs[a] - intervalMs[b]);
  return {
    ...structuredClone(liveExits),
    intervals: sorted.map((interval, i) => ({ interval, weight: i === 0 ? 1 : CONTEXT_WEIGHT })),
    weights: tunedWeights(tuning),
    entryThreshold: runParameters.entryThreshold.default,
  };
}
