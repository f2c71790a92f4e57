import { TIMEFRAME_COUNT_MAX, WEIGHT_UNITS } from '@sextant/engine-as/abi/ensemble.ts';
import { rejectParameters, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import type { Candles } from '../../protocol/backtest.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { EnsembleInput } from '../../protocol/ensemble.ts';
import { validateCandles } from '../validateCandles.ts';
import { ensembleVoteIds } from '../../core/ensembleVotes.ts';
import { ok } from '../../core/result.ts';

const fine: TaskResult<null> = ok(null);

/** @param known series that were checked before */
export function validateEnsemble(input: EnsembleInput, known?: ReadonlyMap<Candles, unknown>): TaskResult<null> {
  const checks = [
    () => validateTimeframes(input, known),
    () => validateSteps(input.weights, 'weights', { min: -5, max: 5, step: 1 / WEIGHT_UNITS }),
    () => validateSteps(input.tuning ?? {}, 'tuning', { min: 0, max: 5, step: 0.05 }),
    () => validateParameters(input.parameters, 'parameters'),
    () => within('threshold', input.threshold, Number.MIN_VALUE, 1),
    () => within('levels.stopAtr', input.levels.stopAtr, 0.01, 100),
    () => within('levels.targetAtr', input.levels.targetAtr, 0.01, 100),
    () => within('levels.stopFraction', input.levels.stopFraction, 0.0001, 0.99),
    () => within('levels.targetFraction', input.levels.targetFraction, 0.0001, 0.99),
    () => within('redundancyCount', input.redundancyCount ?? 500, 1, 100_000),
    () => validateCalibration(input.calibration ?? []),
    () => validateNews(input.news),
  ];
  for (const check of checks) {
    const result = check();
    if (!result.ok) return result;
  }
  return fine;
}

function validateTimeframes({ timeframes }: EnsembleInput, known?: ReadonlyMap<Candles, unknown>): TaskResult<null> {
  if (timeframes.length < 1 || timeframes.length > TIMEFRAME_COUNT_MAX) {
    return bad('timeframes', `holds ${timeframes.length}, needs 1 to ${TIMEFRAME_COUNT_MAX}`);
  }
  const seen = new Set<string>();
  for (const [t, { interval, stepMs, candles, weight }] of timeframes.entries()) {
    const field = `timeframes[${t}]`;
    if (seen.has(interval)) return bad(`${field}.interval`, `${interval} is there twice`);
    seen.add(interval);
    if (!(stepMs > 0) || !Number.isFinite(stepMs)) return bad(`${field}.stepMs`, `is ${stepMs}, must be above 0`);
    const weighed = validateSteps({ weight }, field, { min: 0, max: 10, step: 0.1 });
    if (!weighed.ok) return weighed;
    if (known?.has(candles) === true) continue;
    const valid = validateCandles(candles, 1, `${field}.candles`);
    if (!valid.ok) return valid;
  }
  return fine;
}

/** Known vote ids (or the field itself), min..max in whole steps. */
export function validateSteps(
  values: Record<string, number>,
  field: string,
  { min, max, step }: { min: number; max: number; step: number },
): TaskResult<null> {
  for (const [name, value] of Object.entries(values)) {
    const at = `${field}.${name}`;
    if (name !== 'weight' && !ensembleVoteIds.includes(name)) {
      return bad(at, `is not a vote: known are ${ensembleVoteIds.join(', ')}`);
    }
    const steps = value / step;
    const isStep = Math.abs(steps - Math.round(steps)) < 1e-6;
    if (!(value >= min && value <= max) || !isStep)
      return bad(at, `is ${value}, must be ${min} to ${max} in steps of ${step}`);
  }
  return fine;
}

/** Known parameters of known votes, within the bounds of the registry. */
export function validateParameters(parameters: VoteParameters | undefined, field: string): TaskResult<null> {
  const rejection = rejectParameters(parameters ?? {});
  return rejection === undefined ? fine : bad([field, ...rejection.path].join('.'), rejection.message);
}

function validateCalibration(points: readonly [number, number][]): TaskResult<null> {
  for (const [k, [raw, calibrated]] of points.entries()) {
    const before = points[k - 1];
    const isInside = [raw, calibrated].every((value) => value >= 0 && value <= 1);
    if (!isInside) return bad(`calibration[${k}]`, `is ${raw}, ${calibrated}: both must be 0 to 1`);
    if (before !== undefined && (raw <= before[0] || calibrated < before[1])) {
      return bad(`calibration[${k}]`, 'must rise: a higher raw confidence may not mean a lower one');
    }
  }
  return fine;
}

function validateNews(news: number | undefined): TaskResult<null> {
  return news === undefined || [-1, 0, 1].includes(news) ? fine : bad('news', `is ${news}, must be -1, 0 or 1`);
}

function within(field: string, value: number, min: number, max: number): TaskResult<null> {
  return value >= min && value <= max ? fine : bad(field, `is ${value}, must be ${min} to ${max}`);
}

function bad(field: string, text: string): TaskResult<never> {
  return fail('bad_input', `${field} ${text}`, field);
}
