import { confidenceOf, type Direction, directionOf, isExplained, scoreWith } from '@sextant/workers/src/rescoring.ts';
import type { TuningWeights } from '@sextant/workers/src/signalRules.ts';
import type { Scan, ScanSignal } from '../../api/types.ts';

export interface Rescored {
  signal: ScanSignal;
  /** -1 to 1. */
  score: number;
  direction: Direction;
  /** 0 to 1. */
  confidence: number;
}

export interface Rescoring {
  /** Largest change of confidence first. */
  changed: Rescored[];
  count: number;
  /** Results whose direction is another one, or none. */
  turned: number;
  /** Results that would fall below the floor, and those that would no longer. */
  belowFloor: number;
  /** Results whose own score could not be found again from what is stored; they are left out. */
  unexplained: number;
}

/** Every result of a scan under other weights, at once. @param floor 0.1 to 1, null is off */
export function rescore(
  results: readonly ScanSignal[],
  params: Scan['params'],
  tuning: TuningWeights,
  floor: number | null,
): Rescoring {
  const known = results.filter((signal) => isExplained(signal, params.tuning));
  const all = known.map((signal): Rescored => {
    const score = scoreWith(signal, tuning);
    return { signal, score, direction: directionOf(score), confidence: confidenceOf(score) };
  });
  const change = ({ signal, confidence }: Rescored): number => Math.abs(confidence - signal.raw_confidence);
  return {
    changed: all.filter((each) => each.score !== each.signal.score).sort((a, b) => change(b) - change(a)),
    count: all.length,
    turned: all.filter(({ signal, direction }) => direction !== signal.direction).length,
    belowFloor: all.filter(({ confidence }) => confidence < (floor ?? 0)).length,
    unexplained: results.length - known.length,
  };
}
