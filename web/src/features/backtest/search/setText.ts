import type { NamedSet, OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { canonicalJson } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { paramsText } from '../params.ts';

/** The same text for the same set, of parameters or of rules. */
export const setText = ({ params, strategy }: NamedSet): string =>
  strategy === undefined ? paramsText(params) : canonicalJson(strategy);

/** Identifies a search, whatever candles it runs on. */
export function searchText({ params, rules, costs, space, ...input }: OptimizeInput): string {
  // Fundings belong to the candles, and a walk-forward tries no sets of the search.
  const { funding: _unused, ...ownCosts } = costs;
  const { scoredCount, samples, target, seed, trainOn, refine, guide } = input;
  const start = setText(rules === undefined ? { params } : { params, strategy: rules.strategy });
  return JSON.stringify([
    start,
    rules?.space ?? space,
    ownCosts,
    scoredCount,
    samples,
    target,
    seed,
    trainOn,
    refine,
    guide,
  ]);
}
