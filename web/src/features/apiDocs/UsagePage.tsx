import { useState } from 'react';
import { CALLS_SHOWN } from '@sextant/workers/src/apiAccess.ts';
import { useApiCalls, useApiUsage } from '../../api/apiAccess.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { CallTable } from '../../ui/apiAccess/CallTable.tsx';
import { EmptyState, Panel } from '../../ui/Panel.tsx';
import { CallList } from './CallList.tsx';
import { PlanLimits } from './PlanLimits.tsx';

/** Figures of 24 hours and the newest calls, read when they are asked for. */
export function UsagePage() {
  const [isWanted, setWanted] = useState(false);
  const usage = useApiUsage(isWanted);
  const calls = useApiCalls({}, CALLS_SHOWN, isWanted);
  const isReading = isWanted && (usage.isPending || calls.isPending);
  const load = (): void => {
    setWanted(true);
    if (isWanted) void Promise.all([usage.refetch(), calls.refetch()]);
  };
  return (
    <>
      <Panel
        title="Your calls"
        bodyClassName=""
        aside={
          isWanted && (
            <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'usage')}>
              Charts and filters
            </button>
          )
        }
      >
        <div className="flex flex-wrap items-center gap-x-8 gap-y-3 border-b border-line p-3">
          <button type="button" className="btn btn-primary" disabled={isReading} onClick={load}>
            {isReading ? 'Processing...' : 'Load Usage Logs'}
          </button>
          {isWanted && !isReading && <DayFigures usage={usage.isError ? undefined : usage.data} />}
        </div>
        {isWanted && !isReading && <Newest calls={calls.isError ? [] : (calls.data ?? [])} />}
      </Panel>
      <PlanLimits />
      <CallList page="usage" />
    </>
  );
}

function DayFigures({ usage }: { usage: ReturnType<typeof useApiUsage>['data'] }) {
  if (usage === undefined || usage.total === 0)
    return <p className="text-muted">No usage data available for the last 24 hours.</p>;
  const figures: [string, string][] = [
    ['Requests, 24 h', formatCount(usage.total)],
    ['Success rate', formatPercent(usage.success_rate)],
    ['Average time', usage.avg_ms === null ? NO_VALUE : `${formatFixed(usage.avg_ms, 1)} ms`],
    ['95 % below', usage.p95_ms === null ? NO_VALUE : `${formatFixed(usage.p95_ms, 1)} ms`],
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-label text-muted">{name}</dt>
          <dd className="text-section font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Newest({ calls }: { calls: Parameters<typeof CallTable>[0]['calls'] }) {
  if (calls.length === 0)
    return <EmptyState text="No API calls recorded yet. Make your first API request to see logs here." />;
  return <CallTable calls={calls} />;
}
