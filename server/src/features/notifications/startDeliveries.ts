import { z } from 'zod';
import type { EventHub } from '../../platform/events/eventHub.ts';
import { repeat } from '../../platform/repeat.ts';
import { attemptDelivery, type DeliverDeps, failDelivery } from './deliver.ts';
import { dispatchQueued } from './dispatch.ts';

/** Workers of one node, and deliveries that each takes together; each waits for the receivers' servers. */
const WORKERS = 12;
const DELIVERIES_TOGETHER = 8;
/** Covers a lost notice, and messages whose event is of another topic. */
const DISPATCH_MS = 1500;
/** Batches of one run, so that a backlog does not become jobs all at once: in the queue of jobs accounts take no turns. */
const BATCHES_A_RUN = 10;
const DeliveryJob = z.object({ deliveryId: z.uuid(), attempt: z.int() });

interface DeliveriesDeps {
  notifications: DeliverDeps;
  events: Pick<EventHub, 'onTopic'>;
}

/** Sends queued messages on this node: those of an alert as soon as its firing is stored. @returns stops the dispatching */
export async function startDeliveries(
  { notifications, events }: DeliveriesDeps,
  onError: (error: unknown) => void,
): Promise<() => void> {
  await notifications.jobs.work('notification', {
    atOnce: WORKERS,
    together: DELIVERIES_TOGETHER,
    handle(data) {
      const { deliveryId, attempt } = DeliveryJob.parse(data);
      return attemptDelivery(notifications, deliveryId, attempt);
    },
    setAside: (data) => failDelivery(notifications.db, DeliveryJob.parse(data).deliveryId),
  });
  let isRunning = false;
  let isDue = false;
  let isEnded = false;
  /** Dispatches what is queued now; what exceeds a run waits for the next one of the timer. */
  const dispatch = async (): Promise<void> => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      for (let batch = 0; batch < BATCHES_A_RUN && isDue && !isEnded; batch++) {
        isDue = false;
        if ((await dispatchQueued(notifications)) > 0) isDue = true;
      }
    } finally {
      isRunning = false;
      isDue = false;
    }
  };
  const stopRepeating = repeat(DISPATCH_MS, dispatch, onError);
  const stopHearing = events.onTopic((topic, _userId, { change }) => {
    // A page that records what it showed queues nothing.
    if (topic === 'alerts' && change !== 'shown') dispatch().catch((error: unknown) => !isEnded && onError(error));
  });
  return () => {
    isEnded = true;
    stopHearing();
    stopRepeating();
  };
}
