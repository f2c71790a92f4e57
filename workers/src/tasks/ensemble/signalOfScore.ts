import * as abi from '@sextant/engine-as/abi/ensemble.ts';
import { KIND_ATR } from '@sextant/engine-as/abi/indicatorKinds.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EnsembleInput, EnsembleLevels, EnsembleResult } from '../../protocol/ensemble.ts';
import { expectOk, type PushedSeries } from './timeframes.ts';

const riskLabels = ['LOW', 'STANDARD', 'HIGH', 'EXTREME'] as const;

/** The average true range at the last candle; NaN when there are too few candles. */
export const lastAtr = (engine: Engine, series: Pick<PushedSeries, 'columnsAt' | 'count'>, candles: number): number =>
  atrSeries(engine, series, candles).at(-1) ?? Number.NaN;

/** The average true range at every candle. */
export function atrSeries(
  engine: Engine,
  { columnsAt, count }: Pick<PushedSeries, 'columnsAt' | 'count'>,
  candles: number,
): Float64Array {
  const out = engine.reserve(count);
  const period = engine.push(Float64Array.of(candles));
  expectOk(engine.raw.indicator(KIND_ATR, columnsAt, count, period, out, count, 0));
  return engine.pull(out, count);
}

/** Live rules fall back to levels by fraction; a saved strategy has the levels it selects, or none. */
function levelsOf(
  { mode, isStrict = false }: EnsembleInput['levels'],
  { atrLevels, fractionLevels }: Pick<EnsembleResult, 'atrLevels' | 'fractionLevels'>,
): EnsembleLevels | null {
  if (mode === 'fraction') return fractionLevels;
  return atrLevels ?? (isStrict ? null : fractionLevels);
}

/** Direction, confidence, levels and horizon of a score at a base candle that closed at `price`. */
export function signalOfScore(
  engine: Engine,
  { timeframes, threshold, levels, calibration = [] }: EnsembleInput,
  { score, atr, price }: { score: number; atr: number; price: number },
) {
  const base = timeframes[0];
  const options = new Float64Array(abi.OPTION_LENGTH);
  options[abi.OPTION_THRESHOLD] = threshold;
  options[abi.OPTION_STEP_MINUTES] = (base?.stepMs ?? 0) / 60_000;
  const ranges = (fraction: number): number => (fraction * price) / atr;
  options[abi.OPTION_STOP_ATR] = levels.fixed === 'stop' ? ranges(levels.stopFraction) : levels.stopAtr;
  options[abi.OPTION_TARGET_ATR] = levels.fixed === 'target' ? ranges(levels.targetFraction) : levels.targetAtr;
  options[abi.OPTION_STOP_FRACTION] = levels.stopFraction;
  options[abi.OPTION_TARGET_FRACTION] = levels.targetFraction;
  options[abi.OPTION_LEVEL_MODE] = levels.mode === 'atr' ? 0 : 1;
  const out = engine.reserve(abi.SIGNAL_LENGTH);
  const points = engine.push(Float64Array.from(calibration.flat()));
  engine.raw.signal(score, price, atr, engine.push(options), points, calibration.length, out);
  const signal = engine.pull(out, abi.SIGNAL_LENGTH);
  const value = (slot: number): number => signal[slot] ?? Number.NaN;
  const direction = value(abi.SIGNAL_DIRECTION);
  const horizon = value(abi.SIGNAL_HORIZON_MINUTES);
  const pair = (stop: number, target: number): EnsembleLevels | null =>
    Number.isNaN(value(stop)) ? null : { stopLossPrice: value(stop), takeProfitPrice: value(target) };
  const atrLevels = pair(abi.SIGNAL_ATR_STOP, abi.SIGNAL_ATR_TARGET);
  const fractionLevels = pair(abi.SIGNAL_FRACTION_STOP, abi.SIGNAL_FRACTION_TARGET);
  return {
    direction: direction > 0 ? ('LONG' as const) : direction < 0 ? ('SHORT' as const) : ('NEUTRAL' as const),
    rawConfidence: value(abi.SIGNAL_RAW_CONFIDENCE),
    confidence: value(abi.SIGNAL_CONFIDENCE),
    atrLevels,
    fractionLevels,
    levels: levelsOf(levels, { atrLevels, fractionLevels }),
    riskLabel: riskLabels[value(abi.SIGNAL_RISK)] ?? 'EXTREME',
    horizonMinutes: Number.isFinite(horizon) ? horizon : null,
  };
}
