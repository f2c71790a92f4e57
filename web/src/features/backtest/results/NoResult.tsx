import { useSnapshot } from 'valtio';
import { openPage } from '../../../state/navigation.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { EmptyState } from '../../../ui/Panel.tsx';
import { useIsWide } from '../../../ui/useMedia.ts';
import { draft, runState } from '../backtestState.ts';
import { isBusy, type RunPhase } from '../run/phase.ts';
import { loadAndRun } from '../runner.ts';

/** The outline of the result while it is on its way, with what it waits for. */
export function NoResult() {
  const { phase, isOpening } = useSnapshot(runState);
  const { source, symbol, interval } = useSnapshot(draft);
  const isWide = useIsWide('desktop');
  if (isBusy(phase) || (isOpening && phase.name === 'idle')) {
    const market = source === 'csv' ? 'your file' : `${symbol} ${interval}`;
    return (
      <div aria-busy="true" className="flex flex-col gap-3">
        <p role="status" data-testid="waits-for" className="text-muted">
          {waitText(phase, market)}
        </p>
        {/* The Run bar shows it where it is beside this page. */}
        {!isWide && <ExchangeWait />}
        <div className="skeleton h-24" />
        <div className="skeleton h-110" />
      </div>
    );
  }
  if (phase.name === 'error') return null;
  return (
    <div className="panel">
      <EmptyState text="Choose candles, then run the backtest.">
        <FirstStep />
      </EmptyState>
    </div>
  );
}

function waitText(phase: RunPhase, market: string): string {
  if (phase.name === 'idle') return 'Reading your last run…';
  if (phase.name !== 'running') return `Loading candles of ${market}…`;
  if (phase.minutes !== null) return `Loading 1-minute candles of ${market}…`;
  return phase.progress === null ? `Loading candles of ${market}…` : `Testing ${market}…`;
}

/** With the setup beside it, a run button; otherwise a link to the setup. */
function FirstStep() {
  const isWide = useIsWide('desktop');
  const { csv } = useSnapshot(runState);
  const { source } = useSnapshot(draft);
  if (isWide && (source !== 'csv' || csv !== null))
    return (
      <button type="button" className="btn btn-primary" onClick={() => void loadAndRun()}>
        Run this setup
      </button>
    );
  return (
    <button type="button" className="btn btn-primary" onClick={() => openPage('backtest', 'setup')}>
      Go to Setup
    </button>
  );
}
