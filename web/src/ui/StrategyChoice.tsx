import { applyStrategy, useStrategies, useStrategyChange } from '../data/strategies.ts';
import { toast } from '../state/toasts.ts';
import { Field } from './Field.tsx';

const LIVE = '';

/** The strategy of scans and automatic opening: the built-in Live rules, or a saved one. */
export function StrategyChoice() {
  const list = useStrategies();
  const choose = useStrategyChange(applyStrategy, 'The rules were not chosen');
  if (list.data === undefined && list.error !== null) return null;
  // The field is there while loading, so that the buttons below do not move.
  const strategies = list.data?.strategies ?? [];
  const chosen = strategies.find((each) => each.is_used);
  return (
    <Field label="Scans and Auto trade" hint="Applies to new positions only.">
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={chosen?.id ?? LIVE}
          disabled={list.data === undefined || choose.isPending}
          onChange={(event) => {
            const next = strategies.find((each) => each.id === event.target.value);
            choose.mutate(next === undefined ? { id: null } : { id: next.id, version: next.version }, {
              onSuccess: (response) => toast(`Scans and Auto trade ${response.used.name}`, 'success'),
            });
          }}
        >
          <option value={LIVE}>{list.data === undefined ? 'Loading' : 'Live rules'}</option>
          {strategies.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
