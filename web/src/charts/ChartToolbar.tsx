import { lazy, Suspense } from 'react';
import { useSnapshot } from 'valtio';
import { Guarded } from '../ui/Guarded.tsx';
import { type ChartLayout, toggleLog } from './chartLayout.ts';

const IndicatorMenu = lazy(async () => ({ default: (await import('./IndicatorMenu.tsx')).IndicatorMenu }));

interface Props {
  layout: ChartLayout;
  /** Why the indicators are not drawn. */
  failure: string | null;
  onFit: () => void;
  onReset: () => void;
}

/** What a chart shows and how: indicators, scale of prices, and the way back to a view. */
export function ChartToolbar({ layout, failure, onFit, onReset }: Props) {
  const { isLog } = useSnapshot(layout);
  return (
    <div
      role="toolbar"
      aria-label="Chart"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-1 border-b border-line px-1"
    >
      <Guarded>
        <Suspense fallback={<span className="btn btn-ghost btn-small">Indicators</span>}>
          <IndicatorMenu layout={layout} />
        </Suspense>
      </Guarded>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        aria-pressed={isLog}
        title="Equal distances are equal percentages"
        onClick={() => toggleLog(layout)}
      >
        Log
      </button>
      <button type="button" className="btn btn-ghost btn-small" title="All candles in sight" onClick={onFit}>
        Fit
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        title="The view that the chart began with. A double click does the same"
        onClick={onReset}
      >
        Reset
      </button>
      {failure !== null && (
        <span role="status" className="px-1 text-label text-warn">
          The indicators could not be computed: {failure}
        </span>
      )}
    </div>
  );
}
