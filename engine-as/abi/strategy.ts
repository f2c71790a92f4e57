import * as preset from './defaults.ts';
import { WEIGHT_UNITS } from './ensemble.ts';
import { intervalMs, type IntervalName } from './intervals.ts';
import { liveWeights } from './liveWeights.ts';
import type { VoteParameters } from './voteParameters.ts';

// A strategy as one value: the lab runs it, a scan decides by it, a saved strategy stores it. The only declaration of its fields, their
// bounds and their meaning; wire schema, checks and forms read it. Read by tsc only.

/** A level of an exit: a fraction of the fill (0.02 is 2 %), or average true ranges of the deciding candle. */
export type StrategyLevel = { mode: 'percent'; fraction: number } | { mode: 'atr'; multiple: number };

export interface StrategyInterval {
  interval: IntervalName;
  /** Tenths, 0..10. */
  weight: number;
}

export interface StrategyTrailing {
  mode: 'off' | 'percent' | 'atr';
  callbackFraction: number;
  stepFraction: number;
  atrMultiple: number;
  activationFraction: number;
}

/** How a position is left, and which are entered. */
export interface StrategyExits {
  direction: (typeof directions)[number];
  stop: StrategyLevel;
  target: StrategyLevel;
  /** Candles of every average true range of the strategy. */
  atrPeriod: number;
  trailing: StrategyTrailing;
  /** 0: never. */
  breakEvenR: number;
  onOpposite: (typeof oppositeReactions)[number];
  /** Candles; 0: no limit. */
  holdingBarsMax: number;
  sizing: StrategySizing;
}

export interface StrategySizing {
  /** `fixed`: the whole notional. `risk`: as much of it as lets the stop lose `riskFraction` of the balance, costs included. */
  mode: (typeof sizingModes)[number];
  riskFraction: number;
  /** Notional and balance grow and shrink with the equity. */
  isCompounding: boolean;
}

export interface Strategy extends StrategyExits {
  /** The first one is the base; each longer one votes with its last closed candle. */
  intervals: StrategyInterval[];
  /** By vote id, `news` among them, in steps of 1/WEIGHT_UNITS; a negative one turns the vote round. */
  weights: Record<string, number>;
  /** Parameters of the votes' indicators and rules, by vote id; an absent one is the registry's default. */
  parameters?: VoteParameters;
  entryThreshold: number;
  /**
   * Own rules (docs/rules.md), which decide instead of the votes: `weights` is empty, the threshold 1, exits and longer intervals are those
   * of this text (workers/src/rules/strategyOfRules.ts).
   */
  rules?: string;
}

export const directions = ['both', 'long', 'short'] as const;
export const oppositeReactions = ['hold', 'exit', 'reverse'] as const;
export const sizingModes = ['fixed', 'risk'] as const;

export interface StrategyField {
  title: string;
  min: number;
  max: number;
  /** `min` itself is rejected. */
  isOpen?: boolean;
  isInteger?: boolean;
  default: number;
  text: string;
}

/** Every number of a strategy. Fractions: 0.02 is 2 %. */
export const strategyFields = {
  entryThreshold: {
    title: 'Entry threshold',
    min: 0,
    max: 1,
    isOpen: true,
    default: preset.ENTRY_THRESHOLD,
    text: 'Least absolute score that is a signal.',
  },
  stopFraction: {
    title: 'Stop',
    min: 0.001,
    max: 0.5,
    default: preset.STOP_FRACTION,
    text: 'Distance of the stop from the fill, a fraction.',
  },
  targetFraction: {
    title: 'Target',
    min: 0.001,
    max: 0.5,
    default: preset.TARGET_FRACTION,
    text: 'Distance of the target from the fill, a fraction.',
  },
  stopMultiple: {
    title: 'Stop',
    min: 0.1,
    max: 100,
    default: 2,
    text: 'Distance of the stop in average true ranges of the deciding candle.',
  },
  targetMultiple: {
    title: 'Target',
    min: 0.1,
    max: 100,
    default: 4,
    text: 'Distance of the target in average true ranges of the deciding candle.',
  },
  atrPeriod: {
    title: 'ATR period',
    min: 1,
    max: 1000,
    isInteger: true,
    default: preset.ATR_PERIOD,
    text: 'Candles of the average true range.',
  },
  callbackFraction: {
    title: 'Trailing distance',
    min: 0,
    max: 0.99,
    default: preset.CALLBACK_FRACTION,
    text: 'Distance of the trailing stop from the best price, a fraction.',
  },
  stepFraction: {
    title: 'Trailing step',
    min: 0,
    max: 1,
    default: preset.STEP_FRACTION,
    text: 'The stop moves only by this fraction of the entry or more.',
  },
  trailingMultiple: {
    title: 'Trailing distance',
    min: 0.1,
    max: 100,
    default: preset.TRAILING_MULTIPLE,
    text: 'Distance of the trailing stop in average true ranges of the completed candle.',
  },
  activationFraction: {
    title: 'Trailing from a gain of',
    min: 0,
    max: 10,
    default: 0,
    text: 'Gain that starts the trailing, a fraction of the entry.',
  },
  breakEvenR: {
    title: 'Break-even after',
    min: 0,
    max: 100,
    default: 0,
    text: 'The stop moves to the entry after a gain of so many times the distance of the first stop; 0: never.',
  },
  holdingBarsMax: {
    title: 'Longest hold, candles',
    min: 0,
    max: 1_000_000,
    isInteger: true,
    default: 0,
    text: 'A position leaves at the open that follows so many candles; 0: no limit.',
  },
  riskFraction: {
    title: 'Risk per trade',
    min: 0,
    max: 0.5,
    isOpen: true,
    default: 0.01,
    text: 'Part of the balance that a trade may lose at its stop, costs included.',
  },
} as const satisfies Record<string, StrategyField>;

/** Largest weight of a vote, either sign. */
export const STRATEGY_WEIGHT_MAX = 5;
export const STRATEGY_INTERVALS_MAX = 4;
/** A longer interval beside the base has half the weight. */
export const CONTEXT_WEIGHT = 0.5;

/** Exits of a live signal: stop two and target four average true ranges away, sized by the risk. */
export const liveExits: StrategyExits = {
  direction: 'both',
  stop: { mode: 'atr', multiple: strategyFields.stopMultiple.default },
  target: { mode: 'atr', multiple: strategyFields.targetMultiple.default },
  atrPeriod: strategyFields.atrPeriod.default,
  trailing: {
    mode: 'off',
    callbackFraction: strategyFields.callbackFraction.default,
    stepFraction: strategyFields.stepFraction.default,
    atrMultiple: strategyFields.trailingMultiple.default,
    activationFraction: 0,
  },
  breakEvenR: 0,
  onOpposite: 'hold',
  holdingBarsMax: 0,
  sizing: { mode: 'risk', riskFraction: strategyFields.riskFraction.default, isCompounding: false },
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
    entryThreshold: strategyFields.entryThreshold.default,
  };
}
