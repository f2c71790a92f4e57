import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/failure.ts';
import { useClosePosition, useLastRun } from '../../api/positions.ts';
import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { AutoRun, PreferencesChange } from '../../api/types.ts';
import { formatMoney } from '../../format/number.ts';
import { toast } from '../../state/toasts.ts';

/** One line about the first positions that were opened by themselves, until its owner has answered it. */
export function FirstOpeningBanner() {
  const run = useLastRun().data ?? null;
  const preferences = usePreferences().data ?? null;
  // Undo closes what the run opened: not before it has ended.
  if (run?.is_first !== true || run.finished_at === null) return null;
  if (preferences === null || preferences.auto_open_noticed) return null;
  return <FirstOpeningLine run={run} />;
}

function FirstOpeningLine({ run }: { run: AutoRun }) {
  const client = useQueryClient();
  const { mutateAsync: close } = useClosePosition();
  const answer = useMutation({
    mutationFn: (change: PreferencesChange) => savePreferences({ auto_open_noticed: true, ...change }),
    onSuccess: (saved) => {
      client.setQueryData(queryKeys.preferences, saved);
      void client.invalidateQueries({ queryKey: queryKeys.positions.guards });
    },
    onError: (failure) => toast(messageOf(failure, 'Failed to save preferences'), 'error'),
  });
  const undo = useMutation({
    mutationFn: async () => {
      const ids = run.items.flatMap(({ position_id: id }) => id ?? []);
      const ends = await Promise.allSettled(ids.map((id) => close(id)));
      const closed = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      const failed = ends.find((end) => end.status === 'rejected');
      const net = closed.reduce((sum, { netPnl }) => sum + (netPnl ?? 0), 0);
      return { count: closed.length, net, failure: failed?.reason as unknown };
    },
    onSuccess: ({ count, net, failure }) => {
      if (count > 0) toast(undoneText(count, net), 'success');
      if (failure === undefined) answer.mutate({});
      else toast(messageOf(failure, 'A position could not be closed.'), 'error');
    },
  });
  const isBusy = answer.isPending || undo.isPending;
  return (
    <section
      aria-label="First automatic opening"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2"
    >
      <p className="min-w-60 flex-1">
        {run.opened === 1 ? '1 position was' : `${run.opened} positions were`} opened automatically after your scan,
        with simulated money.
      </p>
      <button type="button" className="btn btn-small" disabled={isBusy} onClick={() => undo.mutate()}>
        Undo
      </button>
      <button
        type="button"
        className="btn btn-small"
        disabled={isBusy}
        onClick={() => answer.mutate({ auto_open_enabled: false })}
      >
        Turn off automatic opening
      </button>
      <button type="button" className="btn btn-small" disabled={isBusy} onClick={() => answer.mutate({})}>
        Keep
      </button>
    </section>
  );
}

/** `Closed 2 positions. That cost 2.41 USDT.` */
const undoneText = (count: number, net: number): string =>
  `Closed ${count === 1 ? '1 position' : `${count} positions`}. That ${net > 0 ? 'gained' : 'cost'} ${formatMoney(Math.abs(net))} USDT, fees included.`;
