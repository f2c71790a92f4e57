import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useLastRun } from '../../../api/positions.ts';
import { useCandidates } from '../../../api/scan.ts';
import type { ScanResults } from '../../../api/types.ts';
import { formatCount, NO_VALUE } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { openTab } from '../../../state/navigation.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { confidenceText, reasonCode, reasonText } from './signalText.ts';

const SHOWN = 100;

/** What became of everything the scan looked at: each candidate has exactly one outcome. */
export function OutcomePanel({ scanId, results }: { scanId: string; results: ScanResults }) {
  const [code, setCode] = useState<string | null>(null);
  const counts = Object.entries(results.outcomes).sort(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Panel
      title="Scan summary"
      aside={`${formatCount(total)} candidates, ${formatDuration(results.timing.total_ms)}`}
      bodyClassName=""
    >
      <ul>
        {counts.map(([each, count]) => (
          <li key={each} className="border-b border-line last:border-b-0">
            <button
              type="button"
              aria-expanded={code === each}
              className="flex min-h-8 w-full items-center gap-3 px-3 text-left hover:bg-row-hover"
              onClick={() => setCode(code === each ? null : each)}
            >
              <span className="flex-1">{reasonText(each)}</span>
              <span className="font-mono">{formatCount(count)}</span>
            </button>
            {each === 'ELIGIBLE' && <OpenedLine scanId={scanId} />}
            {code === each && <CandidateList scanId={scanId} code={each} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** How many of those that may be opened were, and the way there; nothing while none was. */
function OpenedLine({ scanId }: { scanId: string }) {
  const run = useLastRun().data;
  if (run == null || run.scan_id !== scanId || run.opened === 0) return null;
  return (
    <button
      type="button"
      className="flex min-h-8 w-full items-center gap-3 pr-3 pl-6 text-left text-accent hover:bg-row-hover"
      onClick={() => openTab('auto', 'active')}
    >
      <span className="flex-1">{formatCount(run.opened)} of them opened as simulated positions: view them</span>
    </button>
  );
}

function CandidateList({ scanId, code }: { scanId: string; code: string }) {
  const candidates = useCandidates(scanId, true);
  const [shown, setShown] = useState(SHOWN);
  if (candidates.error !== null)
    return (
      <div className="p-3">
        <ErrorState
          text={messageOf(candidates.error, 'The candidates could not be read.')}
          onRetry={() => void candidates.refetch()}
        />
      </div>
    );
  if (candidates.data === undefined) return <SkeletonRows rows={2} />;
  const found = candidates.data.filter((each) => reasonCode(each.outcome, each.filtered_by) === code);
  return (
    <div className="border-t border-line bg-bg px-3 py-2">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(200px,1fr))] gap-x-6 text-label">
        {found.slice(0, shown).map(({ symbol, interval, confidence }) => (
          <li key={`${symbol} ${interval}`} className="flex justify-between gap-2">
            <span>
              {symbol} <span className="text-muted">{interval === '*' ? '' : interval}</span>
            </span>
            <span className="text-muted tabular">{confidence === null ? NO_VALUE : confidenceText(confidence)}</span>
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <button type="button" className="btn btn-ghost btn-small mt-2" onClick={() => setShown(shown + SHOWN)}>
          Show {formatCount(Math.min(SHOWN, found.length - shown))} more
        </button>
      )}
    </div>
  );
}
