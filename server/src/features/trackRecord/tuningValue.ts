import { calibrated, type CalibrationPoint } from '@sextant/workers/src/signals/calibration.ts';
import { clusteredShare } from '@sextant/workers/src/core/clusteredMean.ts';
import {
  confidenceOf,
  directionOf,
  isExplained,
  scoreWith,
  type StoredVotes,
} from '@sextant/workers/src/signals/rescoring.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { firstOfEach } from '@sextant/workers/src/signals/clusters.ts';
import { blocksOf } from '@sextant/workers/src/signals/meanOutcome.ts';
import type { TuningHalfWire, TuningValueWire, VoteRecordWire } from './contract.ts';
import type { ResolvedSignal } from './performance.ts';
import { ENOUGH, valueOfVeto } from './veto.ts';

/** Effect of a user's weights on signals with known outcomes. Pure arithmetic; docs/performance.md has the rules. */

type Weights = Readonly<Record<string, number>>;

/** `[[interval, weight, {vote: opinion}], ...]`, as stored in the record; the base first. */
export type Opinions = [interval: string, weight: number, opinions: Record<string, number>][];

export interface VotedSignal extends ResolvedSignal {
  score: number;
  opinions: Opinions;
  /** The weights of its computation. */
  tuning: Weights;
  /** The map of its stated confidence; empty: its score. */
  points: readonly CalibrationPoint[];
}

export const votesOf = (opinions: Opinions): StoredVotes => ({
  timeframes: opinions.map(([interval, weight]) => ({ interval, weight })),
  contributions: opinions.flatMap(([interval, , said]) =>
    Object.entries(said).map(([vote, opinion]) => ({ vote, interval, opinion })),
  ),
});

export interface SavedTuning {
  weights: Weights;
  savedAt: Date;
  /** 0.1 to 1; null is off. */
  confidenceFloor: number | null;
}

/** Signals whose score is reproducible from stored data; one of each bet. */
export function usable(signals: readonly VotedSignal[]): { observed: VotedSignal[]; unexplained: number } {
  const explained = signals.filter(({ opinions, score, tuning }) =>
    isExplained({ ...votesOf(opinions), score }, tuning),
  );
  return { observed: firstOfEach(explained), unexplained: signals.length - explained.length };
}

/** A signal is in sample when its candle had closed before the weights were saved: its chart could be seen. */
export function valueOfTuning(
  { observed, unexplained }: ReturnType<typeof usable>,
  { weights, savedAt, confidenceFloor }: SavedTuning,
): TuningValueWire {
  const isBefore = ({ closeAtMs }: VotedSignal): boolean => closeAtMs <= savedAt.getTime();
  const half = (signals: VotedSignal[]): TuningHalfWire => halfOf(signals, weights, confidenceFloor ?? 0);
  return {
    saved_at: savedAt.toISOString(),
    confidence_floor: confidenceFloor,
    in_sample: half(observed.filter(isBefore)),
    out_of_sample: half(observed.filter((signal) => !isBefore(signal))),
    unexplained,
  };
}

function halfOf(signals: readonly VotedSignal[], weights: Weights, floor: number): TuningHalfWire {
  const judged = signals.map(({ opinions, direction, closeAtMs, exitAtMs, netFraction, score, points }) => {
    const after = scoreWith(votesOf(opinions), weights);
    const isSame = directionOf(after) === direction;
    const isWon = netFraction > 0 ? 1 : 0;
    // A score with the opposite sign has no confidence in this direction.
    const confidence = Math.sign(after) === Math.sign(score) ? calibrated(confidenceOf(after), points) : 0;
    return {
      closeAtMs,
      exitAtMs,
      netFraction,
      isPassed: isSame && confidence >= floor,
      isTurned: !isSame && directionOf(after) !== 'NEUTRAL',
      errorBefore: (calibrated(confidenceOf(score), points) - isWon) ** 2,
      errorAfter: (confidence - isWon) ** 2,
    };
  });
  const mean = (values: readonly number[]): number | null =>
    values.length < ENOUGH ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...valueOfVeto(judged),
    turned: judged.filter(({ isTurned }) => isTurned).length,
    brier_before: mean(judged.map(({ errorBefore }) => errorBefore)),
    brier_after: mean(judged.map(({ errorAfter }) => errorAfter)),
  };
}

/** Hit rate of each vote on a signal's own interval: agreeing with a gain, or opposing a loss. */
export function recordOfVotes(signals: readonly VotedSignal[]): VoteRecordWire[] {
  const blockOf = blocksOf(signals);
  return Object.keys(liveWeights).flatMap((vote) => {
    const spoken = signals.flatMap((signal) => {
      const opinion = signal.opinions[0]?.[2][vote] ?? 0;
      if (opinion === 0) return [];
      const isHit = (opinion > 0 === (signal.direction === 'LONG')) === signal.netFraction > 0;
      return [{ cluster: blockOf(signal), isHit }];
    });
    if (spoken.length === 0) return [];
    const rightCount = spoken.filter(({ isHit }) => isHit).length;
    const isEnough = spoken.length >= ENOUGH;
    return {
      vote,
      count: spoken.length,
      hit_rate: isEnough ? rightCount / spoken.length : null,
      hit_rate_interval: isEnough ? clusteredShare(spoken) : null,
    };
  });
}
