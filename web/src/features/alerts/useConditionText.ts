import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { conditionText } from '@sextant/workers/src/alerts/describe.ts';
import { useStrategies } from '../../data/strategies.ts';

/** Conditions as text, with the name of the saved rules whose signal they wait for. */
export function useConditionText(): (condition: AlertCondition) => string {
  const strategies = useStrategies().data?.strategies ?? [];
  return (condition) => {
    const id = condition.kind === 'signal' ? condition.strategy_id : null;
    return conditionText(condition, strategies.find((each) => each.id === id)?.name);
  };
}
