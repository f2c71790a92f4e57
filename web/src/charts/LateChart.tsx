import type { ComponentProps } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { late } from '../ui/late.tsx';
import type { Chart } from './Chart.tsx';

/** Shared by every chart: once its file is loaded, the next chart renders without waiting. */
const chart = late(async () => (await import('./Chart.tsx')).Chart);

/** For a view that will show a chart: loads its file in parallel with the candles. */
export const preloadChart = chart.preload;

/** The chart in a separate chunk, for views that show other things first. When it fails, the view around it stays. */
export function LateChart(props: ComponentProps<typeof Chart>) {
  return (
    <ErrorBoundary place="panel">
      <chart.View {...props} />
    </ErrorBoundary>
  );
}
