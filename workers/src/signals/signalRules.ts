import { choiceSettings, numberSettings } from '../core/settings.ts';
import { MAINTENANCE_MARGIN, STOP_SLIPPAGE, venueFees } from '@sextant/engine-as/abi/costs.ts';
import { liveWeights, tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { CONTEXT_WEIGHT, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { REDUNDANCY_CANDLES, signalCandles } from '@sextant/engine-as/abi/voteParameters.ts';
import { riskFractionOf, type RiskLevel, type SizingMode } from '../positions/sizing.ts';
import type { Candles } from '../protocol/backtest.ts';
import type { EnsembleTimeframe } from '../protocol/ensemble.ts';
import type { SignalSizing, SignalsInput } from '../protocol/signals.ts';

/**
 * The rules that create every live signal, for the server that creates one and the browser that recomputes it. docs/signals.md explains
 * them.
 */

/** Least |score| that is a direction. */
export const SIGNAL_THRESHOLD = runParameters.entryThreshold.default;
/** Listing age that a scan requires of a symbol. The longest warm-up of a vote (78 candles) on the longest interval (4 h) takes 13 days. */
export const LISTING_DAYS_MIN = 14;
/** In 24 hours: below this a market order of a usual size moves the price. */
export const TURNOVER_USDT_MIN = 1_000_000;
/** Entry and exit at such a spread cost as much as four taker fees. */
export const SPREAD_FRACTION_MAX = 0.002;
/** Stop two average true ranges away, target four; by percent where there is no average yet. */
const LEVELS = {
  mode: 'atr',
  stopAtr: runParameters.stopMultiple.default,
  targetAtr: runParameters.targetMultiple.default,
  stopFraction: runParameters.stopFraction.default,
  targetFraction: runParameters.targetFraction.default,
} as const;

export type TunableVote = (typeof tunableVotes)[number];
/** Steps of a tuning weight from 0 to 1. A weight is rounded by it: multiples of 0.05 itself are off in their last digit. */
export const TUNING_STEPS = 20;
export const tuningBounds = { min: 0.5, max: 1.5, step: 1 / TUNING_STEPS } as const;
/** A factor on the weight of each vote, within `tuningBounds`. */
export type TuningWeights = Record<TunableVote, number>;
export const neutralTuning = Object.fromEntries(tunableVotes.map((id) => [id, 1])) as TuningWeights;

export const rulesOf = (tuning: TuningWeights): SignalsInput['rules'] => ({
  weights: liveWeights,
  tuning,
  threshold: SIGNAL_THRESHOLD,
  levels: LEVELS,
  redundancyCount: REDUNDANCY_CANDLES,
});

/** Candles of one interval that a signal by Live rules is computed from, whatever their tuning. @param stepMs length of a candle */
export const liveSignalCandles = (stepMs: number): number => signalCandles({ weights: liveWeights }, stepMs);

/** A saved strategy as a scan carries it: the value it was when the scan was started. */
export interface ChosenStrategy {
  /** Id of the saved strategy; absent in scans and positions from before it was stored. */
  id?: string | undefined;
  name: string;
  version: string;
  value: Strategy;
}

/**
 * The rules by which a scan makes signals of a strategy: its votes with their parameters, or its own rules; threshold and levels. Its other
 * exits are the monitor's.
 */
export function rulesOfStrategy({ value, version }: Pick<ChosenStrategy, 'value' | 'version'>): SignalsInput['rules'] {
  const { weights, parameters, entryThreshold, stop, target, atrPeriod, rules, intervals } = value;
  const isByRange = stop.mode === 'atr' || target.mode === 'atr';
  return {
    weights,
    parameters,
    threshold: entryThreshold,
    levels: {
      mode: isByRange ? 'atr' : 'fraction',
      stopAtr: stop.mode === 'atr' ? stop.multiple : LEVELS.stopAtr,
      targetAtr: target.mode === 'atr' ? target.multiple : LEVELS.targetAtr,
      stopFraction: stop.mode === 'percent' ? stop.fraction : LEVELS.stopFraction,
      targetFraction: target.mode === 'percent' ? target.fraction : LEVELS.targetFraction,
      ...(isByRange && stop.mode === 'percent' ? { fixed: 'stop' as const } : {}),
      ...(isByRange && target.mode === 'percent' ? { fixed: 'target' as const } : {}),
      isStrict: true,
    },
    redundancyCount: REDUNDANCY_CANDLES,
    atrPeriod,
    version,
    ...(rules === undefined ? {} : { ownRules: { rules, intervals } }),
  };
}

/** The rules of a scan: those of the saved strategy it was started with, else Live rules with the tuning of its user. */
export const scanRulesOf = (params: {
  tuning: TuningWeights;
  strategy?: ChosenStrategy | undefined;
}): SignalsInput['rules'] =>
  params.strategy === undefined ? rulesOf(params.tuning) : rulesOfStrategy(params.strategy);

/** The base first, then each longer interval. @param stepMs length of a candle, epoch ms */
export function timeframesOf(
  series: readonly { interval: string; stepMs: number; candles: Candles }[],
  strategy?: Strategy,
): EnsembleTimeframe[] {
  const own = new Map<string, number>(strategy?.intervals.map(({ interval, weight }) => [interval, weight]));
  const sorted = [...series].sort((a, b) => a.stepMs - b.stepMs);
  return sorted.map(({ interval, stepMs, candles }, i) => ({
    interval,
    stepMs,
    candles,
    weight: own.get(interval) ?? (i === 0 ? 1 : CONTEXT_WEIGHT),
  }));
}

/** Costs and margin assumed for sizing when the venue's tier is unknown, fractions of the notional. */
export const SIZING_COSTS = {
  maintenanceMarginFraction: MAINTENANCE_MARGIN,
  takerFeeFraction: venueFees.binance.takerFeeFraction,
  stopSlippageFraction: STOP_SLIPPAGE,
} as const;

/** Sizing of a signal without an account: the defaults of the settings. */
export const standardSizing = {
  balance: numberSettings.balance_usdt.default,
  leverage: numberSettings.leverage.default,
  riskTolerance: choiceSettings.risk_tolerance.default,
  isDynamicRisk: false,
} as const satisfies SizingParams;

/** Sizing inputs of a signal's position, as a scan stores them. */
export interface SizingParams {
  balance: number;
  leverage: number;
  riskTolerance: RiskLevel;
  isDynamicRisk: boolean;
  /** Absent in scans of before there was a choice. */
  sizing?:
    | { mode: SizingMode; riskFraction: number; baseUsdt: number; freeUsdt: number; ownStopPct: number | null }
    | undefined;
}

/** The sizing of a signal: from the settings of the moment, else an account of `balance` without a position. */
export function signalSizing({ balance, leverage, riskTolerance, isDynamicRisk, sizing }: SizingParams): SignalSizing {
  const { takerFeeFraction, stopSlippageFraction, maintenanceMarginFraction } = SIZING_COSTS;
  const untraded = { results: [], lookback: 0, smoothing: 0, min: 0, max: 0 };
  return {
    mode: sizing?.mode ?? 'risk',
    balanceUsdt: balance,
    riskFraction: sizing?.riskFraction ?? riskFractionOf(riskTolerance, isDynamicRisk ? untraded : null),
    baseUsdt: sizing?.baseUsdt ?? balance,
    freeUsdt: sizing?.freeUsdt ?? balance,
    leverage,
    ownStopFraction: sizing?.ownStopPct == null ? null : sizing.ownStopPct / 100,
    takerFeeFraction,
    stopSlippageFraction,
    maintenanceMarginFraction,
  };
}
