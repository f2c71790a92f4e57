import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { tQuantile } from '../core/tQuantile.ts';
import type { MeanResult } from '../protocol/replaySignals.ts';

/** Length of a block in longest holds. Blocks of one hold miss a third of what overlapping outcomes share, of two a sixth. */
const BLOCK_HOLDS = 2;

/** Fields of an outcome whose mean is estimated. */
export interface MeanOutcome {
  /** Close of its candle and its end, epoch ms. */
  closeAtMs: number;
  exitAtMs: number;
  netFraction: number;
}

/**
 * Mean of outcomes and its 95 % interval. Outcomes that are open at the same time share the moves of the market, across symbols and from
 * one day to the next. So the span is divided into equal blocks of whole UTC days, each at least a day and twice the longest hold, and
 * the errors of a block are summed: a block is one draw, and Student's t of their number gives the width (cluster-robust variance: Liang
 * and Zeger (1986), Biometrika 73:13). No interval below two blocks with outcomes.
 */
export function meanOf(outcomes: readonly MeanOutcome[]): MeanResult {
  const count = outcomes.length;
  if (count === 0) return { mean: null, interval: null };
  const mean = outcomes.reduce((sum, { netFraction }) => sum + netFraction, 0) / count;
  const blockOf = blocksOf(outcomes);
  const errors = new Map<number, number>();
  for (const outcome of outcomes) {
    const block = blockOf(outcome);
    errors.set(block, (errors.get(block) ?? 0) + outcome.netFraction - mean);
  }
  const blocks = errors.size;
  if (blocks < 2) return { mean, interval: null };
  const squares = [...errors.values()].reduce((sum, error) => sum + error * error, 0);
  const half = tQuantile(blocks - 1) * Math.sqrt((blocks / (blocks - 1)) * (squares / (count * count)));
  return { mean, interval: { low: mean - half, high: mean + half } };
}

const dayOf = ({ closeAtMs }: MeanOutcome): number => Math.floor(closeAtMs / DAY_MS);

/** The block of each outcome: the first and the last one are as long as the others. */
function blocksOf(outcomes: readonly MeanOutcome[]): (outcome: MeanOutcome) => number {
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
