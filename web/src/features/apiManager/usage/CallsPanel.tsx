import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { CALLS_KEPT_DAYS, CALLS_SHOWN, keyModes } from '@sextant/workers/src/apiAccess.ts';
import { type CallFilters, callsFileUrl, useApiCalls, useApiKeys, useCalledRoutes } from '../../../api/apiAccess.ts';
import { Field } from '../../../ui/Field.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { keyModeNames } from '../../../ui/apiAccess/KeyModeBadge.tsx';
import { CallTable } from '../../../ui/apiAccess/CallTable.tsx';

const CALLS_MORE = 200;
const statuses = { '2xx': 'Succeeded', '4xx': 'Refused (4xx)', '429': 'Over the limit (429)', '5xx': 'Failed (5xx)' };

/** Each call, by key, route and status; the same as a file. */
export function CallsPanel() {
  const keys = useApiKeys();
  const routes = useCalledRoutes().data ?? [];
  const [filters, setFilters] = useState<CallFilters>({});
  const [limit, setLimit] = useState(CALLS_SHOWN);
  const calls = useApiCalls(filters, limit);
  const choose = (name: keyof CallFilters) => (value: string) =>
    setFilters(({ [name]: _before, ...rest }) => (value === '' ? rest : { ...rest, [name]: value }));
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <Panel
      title="Calls"
      bodyClassName=""
      aside={
        <a href={callsFileUrl(filters)} download className="btn btn-small">
          <FileDown size={14} aria-hidden="true" /> CSV
        </a>
      }
    >
      <div className="grid grid-cols-4 gap-3 border-b border-line p-3 max-md:grid-cols-1">
        <Choice
          label="Key"
          all="All keys"
          value={filters.key_id ?? ''}
          options={(keys.data ?? []).map(({ id, name, masked }) => [id, `${name} ${masked.slice(-5)}`])}
          onChoose={choose('key_id')}
        />
        <Choice
          label="Kind of key"
          all="Live and test"
          value={filters.mode ?? ''}
          options={keyModes.map((mode) => [mode, keyModeNames[mode]])}
          onChoose={choose('mode')}
        />
        <Choice
          label="Endpoint"
          all="All endpoints"
          value={filters.route ?? ''}
          options={routes.map((route) => [route, route])}
          onChoose={choose('route')}
        />
        <Choice
          label="Status"
          all="All"
          value={filters.status ?? ''}
          options={Object.entries(statuses)}
          onChoose={choose('status')}
        />
      </div>
      <Loaded answer={calls} failure="The calls could not be read." rows={6}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              text={
                isNarrowed
                  ? 'No call matches.'
                  : 'No API calls recorded yet. Make your first API request to see logs here.'
              }
            />
          ) : (
            <CallTable calls={items} />
          )
        }
      </Loaded>
      <div className="flex flex-wrap items-center justify-between gap-3 p-3 text-label text-muted">
        <span>
          The newest {limit}; kept for {CALLS_KEPT_DAYS} days.
        </span>
        {limit === CALLS_SHOWN && (calls.data?.length ?? 0) >= CALLS_SHOWN && (
          <button type="button" className="btn btn-small" onClick={() => setLimit(CALLS_MORE)}>
            Show {CALLS_MORE}
          </button>
        )}
      </div>
    </Panel>
  );
}

interface ChoiceProps {
  label: string;
  /** Name of the empty choice. */
  all: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, all, value, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} className="input" value={value} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{all}</option>
          {options.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
