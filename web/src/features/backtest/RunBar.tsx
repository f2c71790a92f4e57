import { Play, Square, Trash2 } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { formatCount } from '../../format/number.ts';
import { openPage } from '../../state/navigation.ts';
import { draft, runState } from './backtestState.ts';
import { cancelRun, loadAndRun } from './runner.ts';
import { clearBacktest } from './savedState.ts';

/** Run, cancel and clear; always in reach below the setup. */
export function RunBar() {
  const { status, progress, loading, csv, run } = useSnapshot(runState);
  const { source } = useSnapshot(draft);
  const isRunning = status === 'running';
  // A long history takes its time whatever is on screen.
  const isWaiting = isRunning && (run === null || loading !== null);
  const needsFile = source === 'csv' && csv === null;
  const start = async () => {
    await loadAndRun();
    if (runState.run !== null) openPage('backtest', 'results');
  };
  return (
    <div className="flex shrink-0 items-center gap-2 border-t border-line bg-panel p-3">
      {/* A short run ends before a label could be read: the button keeps its place and its words. */}
      <button
        type="button"
        className="btn btn-primary flex-1"
        disabled={needsFile || isWaiting}
        title={needsFile ? 'Drop a CSV file first' : undefined}
        onClick={() => void start()}
      >
        <Play size={14} aria-hidden="true" /> {isWaiting ? progressText(progress, loading) : 'Run Backtest'}
      </button>
      {isWaiting && (
        <button type="button" className="btn" onClick={cancelRun}>
          <Square size={12} aria-hidden="true" /> Cancel
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={run === null && csv === null && !isRunning}
        onClick={() => void clearBacktest()}
      >
        <Trash2 size={14} aria-hidden="true" /> Clear
      </button>
    </div>
  );
}

interface Progress {
  done: number;
  total: number;
}

function progressText(progress: Progress | null, loading: Progress | null): string {
  if (loading !== null) return `${formatCount(loading.done)} of ${formatCount(loading.total)} candles`;
  return progress === null ? 'Loading candles…' : `Running ${Math.round((progress.done / progress.total) * 100)} %`;
}
