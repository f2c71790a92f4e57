import { GitCompareArrows } from 'lucide-react';
import { messageOf } from '../../../api/failure.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { type Run, useSettling } from '../backtestState.ts';
import { useRulesName } from '../live/MyRules.tsx';
import { compareRun, freeName, sameRun, useSavedRuns, useSaveRun } from './comparedRuns.ts';

/** Saves the run under a free name, unless it is saved already, and puts it beside the other compared runs. */
export function CompareButton({ run }: { run: Run }) {
  const saved = useSavedRuns().data;
  const save = useSaveRun();
  const strategy = useRulesName(run);
  // The next run, with the minutes still loading, is the one to compare.
  const isSettling = useSettling() > 0;
  const add = () => {
    const known = sameRun(saved ?? [], run);
    if (known !== undefined) {
      compareRun(known.id);
      toast('Run added to the comparison', 'success');
      return;
    }
    const market = `${run.loaded.label} ${run.loaded.interval}`;
    const names = (saved ?? []).map(({ name }) => name);
    save.mutate(
      { run, name: freeName(market, strategy, names) },
      {
        onSuccess: ({ id, isEqual, different }) => {
          if (id !== null) compareRun(id);
          if (isEqual) toast('Run added to the comparison', 'success');
          else toast(`Compared as the server's result. Here ${different.join('; ')}`, 'error');
        },
        onError: (failure) => toastRejection(messageOf(failure, 'The run was not added'), failure),
      },
    );
  };
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      title="Put this run beside others"
      disabled={saved === undefined || save.isPending || isSettling}
      onClick={add}
    >
      <GitCompareArrows size={14} aria-hidden="true" />
      <span className="max-md:sr-only">{save.isPending ? 'Adding…' : 'Compare'}</span>
    </button>
  );
}
