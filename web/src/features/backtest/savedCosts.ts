import { draft, type Run } from './backtestState.ts';
import { type EditableCosts, startCosts } from './costs.ts';

const COST = 'cost.';

/** The costs of the form as flat metrics: the saved state has no field for them. */
export function costsOf(costs: Run['costs']): Record<string, number | string> {
  const keys = Object.keys(startCosts()) as (keyof EditableCosts)[];
  return Object.fromEntries(keys.map((key) => [`${COST}${key}`, costs[key] ?? startCosts()[key]]));
}

/** Restores saved costs; costs missing in older states stay unchanged. */
export function restoreCosts(metrics: Record<string, unknown>): void {
  const start = startCosts();
  for (const [key, usual] of Object.entries(start)) {
    const saved = metrics[`${COST}${key}`];
    if (typeof saved === typeof usual) Object.assign(draft.costs, { [key]: saved });
  }
}
