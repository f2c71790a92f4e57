import { type KeyMode, keyModes } from '@sextant/workers/src/apiAccess.ts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useApiUsage } from '../../../api/apiAccess.ts';
import type { ApiUsage } from '../../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { formatTime } from '../../../format/time.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { keyModeNames } from '../../../ui/apiAccess/KeyModeBadge.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { CallsPanel } from './CallsPanel.tsx';

const BarPairs = lazy(async () => ({ default: (await import('../../../charts/BarPairs.tsx')).BarPairs }));

/** What the keys did in the last 24 hours, measured by the server, and each call of the last 30 days. */
export function UsagePage() {
  const [mode, setMode] = useState<KeyMode>('live');
  const usage = useApiUsage(true, mode);
  return (
    <>
      <Panel
        title="Last 24 hours"
        aside={
          <Segments
            label="Kind of key that is counted"
            options={keyModes}
            value={mode}
            nameOf={(each) => keyModeNames[each]}
            onSelect={setMode}
            isSmall
            isFitted
          />
        }
      >
        <Loaded answer={usage} failure="The figures could not be read." rows={6}>
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
    ['95 % below', milliseconds(usage.p95_ms)],
    ['99 % below', milliseconds(usage.p99_ms)],
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
  const { labels, good, refused } = useMemo(
    () => ({
      labels: items.map(({ at }, hour) => (hour % labelStep === 0 ? formatTime(at).slice(-5) : '')),
      good: { name: 'Succeeded', colour: 'accent' as const, values: items.map(({ ok }) => ok) },
      refused: { name: 'Failed', colour: 'warn' as const, values: items.map(({ ok, total }) => total - ok) },
    }),
    [items],
  );
  return (
    <Suspense fallback={<div className="h-50" />}>
      <BarPairs label="Requests per hour in the last 24 hours" labels={labels} left={good} right={refused} />
    </Suspense>
  );
}
