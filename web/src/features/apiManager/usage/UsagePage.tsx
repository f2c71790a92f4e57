import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { CALL_RETENTION_DAYS, CALLS_SHOWN, type KeyMode, keyModes } from '@sextant/workers/src/core/apiAccess.ts';
import { FileDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  type CallFilters,
  callsFileUrl,
  useApiCalls,
  useApiKeys,
  useApiUsage,
  useCalledRoutes,
} from '../../../data/apiAccess.ts';
import type { ApiUsage } from '../../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { timeLabel } from '../../../charts/timeAxis.ts';
import { useStore } from '../../../state/store.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { CallTable } from '../../shared/apiAccess/CallTable.tsx';
import { keyModeNames } from '../../shared/apiAccess/KeyModeBadge.tsx';
import { Field } from '../../../ui/Field.tsx';
import { late } from '../../../ui/late.tsx';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';

const barPairs = late(async () => (await import('../../../charts/BarPairs.tsx')).BarPairs, <div className="h-50" />);

/** Use of the keys in the last 24 hours, measured by the server, and each call of the last 30 days. */
export function UsagePage() {
  const [mode, setMode] = useState<KeyMode>('live');
  const usage = useApiUsage(true, mode);
  return (
    <>
      <Panel
        title="Last 24 hours"
        aside={
          <Segments
            label="Key type"
            options={keyModes}
            value={mode}
            nameOf={(each) => keyModeNames[each]}
            onSelect={setMode}
            isSmall
            isFitted
          />
        }
      >
        <Loaded response={usage} failure="Could not load the figures." rows={6}>
          {(data) => <Figures usage={data} />}
        </Loaded>
      </Panel>
      <CallsPanel />
    </>
  );
}

const milliseconds = (value: number | null): string => (value === null ? NO_VALUE : `${formatFixed(value, 1)} ms`);

function Figures({ usage }: { usage: ApiUsage }) {
  if (usage.total === 0) return <EmptyState text="No usage data available for the last 24 hours." />;
  const figures: [string, string][] = [
    ['Requests', formatCount(usage.total)],
    ['Success rate', formatPercent(usage.success_rate)],
    ['Median', milliseconds(usage.p50_ms)],
    ['95th percentile', milliseconds(usage.p95_ms)],
    ['99th percentile', milliseconds(usage.p99_ms)],
    ['Credits', formatCount(usage.credits)],
  ];
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="text-page font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <HourChart items={usage.items} />
    </div>
  );
}

/** Every fourth hour is named: 25 labels do not fit a phone. */
const labelStep = 4;

function HourChart({ items }: { items: ApiUsage['items'] }) {
  const { zone } = useStore(timeZoneState);
  const { labels, succeeded, failed } = useMemo(
    () => ({
      labels: items.map(({ at }, hour) => (hour % labelStep === 0 ? timeLabel(Date.parse(at), HOUR_MS, zone) : '')),
      succeeded: { name: 'Succeeded', colour: 'accent' as const, values: items.map(({ ok }) => ok) },
      failed: { name: 'Failed', colour: 'warn' as const, values: items.map(({ ok, total }) => total - ok) },
    }),
    [items, zone],
  );
  return (
    <barPairs.View label="Requests per hour in the last 24 hours" labels={labels} left={succeeded} right={failed} />
  );
}

const CALLS_MORE = 200;
const statuses = { '2xx': 'Succeeded', '4xx': 'Rejected (4xx)', '429': 'Over the limit (429)', '5xx': 'Failed (5xx)' };

/** Calls filtered by key, route and status, also as a CSV download. */
function CallsPanel() {
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
      <Loaded response={calls} failure="Could not load the calls." rows={6}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              text={
                isNarrowed
                  ? 'No calls match these filters.'
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
          Newest {limit} calls; stored for {CALL_RETENTION_DAYS} days.
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
