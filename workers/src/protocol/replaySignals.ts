import type { Interval } from '../core/wilson.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { EnsembleInput, EnsembleTimeframe, RuleInputs } from './ensemble.ts';

/** Contracts of the tasks that replay rules over stored candles, point in time. docs/signals.md#replay. */

export interface ReplaySignalsInput {
  /** The base first, then its longer intervals; closed candles, oldest first. */
  timeframes: EnsembleTimeframe[];
  /** Those of live signals. News has no say: its publishing time cannot be trusted in hindsight. */
  rules: Omit<EnsembleInput, 'timeframes' | 'news' | 'ruleInputs' | 'ownRules' | 'calibration'>;
  /** Index of the first base candle with a signal: as many candles before it as a live signal has. */
  fromIndex: number;
  /** UTC days, epoch ms, on which the universe had the symbol; absent: on all. */
  universeDays?: Float64Array;
  /** The contract ended after the last candle: what is open then is settled at its close. */
  hasEnded?: boolean;
}

/** Limits of the replay of a saved strategy. */
export const replayLimits = {
  /** Symbols of each past day, those with the largest turnover. */
  daySymbols: 50,
  /** Symbols of all days: those with the largest turnover over the replayed time. */
  symbols: 150,
  /** Candles of the base interval with a signal; as many as a signal reads come before them. */
  candles: 1000,
};

/** A saved strategy in place of Live rules: each signal ends by the strategy's own exits. */
export interface ReplayStrategyInput extends Omit<ReplaySignalsInput, 'rules'> {
  strategy: Strategy;
  version: string;
  ruleInputs?: RuleInputs;
}

/** Columns of replayed signals, one value for each signal, oldest first. Also the order in which they are stored. */
export const replayedFields = [
  'closeAtMs',
  /** 1 LONG, -1 SHORT. */
  'side',
  'rawConfidence',
  'price',
  'stopLoss',
  'takeProfit',
  'horizonMinutes',
  /** One of `endings`. */
  'ending',
  /** Open of the exit candle, epoch ms. */
  'exitAtMs',
  /** Result after fees, fraction of the entry price. */
  'netFraction',
  /** 1: stop and target in one candle, counted as stop. */
  'isAmbiguous',
] as const;

export type ReplayedColumns = Record<(typeof replayedFields)[number], Float64Array>;

/** Values of the column `ending`. `SIGNAL`: closed by a signal of its strategy. */
export const endings = ['TP', 'SL', 'TIME', 'DELISTED', 'SIGNAL'] as const;

export interface ReplaySignalsResult {
  /** Signals with an outcome whose whole time is over at the last candle. */
  signals: ReplayedColumns;
  /** Signals whose time is not over, or for which a candle is missing. */
  openCount: number;
  engineHash: string;
}

export interface ReplayedSeries {
  symbol: string;
  interval: string;
  signals: ReplayedColumns;
}

export interface ReplayReportInput {
  series: ReplayedSeries[];
  /** Signals without an outcome, of all series. */
  openCount: number;
  /** Symbols whose contracts have ended. */
  endedSymbols: string[];
}

/** What a record of the surviving symbols alone would hide. */
export interface SurvivorBias {
  /** Ended symbols with outcomes. */
  endedCount: number;
  /** Mean result of the symbols that are still listed minus that of all, fractions of the entry price; null without either. */
  meanNet: number | null;
}

/** Mean result after fees with a 95 % interval, fractions of the entry price; null without outcomes. */
export interface MeanResult {
  mean: number | null;
  /** By blocks of days (signals/meanOutcome.ts): outcomes open at the same time are one draw. Null where those are too few. */
  interval: Interval | null;
}

/** Chances of one interval from replayed outcomes, as calibration.ts makes them. */
export interface ReplayedChances {
  interval: string;
  /** Independent outcomes (clusters.ts). */
  count: number;
  baseRate: number | null;
  points: { raw: number; chance: number }[];
  meanWinStops: number | null;
  meanLossStops: number | null;
  /** Closes of the oldest and the newest signal, epoch ms; null without any. */
  fromMs: number | null;
  toMs: number | null;
  /** Mean result of the independent outcomes. */
  net: MeanResult;
}

export interface ReplayGroup extends MeanResult {
  by: 'interval' | 'direction' | 'hour';
  /** `15m`, `LONG`, or the UTC hour of the close: `00` to `23`. */
  key: string;
  count: number;
  independentCount: number;
  wonCount: number;
  hitInterval: Interval | null;
}

/** Forecasts of similar confidence. */
export interface ReliabilityBin {
  /** Confidences with `from <= confidence < to`; the last bin includes 1. */
  from: number;
  to: number;
  count: number;
  wonCount: number;
  /** Null in an empty bin. */
  meanConfidence: number | null;
  winRate: number | null;
  /** 95 %, Wilson, based on the number of independent bets in the bin. */
  interval: Interval | null;
}

/** Agreement of stated confidences with outcomes; definitions in docs/performance.md. */
export interface Reliability {
  count: number;
  /** Mean squared difference of confidence and outcome: 0 is perfect. Null without forecasts. */
  brier: number | null;
  /** Brier score of always stating the overall win rate: the benchmark of a forecast. */
  brierOfBaseRate: number | null;
  /** Mean negative natural logarithm of the chance stated for the outcome: 0 is perfect, ln 2 is always stating one half. */
  logLoss: number | null;
  /** Log loss of always stating the overall win rate. */
  logLossOfBaseRate: number | null;
  /** Mean distance of bins from the diagonal, weighted by count. */
  ece: number | null;
  bins: ReliabilityBin[];
}

export interface ReplayReport {
  count: number;
  openCount: number;
  independentCount: number;
  wonCount: number;
  hitInterval: Interval | null;
  /** Stored reports of earlier versions have fewer. */
  endings: Record<'TP' | 'SL' | 'TIME', number> & { DELISTED?: number; SIGNAL?: number };
  ambiguousCount: number;
  totalNetFraction: number;
  /** Reliability on the newest outcomes, by chances fitted to the outcomes known before the first of them (REPLAY_FIT_SHARE). */
  reliability: Reliability;
  chances: ReplayedChances[];
  groups: ReplayGroup[];
  survivorBias: SurvivorBias;
}
