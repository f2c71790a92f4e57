import { useLastRun } from '../../../api/positions.ts';
import type { AutoRun } from '../../../api/types.ts';
import { formatCount, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { openTab } from '../../../state/navigation.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { SideMark } from '../table/SideMark.tsx';
import { outcomeNames } from '../../../format/outcomeNames.ts';

const columns: readonly Column[] = [
  { name: 'Symbol', isText: true },
  { name: 'Side', isText: true },
  { name: 'Confidence' },
  { name: 'Outcome', isText: true },
  { name: 'Why', isText: true },
];

/** What the last run did with each result of its scan, and why. */
export function LastRunPanel() {
  const answer = useLastRun();
  const run = answer.data ?? null;
  return (
    <Panel
      title="Last run"
      aside={
        run !== null && (
          <>
            {formatCount(run.opened)} opened, {formatCount(run.skipped)} skipped
            {run.failed > 0 && `, ${formatCount(run.failed)} failed`}, <Time at={run.created_at} />
          </>
        )
      }
      bodyClassName=""
    >
      <Loaded answer={answer} failure="The last run could not be read." rows={4}>
        {(found) => (found === null ? <NoRun /> : <RunItems run={found} />)}
      </Loaded>
    </Panel>
  );
}

function NoRun() {
  return (
    <EmptyState text="No run yet. One follows each scan: it opens the signals that pass and gives the reason for each skip.">
      <button type="button" className="btn btn-primary" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}

function RunItems({ run: { items, messages } }: { run: AutoRun }) {
  return (
    <>
      {messages.length > 0 && (
        <ul className="flex flex-col gap-1 border-b border-line px-3 py-2">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <div className="max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Results of the last run">
        <table className="table" aria-label="Last run">
          <TableHead columns={columns} />
          <tbody>
            {items.map(({ symbol, interval, side, confidence, outcome, message }) => (
              <tr key={`${symbol} ${interval}`}>
                <th className="lead" scope="row">
                  {symbol} <span className="font-normal text-muted">{interval}</span>
                </th>
                <td className="lead">{side === null ? NO_VALUE : <SideMark side={side} />}</td>
                <td>{formatPercent(confidence)}</td>
                <td className="lead">{outcomeNames[outcome]}</td>
                <td className="lead text-muted">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
