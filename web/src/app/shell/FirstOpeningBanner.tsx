import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/failure.ts';
import { useClosePosition, useLastRun, useOpenPositions } from '../../data/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { savePreferences, usePreferences } from '../../data/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { AutoRun, PreferencesChange } from '../../api/types.ts';
import { formatMany, formatMoney } from '../../format/number.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { storeResponse } from '../../api/storeResponse.ts';

/**
 * One line about the first automatically opened positions, until the user keeps or undoes them. It overlays the foot of the page, whose end
 * gets as much room: nothing moves under the pointer when it comes and goes.
 */
export function FirstOpeningBanner() {
  const run = useLastRun().data ?? null;
  const preferences = usePreferences().data ?? null;
  // Undo closes what the run opened: only possible once it has ended.
  if (run?.is_first !== true || run.finished_at === null) return null;
  if (preferences === null || preferences.auto_open_noticed) return null;
  return <FirstOpeningLine run={run} />;
}

/** Publishes the height of the line, for which `controls.css` makes room. */
function reportHeight(line: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--opening-line-height', `${line.offsetHeight}px`));
  observer.observe(line);
  return () => {
    observer.disconnect();
    style.removeProperty('--opening-line-height');
  };
}

function FirstOpeningLine({ run }: { run: AutoRun }) {
  const client = useQueryClient();
  const positions = useOpenPositions().data ?? [];
  const { mutateAsync: close } = useClosePosition();
  const response = useMutation({
    mutationFn: (change: PreferencesChange) => savePreferences({ auto_open_noticed: true, ...change }),
    onSuccess: async (saved) => {
      await storeResponse(client, queryKeys.preferences, saved);
      void client.invalidateQueries({ queryKey: queryKeys.positions.guards });
    },
    onError: (failure) => toastRejection(messageOf(failure, 'Failed to save preferences'), failure),
  });
  const undo = useMutation({
    mutationFn: async () => {
      const ids = run.items.flatMap(({ position_id: id }) => id ?? []);
      const ends = await Promise.allSettled(ids.map((id) => close({ id })));
      const closed = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.position] : []));
      const failed = ends.find((end) => end.status === 'rejected');
      const net = closed.reduce((sum, { netPnl }) => sum + (netPnl ?? 0), 0);
      return { count: closed.length, net, failure: failed?.reason as unknown };
    },
    onSuccess: ({ count, net, failure }) => {
      if (count > 0) toast(undoneText(count, net), 'success');
      if (failure === undefined) response.mutate({});
      else toastRejection(messageOf(failure, 'Could not close a position.'), failure);
    },
  });
  const isBusy = response.isPending || undo.isPending;
  return (
    <section
      ref={reportHeight}
      aria-label="First automatic opening"
      className="opening-line fixed right-[var(--dock)] left-0 z-20 flex max-h-[40dvh] flex-wrap items-center gap-2 overflow-y-auto border-t border-line bg-raised px-3 py-2"
    >
      <p className="min-w-60 flex-1 max-md:basis-full">{openedText(run, positions)}</p>
      <button type="button" className="btn btn-small" disabled={isBusy} onClick={() => undo.mutate()}>
        Undo
      </button>
      <button
        type="button"
        className="btn btn-small"
        disabled={isBusy}
        onClick={() => response.mutate({ auto_open_enabled: false })}
      >
        Stop automatic opening
      </button>
      <button type="button" className="btn btn-small" disabled={isBusy} onClick={() => response.mutate({})}>
        Keep
      </button>
    </section>
  );
}

type AtRisk = Pick<PositionView, 'id' | 'side' | 'symbol' | 'lossAtStop'>;

/** The positions that a run opened and that are still open, and their loss at the stops. */
export function openedText(run: Pick<AutoRun, 'opened' | 'items'>, positions: readonly AtRisk[]): string {
  const text = `${formatMany(run.opened, 'position')} ${run.opened === 1 ? 'was' : 'were'} opened automatically after your scan, with simulated money`;
  const open = positions.filter(({ id }) => run.items.some((item) => item.position_id === id));
  if (open.length === 0) return `${text}.`;
  const loss = open.reduce((sum, { lossAtStop }) => sum + lossAtStop, 0);
  const stops = open.length === 1 ? 'its stop' : 'their stops';
  return `${text}: ${open.map(({ side, symbol }) => `${side} ${symbol}`).join(', ')}. At ${stops} ${formatMoney(loss)} USDT would be lost.`;
}

/** `Closed 2 positions. That cost 2.41 USDT.` */
const undoneText = (count: number, net: number): string =>
  `Closed ${formatMany(count, 'position')}. That ${net > 0 ? 'gained' : 'cost'} ${formatMoney(Math.abs(net))} USDT, fees included.`;
