import { useSnapshot } from 'valtio';
import type { ScanResults } from '../../../api/types.ts';
import { aiCheckState, stopByOwner, subjectsOf } from './aiChecks.ts';
import { isUnchecked } from '../results/signalText.ts';
import { countsText } from './countsText.ts';

/** How far the check of a scan is, what came of it, and the way to ask for it. */
export function AiCheckBar({
  scanId,
  results,
  onCheck,
}: {
  scanId: string;
  results: ScanResults;
  onCheck: () => void;
}) {
  const state = useSnapshot(aiCheckState);
  const isOurs = state.scanId === scanId;
  const isRunning = isOurs && state.isRunning;
  const best = subjectsOf(results);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
      <span className="font-medium">
        {best.some(({ rule_check: rules }) => rules !== null) ? 'Rule check' : 'AI check'}
      </span>
      <span role="status" className="min-w-0 flex-1 text-muted tabular-nums">
        {isRunning ? `${state.doneCount} of ${state.totalCount} checked` : countsText(best)}
        {isOurs && !isRunning && state.notice !== null && ` Stopped: ${state.notice}`}
      </span>
      {isRunning ? (
        <button type="button" className="btn btn-small" onClick={stopByOwner}>
          Stop
        </button>
      ) : (
        <button type="button" className="btn btn-small" onClick={onCheck}>
          {best.some(isUnchecked) ? `Check the best ${best.length}` : 'Check again'}
        </button>
      )}
    </div>
  );
}
