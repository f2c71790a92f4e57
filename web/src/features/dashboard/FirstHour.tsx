import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useAlerts } from '../../api/alerts.ts';
import { api, dataOf } from '../../api/client.ts';
import { localOwner } from '../../api/ownerId.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { useLastScan } from '../../api/scan.ts';
import { useWatchlist } from '../../data/watchlist.ts';
import { readSaved, save } from '../../state/storage.ts';
import { Panel } from '../../ui/Panel.tsx';
import { type Done, doneCount, readUnderstood, steps } from './firstHour.ts';

/** Whether this user dismissed the steps in this browser. */
const keyOf = (): string => `firstHourClosed.${localOwner.id}`;

function useDone(): Done {
  const state = useQuery({
    queryKey: queryKeys.backtest.state,
    queryFn: ({ signal }) => dataOf(api.GET('/api/backtest/state', { signal })),
  });
  const scan = useLastScan();
  const watched = useWatchlist();
  const alerts = useAlerts();
  return {
    run: state.data === undefined ? null : state.data.state !== null,
    understand: readUnderstood(),
    scan: scan.data === undefined ? null : scan.data.scan !== null,
    watch: watched.data === undefined ? null : watched.data.length > 0,
    alert: alerts.data === undefined ? null : alerts.data.alerts.length > 0,
  };
}

/** Five steps for a new account, ticked by what it did. Hidden once all are done, or dismissed: then nothing is requested for it. */
export function FirstHour() {
  const [isClosed, setClosed] = useState(() => readSaved(keyOf()) === 'yes');
  const dismiss = () => {
    save(keyOf(), 'yes');
    setClosed(true);
  };
  return isClosed ? null : <Steps onDismiss={dismiss} />;
}

function Steps({ onDismiss }: { onDismiss: () => void }) {
  const done = useDone();
  const count = doneCount(done);
  if (count === null || count === steps.length) return null;
  const next = steps.find(({ id }) => done[id] === false);
  return (
    <Panel
      title={`Your first hour: ${count} of ${steps.length}`}
      aside={
        <button type="button" className="btn btn-ghost btn-small" onClick={onDismiss}>
          Dismiss
        </button>
      }
      bodyClassName=""
    >
      <ol className="grid gap-px bg-line md:grid-cols-5">
        {steps.map(({ id, text, button, open }) => {
          const isDone = done[id] === true;
          const Icon = isDone ? CircleCheck : Circle;
          return (
            <li key={id} className="flex items-start gap-2 bg-panel p-3">
              <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${isDone ? 'text-up' : 'text-muted'}`} />
              <span className="flex min-w-0 flex-col items-start gap-2">
                <span className={isDone ? 'text-muted' : ''}>
                  {text}
                  {isDone && <span className="sr-only"> Done.</span>}
                </span>
                {!isDone && (
                  <button
                    type="button"
                    className={`btn btn-small ${id === next?.id ? 'btn-primary' : ''}`}
                    onClick={open}
                  >
                    {button}
                  </button>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
