import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { retryDelivery, useDeliveries } from '../../../api/notifications.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Delivery } from '../../../api/types.ts';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { toastFailure } from '../security/accountForm.ts';
import { channelNames, kindName, stateText } from './notificationText.ts';

/** What was sent and what came of it: the newest 50. */
export function DeliveryLog() {
  const log = useDeliveries();
  return (
    <Panel title="Delivery log" aside="newest 50, kept for 30 days" className="lg:col-span-2" bodyClassName="">
      {log.isPending && <SkeletonRows rows={4} />}
      {log.error !== null && (
        <ErrorState text={messageOf(log.error, 'The log could not be read.')} onRetry={() => void log.refetch()} />
      )}
      {log.data?.length === 0 && <EmptyState text="No message was sent yet." />}
      <ul>
        {log.data?.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryDelivery(delivery.id),
    onSuccess: (answer) => client.setQueryData(queryKeys.notifications.deliveries, answer),
    onError: (failure) => toastFailure('Not sent again', failure),
  });
  const { state, channel, kind, created_at: createdAt, next_attempt_at: nextAt } = delivery;
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line px-3 py-1.5 last:border-b-0">
      <span className="w-40 text-muted tabular-nums">
        <Time at={createdAt} />
      </span>
      <span className="w-52 truncate font-medium">{kindName(kind)}</span>
      <span className="w-20 text-muted">{channelNames[channel]}</span>
      <span className={`min-w-48 flex-1 ${state === 'failed' ? 'text-warn' : ''}`}>
        {stateText(delivery)}
        {nextAt !== null && delivery.attempt_count > 0 && (
          <>
            {' '}
            Next <Time at={nextAt} />
          </>
        )}
      </span>
      {state === 'failed' && (
        <button type="button" className="btn btn-small" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Send again
        </button>
      )}
    </li>
  );
}
