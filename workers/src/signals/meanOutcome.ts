import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { clusteredMean, clusteredShare } from '../core/clusteredMean.ts';
import type { Interval } from '../core/wilson.ts';
import type { MeanResult } from '../protocol/replaySignals.ts';

/** Length of a block in longest holds. Blocks of one hold miss a third of what overlapping outcomes share, of two a sixth. */
const BLOCK_HOLDS = 2;

/** When an outcome was open, epoch ms: from the close of its candle to its end. */
export interface Held {
  closeAtMs: number;
  exitAtMs: number;
}

/** Fields of an outcome whose mean is estimated. */
export interface MeanOutcome extends Held {
  netFraction: number;
}

/**
 * Mean of outcomes and its 95 % interval. Outcomes that are open at the same time share the moves of the market, across symbols and from
 * one day to the next: those of a block are one draw. No interval below two blocks with outcomes.
 */
export function meanOf(outcomes: readonly MeanOutcome[]): MeanResult {
  const blockOf = blocksOf(outcomes);
  const { mean, interval } = clusteredMean(
    outcomes.map((outcome) => ({ cluster: blockOf(outcome), value: outcome.netFraction })),
  );
  return { mean, interval };
}

/** 95 % interval of the share of outcomes that gained, of the same blocks. Null without outcomes. */
export function gainedInterval(outcomes: readonly MeanOutcome[]): Interval | null {
  const blockOf = blocksOf(outcomes);
  return clusteredShare(outcomes.map((outcome) => ({ cluster: blockOf(outcome), isHit: outcome.netFraction > 0 })));
}

const dayOf = ({ closeAtMs }: Held): number => Math.floor(closeAtMs / DAY_MS);

/**
 * The block of each outcome: the span in equal parts of whole UTC days, each at least a day and twice the longest hold. The first and the
 * last one are as long as the others.
 */
export function blocksOf(outcomes: readonly Held[]): (outcome: Held) => number {
  let firstDay = Infinity;
  let lastDay = -Infinity;
  let longestMs = 0;
  for (const outcome of outcomes) {
    firstDay = Math.min(firstDay, dayOf(outcome));
    lastDay = Math.max(lastDay, dayOf(outcome));
    longestMs = Math.max(longestMs, outcome.exitAtMs - outcome.closeAtMs);
  }
  const spanDays = lastDay - firstDay + 1;
  const leastDays = Math.max(1, Math.ceil((BLOCK_HOLDS * longestMs) / DAY_MS));
  const blocks = Math.max(1, Math.floor(spanDays / leastDays));
  return (outcome) => Math.floor(((dayOf(outcome) - firstDay) * blocks) / spanDays);
}
