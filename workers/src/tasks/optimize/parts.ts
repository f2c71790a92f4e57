import type { OptimizeResult } from '../../protocol/optimize.ts';

/** Samples of all parts that go into the last step: more than it can choose from. */
const LEADERS_MAX = 50;

/**
 * The best sample indices of all parts, best first; of equal values the earlier index comes first, as in one piece. When no sample met the
 * target's conditions it is the user's own set, which is not ranked either.
 */
export function bestOfParts(parts: readonly Pick<OptimizeResult, 'leaders'>[], most = LEADERS_MAX): number[] {
  const best = parts
    .flatMap(({ leaders }) => leaders)
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, most)
    .map(({ index }) => index);
  return best.length === 0 ? [0] : best;
}
