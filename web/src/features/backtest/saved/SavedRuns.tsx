import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { FolderOpen, Save, Trash2 } from 'lucide-react';
import { memo, type SubmitEvent, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import type { SavedRun } from '../../../api/types.ts';
import { formatCount, formatMoney, formatPercent } from '../../../format/number.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type Run, useSettling } from '../backtestState.ts';
import {
  compared,
  COMPARED_MAX,
  compareRun,
  dropCompared,
  useForgetRun,
  useSavedRuns,
  useSaveRun,
} from './comparedRuns.ts';
import { openReported } from './openSavedRun.ts';

const columns: readonly Column[] = [
  { name: 'Compare', isText: true },
  { name: 'Name', isText: true },
  // In reach on a small screen, where the figures are scrolled to.
  { name: 'Actions', isSilent: true },
  { name: 'Candles', isText: true },
  { name: 'Net PnL, USDT' },
  { name: 'Won' },
  { name: 'Trades' },
  { name: 'Max drawdown' },
  { name: 'Saved' },
];

/** Saved runs: open one again, or select those of the comparison. */
export function SavedRuns({ run }: { run: Run | null }) {
  const saved = useSavedRuns();
  const { ids } = useSnapshot(compared);
  const runs = saved.data ?? [];
  if (run === null && runs.length === 0 && saved.error === null) return null;
  return (
    <Panel
      title={`Saved runs, ${formatCount(runs.length)}`}
      aside={run !== null && <SaveForm run={run} />}
      bodyClassName="relative"
    >
      {saved.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={saved.error}
            text={messageOf(saved.error, 'The saved runs did not load.')}
            onRetry={() => void saved.refetch()}
          />
        </div>
      )}
      {saved.isPending && <SkeletonRows rows={2} />}
      {saved.data !== undefined && runs.length === 0 && (
        <p className="p-3 text-muted">Save runs, or press Compare, to see up to four side by side.</p>
      )}
      {runs.length > 0 && <RunTable runs={runs} ids={ids} />}
      {runs.length > 1 && (
        <p className="px-3 py-2 text-label text-muted">Select up to {COMPARED_MAX} runs to compare them above.</p>
      )}
    </Panel>
  );
}

interface TableProps {
  runs: readonly SavedRun[];
  /** Runs of the comparison. */
  ids: readonly string[];
}

/** A moving slider renders the form, whose run is the one on screen, and not this. */
const RunTable = memo(function RunTable({ runs, ids }: TableProps) {
  return (
    <div className="more-sideways relative max-h-80 overflow-auto" tabIndex={0} role="group" aria-label="Saved runs">
      <table className="table w-full min-w-160">
        <TableHead columns={columns} />
        <tbody>
          {runs.map((each) => (
            <Row key={each.id} run={each} isCompared={ids.includes(each.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
});

function Row({ run, isCompared }: { run: SavedRun; isCompared: boolean }) {
  const forget = useForgetRun();
  const [isOpening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await openReported(run);
    setOpening(false);
  };
  const number = (key: string): number | null => {
    const value = run.best[key];
    return typeof value === 'number' ? value : null;
  };
  const pnl = number('pnl');
  return (
    <tr>
      <td className="lead">
        <input
          type="checkbox"
          aria-label={`Compare ${run.name}`}
          checked={isCompared}
          onChange={() => (isCompared ? dropCompared(run.id) : compareRun(run.id))}
        />
      </td>
      <td className="lead max-w-48 truncate font-medium max-md:max-w-32" title={run.name}>
        {run.name}
      </td>
      <td>
        <span className="flex justify-end gap-1">
          <button
            type="button"
            className="btn btn-ghost btn-small btn-icon"
            aria-label={`Open ${run.name}`}
            title={isOpening ? 'Loading its candles…' : 'Open'}
            aria-busy={isOpening}
            disabled={isOpening}
            onClick={() => void open()}
          >
            <FolderOpen size={14} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-small btn-icon"
            aria-label={`Delete ${run.name}`}
            title="Delete"
            disabled={forget.isPending}
            onClick={() =>
              forget.mutate(run.id, {
                onError: (failure) => toastRejection(messageOf(failure, 'The run was not deleted'), failure),
              })
            }
          >
            <Trash2 size={14} aria-hidden="true" />
          </button>
        </span>
      </td>
      <td className="lead max-w-48 truncate">
        {run.symbol === 'CSV' ? run.setup.label : run.symbol} {run.interval}
      </td>
      <td className={`font-mono ${pnl === null || pnl === 0 ? '' : pnl > 0 ? 'text-up' : 'text-down'}`}>
        {formatMoney(pnl, true)}
      </td>
      <td className="font-mono">{formatPercent(number('winRate'))}</td>
      <td className="font-mono">{formatCount(number('trades'))}</td>
      <td className="font-mono">{formatPercent(number('maxDrawdown'))}</td>
      <td>
        <Time at={run.created_at} />
      </td>
    </tr>
  );
}

function SaveForm({ run }: { run: Run }) {
  const save = useSaveRun();
  // The next run, with the minutes still loading, is the one to save.
  const isSettling = useSettling() > 0;
  const [name, setName] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(
      { run, name: name.trim() },
      {
        onSuccess: ({ isEqual, different }) => {
          setName('');
          if (isEqual) toast('Run saved', 'success');
          else toast(`Saved the server's result. Here ${different.join('; ')}`, 'error');
        },
        onError: (failure) => toastRejection(messageOf(failure, 'The run was not saved'), failure),
      },
    );
  };
  return (
    <form className="flex items-center gap-2" onSubmit={submit}>
      <span className="w-28 md:w-48">
        <input
          className="input h-7 w-full"
          aria-label="Name of the run"
          placeholder="Name this run"
          maxLength={SAVED_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </span>
      <button type="submit" className="btn btn-small" disabled={name.trim() === '' || save.isPending || isSettling}>
        <Save size={14} aria-hidden="true" /> {save.isPending ? 'Saving…' : 'Save'}
      </button>
    </form>
  );
}
