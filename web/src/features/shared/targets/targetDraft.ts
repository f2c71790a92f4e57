import { TARGETS_MAX } from '@sextant/workers/src/core/limits.ts';
import { roundTarget } from '@sextant/workers/src/positions/changedLevels.ts';

/** A target as it is typed. Where its price may be empty, `Price` has null. */
export interface TargetDraft<Price extends number | null = number> {
  price: Price;
  /** Percent of the position. The last target closes what is left. */
  sharePct: number;
}

type Shares = readonly Pick<TargetDraft, 'sharePct'>[];

/** Shares as they are sent: the last target takes what the others leave. Percent. */
export function sharesOf(targets: Shares): number[] {
  const before = targets.slice(0, -1).map(({ sharePct }) => sharePct);
  return targets.length === 0 ? [] : [...before, 100 - before.reduce((sum, share) => sum + share, 0)];
}

/** Why the shares cannot be sent; null when they can. */
export const sharesProblem = (targets: Shares): string | null =>
  sharesOf(targets).every((share) => share > 0)
    ? null
    : 'Lower the shares: together they must leave some for the last target.';

/** Percent to six decimals: the noise of a sum of fractions is no share. */
const toPct = (fraction: number): number => Math.round(fraction * 1e8) / 1e6;

/** Stored targets as a draft. */
export const draftTargets = (targets: readonly { price: number; fraction: number }[]): TargetDraft[] =>
  targets.map(({ price, fraction }) => ({ price, sharePct: toPct(fraction) }));

/** A draft as the calls take it: nearest first, shares that sum to 1. */
export function targetsBody(
  targets: readonly TargetDraft[],
  side: 'LONG' | 'SHORT',
): { price: number; fraction: number }[] {
  const shares = sharesOf(targets);
  const sign = side === 'LONG' ? 1 : -1;
  return targets
    .map(({ price }, at) => ({ price, fraction: (shares[at] ?? 0) / 100 }))
    .sort((a, b) => sign * (a.price - b.price));
}

/** The targets with one more at `price`, at equal shares; null when there are as many as there may be. */
export function withTarget<Price extends number | null>(
  targets: readonly TargetDraft<Price>[],
  price: Price,
): TargetDraft<Price>[] | null {
  const count = targets.length + 1;
  if (count > TARGETS_MAX) return null;
  const share = Math.floor(100 / count);
  return [...targets, { price, sharePct: 0 }].map((target, at) => ({
    ...target,
    sharePct: at === count - 1 ? 100 - share * (count - 1) : share,
  }));
}

/**
 * The targets with one more, as far beyond the last one as that is from the one before; null when none can be added.
 * @param entry null: unknown
 */
export function withFurtherTarget(
  targets: readonly TargetDraft[],
  { side, entry, tickSize }: { side: 'LONG' | 'SHORT'; entry: number | null; tickSize: number },
): TargetDraft[] | null {
  const last = targets.at(-1)?.price;
  if (last === undefined || entry === null) return null;
  const before = targets.at(-2)?.price ?? entry;
  return withTarget(targets, roundTarget(side, last + (last - before), tickSize));
}
