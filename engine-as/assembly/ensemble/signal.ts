import * as abi from '../../abi/ensemble';
import { at, put } from '../series';

/** Ratio of a candle's expected range to its deviation, for a random walk: sqrt(8 / pi). */
const RANGE_PER_DEVIATION: f64 = 1.5957691216057308;

/** Direction, confidence, levels, risk and horizon of one score. Layout: abi/ensemble.ts; meaning: docs/ensemble.md. */
export function signal(
  score: f64,
  price: f64,
  atr: f64,
  options: usize,
  calibration: usize,
  calibrationCount: i32,
  out: usize,
): void {
  const threshold = at(options, abi.OPTION_THRESHOLD);
  const direction: f64 = score >= threshold ? 1 : score <= -threshold ? -1 : 0;
  const raw = rawConfidence(score);
  put(out, abi.SIGNAL_DIRECTION, direction);
  put(out, abi.SIGNAL_RAW_CONFIDENCE, raw);
  put(out, abi.SIGNAL_CONFIDENCE, calibrated(raw, calibration, calibrationCount));

  const atrStop = at(options, abi.OPTION_STOP_ATR) * atr;
  const atrTarget = at(options, abi.OPTION_TARGET_ATR) * atr;
  const stop = at(options, abi.OPTION_STOP_FRACTION) * price;
  const target = at(options, abi.OPTION_TARGET_FRACTION) * price;
  const isOpen = direction !== 0;
  put(out, abi.SIGNAL_ATR_STOP, isOpen ? price - direction * atrStop : NaN);
  put(out, abi.SIGNAL_ATR_TARGET, isOpen ? price + direction * atrTarget : NaN);
  put(out, abi.SIGNAL_FRACTION_STOP, isOpen ? price - direction * stop : NaN);
  put(out, abi.SIGNAL_FRACTION_TARGET, isOpen ? price + direction * target : NaN);

  const isByFraction = at(options, abi.OPTION_LEVEL_MODE) !== 0;
  const stopDistance = isByFraction ? stop : atrStop;
  const targetDistance = isByFraction ? target : atrTarget;
  put(out, abi.SIGNAL_RISK, riskOf(stopDistance / price));
  const minutes = at(options, abi.OPTION_STEP_MINUTES);
  put(out, abi.SIGNAL_HORIZON_MINUTES, minutes * candlesToExit(stopDistance, targetDistance, atr));
}

/** 1 - (1 - |score|)^2: 0 at 0, 1 at 1, rising all the way, steepest where most scores are. Not a probability. */
function rawConfidence(score: f64): f64 {
  const rest = 1.0 - min(abs(score), 1.0);
  return 1.0 - rest * rest;
}

/** Straight lines between the points, flat beyond them; without points the raw value itself. */
function calibrated(raw: f64, points: usize, count: i32): f64 {
  if (count === 0) return raw;
  if (raw <= at(points, 0)) return at(points, 1);
  for (let k = 1; k < count; k++) {
    const right = at(points, 2 * k);
    if (raw > right) continue;
    const left = at(points, 2 * k - 2);
    const bottom = at(points, 2 * k - 1);
    return right > left
      ? bottom + ((raw - left) / (right - left)) * (at(points, 2 * k + 1) - bottom)
      : at(points, 2 * k + 1);
  }
  return at(points, 2 * count - 1);
}

function riskOf(stopFraction: f64): f64 {
  if (stopFraction < abi.RISK_LOW_BELOW) return abi.RISK_LOW;
  if (stopFraction < abi.RISK_STANDARD_BELOW) return abi.RISK_STANDARD;
  return stopFraction < abi.RISK_HIGH_BELOW ? abi.RISK_HIGH : abi.RISK_EXTREME;
}

/**
 * Expected candles until a driftless walk meets its stop or its target: the product of both distances over the variance
 * of a candle, whose deviation is its range (ATR) / sqrt(8 / pi). At least one candle; NaN when the market does not move.
 */
function candlesToExit(stop: f64, target: f64, atr: f64): f64 {
  const deviation = atr / RANGE_PER_DEVIATION;
  const variance = deviation * deviation;
  return variance > 0 ? max((stop * target) / variance, 1.0) : NaN;
}
