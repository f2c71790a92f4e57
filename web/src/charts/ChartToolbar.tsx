import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { Guarded } from '../ui/Guarded.tsx';
import { late } from '../ui/late.tsx';
import { type ChartLayout, toggleScale } from './chartLayout.ts';

const indicatorMenu = late(
  async () => (await import('./IndicatorMenu.tsx')).IndicatorMenu,
  <span className="btn btn-ghost btn-small">Indicators</span>,
);

interface ToolbarProps {
  layout: ChartLayout;
  /** Why the indicators are not drawn. */
  failure: string | null;
  /** The candles are of an exchange: its own series can be shown. */
  hasMarket: boolean;
  onFit: () => void;
  onReset: () => void;
  /** Further tools, after the indicators. */
  children?: ReactNode;
}

/** Chart settings: indicators, price scale, and buttons to reset the view. */
export function ChartToolbar({ layout, failure, hasMarket, onFit, onReset, children }: ToolbarProps) {
  const { scale } = useSnapshot(layout);
  return (
    <div
      role="toolbar"
      aria-label="Chart"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-1 border-b border-line px-1"
    >
      <Guarded>
        <indicatorMenu.View layout={layout} hasMarket={hasMarket} />
      </Guarded>
      {children}
      <button
        type="button"
        className="btn btn-ghost btn-small"
        aria-pressed={scale === 'log'}
        title="Logarithmic: equal distances are equal percentages"
        onClick={() => toggleScale(layout, 'log')}
      >
        Log
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        aria-pressed={scale === 'percent'}
        aria-label="Percent"
        title="Percent from the first candle in sight"
        onClick={() => toggleScale(layout, 'percent')}
      >
        %
      </button>
      <button type="button" className="btn btn-ghost btn-small" title="Show all candles" onClick={onFit}>
        Fit
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        title="Reset the view (or double-click)"
        onClick={onReset}
      >
        Reset
      </button>
      {failure !== null && (
        <span role="status" className="px-1 text-label text-warn">
          Indicators failed: {failure}
        </span>
      )}
    </div>
  );
}
