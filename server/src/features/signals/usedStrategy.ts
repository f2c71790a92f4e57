import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import type { UserTx } from '../../platform/db/scope.ts';

/** The saved strategy that scans and automatic opening trade; undefined: the built-in rules. */
export async function usedStrategyOf(tx: UserTx): Promise<ChosenStrategy | undefined> {
  const row = await tx
    .selectFrom('strategies')
    .select(['id', 'name', 'version', 'value'])
    .where('is_used', '=', true)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...row, value: row.value as Strategy };
}
