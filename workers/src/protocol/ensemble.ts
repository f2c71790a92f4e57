import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import type { Candles, Costs, MarkPrices } from './backtest.ts';

/** One interval of a symbol. The first of a request is the base: its last closed candle is the moment of the signal. */
export interface EnsembleTimeframe {
  /** Name in the result, e.g. `15m`. */
  interval: string;
  /** Length of a candle, epoch ms. */
  stepMs: number;
  candles: Candles;
  /** 0..10 in tenths; 0 shows the interval but does not count it. */
  weight: number;
}

export interface LevelRules {
  /** Which pair sets the risk label and the horizon. */
  mode: 'atr' | 'fraction';
  /** Distances in ATR(14) of the base interval. */
  stopAtr: number;
  targetAtr: number;
  /** Distances as a fraction of the price. */
  stopFraction: number;
  targetFraction: number;
  /** Mode `atr`: this level is a fraction nevertheless. */
  fixed?: 'stop' | 'target';
  /** No levels without an average true range; otherwise those by fraction stand in. */
  isStrict?: boolean;
}

export interface EnsembleInput {
  timeframes: EnsembleTimeframe[];
  /**
   * Weight of each vote by id (engine-as/abi/liveWeights.ts), -5..5 in steps of 1/200; a negative one inverts the vote, 0 or none leaves it
   * out.
   */
  weights: Record<string, number>;
  /** Parameters of the votes by id; the registry's defaults when absent. */
  parameters?: VoteParameters | undefined;
  /** Factor on a weight by vote id, 0..5 in steps of 0.05; 1 when absent. */
  tuning?: Record<string, number>;
  /** The outside vote on this moment; without it the weight of `news` does not count. */
  news?: -1 | 0 | 1;
  /** Least |score| that gives a direction, 0 < x <= 1. */
  threshold: number;
  levels: LevelRules;
  /** Raw and calibrated confidence, both ascending; identity while there is no evidence. */
  calibration?: [raw: number, calibrated: number][];
  /** Candles of the base interval over which agreement between votes is measured; 500 when absent. */
  redundancyCount?: number;
  /** Candles of the average true range; 14 when absent. */
  atrPeriod?: number;
  /** Version of the saved strategy; part of the hash of the parameters. */
  version?: string;
  /** Own rules (docs/rules.md) decide instead of the votes; intervals are those of their strategy, the base first. */
  ownRules?: Pick<Strategy, 'intervals'> & { rules: string };
  /** Series that own rules read beside the candles of the base. */
  ruleInputs?: RuleInputs;
}

export interface RuleInputs {
  /** Settlements of the base's time, those at the last close included. */
  funding?: Pick<NonNullable<Costs['funding']>, 'time' | 'rate'>;
  /** Mark prices of the base's candles. */
  markPrices?: MarkPrices;
}

export type RiskLabel = 'LOW' | 'STANDARD' | 'HIGH' | 'EXTREME';

export interface EnsembleLevels {
  stopLossPrice: number;
  takeProfitPrice: number;
}

export interface EnsembleContribution {
  vote: string;
  interval: string;
  /** -1, 0 or 1. */
  opinion: number;
  isLive: boolean;
  /** Its part of the score: the parts of one result sum to the score exactly, as integers over `denominator`. */
  numerator: number;
  contribution: number;
}

export interface EnsembleResult {
  /** Open of the base candle the signal stands on, epoch ms, and its close. */
  timeMs: number;
  price: number;
  /** -1..1. */
  score: number;
  numerator: number;
  denominator: number;
  direction: 'LONG' | 'SHORT' | 'NEUTRAL';
  /** 1 - (1 - |score|)^2; not a probability. */
  rawConfidence: number;
  /** After the calibration map. */
  confidence: number;
  contributions: EnsembleContribution[];
  /** Score of each interval alone at this moment, and the open of its candle. */
  timeframes: { interval: string; weight: number; score: number; timeMs: number }[];
  liveVoteCount: number;
  /** How many independent votes the base interval's weighted ones amount to. */
  effectiveVoteCount: number;
  /** Null when the direction is NEUTRAL; ATR levels also when there are too few candles for an ATR. */
  atrLevels: EnsembleLevels | null;
  fractionLevels: EnsembleLevels | null;
  /** The levels that the rules select. */
  levels: EnsembleLevels | null;
  /** Whether own rules leave a position of the side at the next open. */
  exits?: Record<'long' | 'short', boolean>;
  /** NaN when there are too few candles for one. */
  atr: number;
  riskLabel: RiskLabel;
  /** Expected minutes until stop or target; null in a market that does not move. */
  horizonMinutes: number | null;
  /** Score of every base candle without news; NaN before every weighted vote is defined. Of own rules -1, 0 or 1, never NaN. */
  scores: Float64Array;
}
