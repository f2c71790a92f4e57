import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import type { Chart } from './Chart.tsx';

const lateChart = () => lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }));
/** Shared by every chart: once its file is here, the next chart is drawn without waiting. */
const shared = lateChart();

/** The chart in a file of its own, for views that show other things first. When it fails, the view around it stays. */
export function LateChart(props: ComponentProps<typeof Chart>) {
  const [Late, setLate] = useState(() => shared);
  return (
    // A lazy component that failed once fails for ever: a retry needs another one.
    <ErrorBoundary place="panel" onRetry={() => setLate(() => lateChart())}>
      <Suspense>
        <Late {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
