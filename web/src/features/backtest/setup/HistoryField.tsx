import { useSnapshot } from 'valtio';
import { formatCount } from '../../../format/number.ts';
import { Field } from '../../../ui/Field.tsx';
import { type Definition, DefinedTerm } from '../../../ui/Hint.tsx';
import { draft, historyCounts, LOADED_COUNT } from '../backtestState.ts';

const definition: Definition = {
  name: 'History',
  meaning:
    'How many closed candles are loaded. A long history is fetched in pages, kept in this browser, and can be run again without a network. Five of twelve parts are scored, as in the standard one.',
};

/** Longer histories than the standard one, for whoever wants them. */
export function HistoryField({ onChange }: { onChange: () => void }) {
  const { historyCount } = useSnapshot(draft);
  return (
    <Field label={<DefinedTerm definition={definition} />}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={historyCount}
          onChange={(event) => {
            draft.historyCount = Number(event.target.value);
            onChange();
          }}
        >
          {historyCounts.map((count) => (
            <option key={count} value={count}>
              {formatCount(count)} candles{count === LOADED_COUNT ? ', standard' : ''}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
