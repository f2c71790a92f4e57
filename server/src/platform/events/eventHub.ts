import { randomBytes } from 'node:crypto';
import type { Bus } from '../bus/port.ts';
import { createEventRing, isFor, type StoredEvent } from './eventRing.ts';
import { eventPattern, parseNotice } from './notify.ts';
import type { EventNotice } from './topics.ts';

/** Recent events of all users that a page can still replay after a disconnect. */
const ringCapacity = 4096;

export interface Subscriber {
  userId: string;
  deliver: (event: StoredEvent) => void;
}

export interface Subscription {
  /** Events missed since the given id; undefined when unknown. */
  missed: StoredEvent[] | undefined;
  /** Id of the last event before the live ones. */
  lastId: string;
  end: () => void;
}

export interface EventHub {
  /** Subscribes to the events of all nodes; otherwise the first subscription does. */
  start: () => void;
  /** Delivers every event after this call once: missed events and live events join without gap or duplicate. */
  subscribe: (subscriber: Subscriber, sinceId: string | undefined) => Subscription;
  /**
   * Id from which a page that loads its data afterwards can resume: its data is as new, or an event follows. Undefined while
   * a bus is down.
   */
  position: () => string | undefined;
  /** Calls `handler` for each notice of all users on this node; `resync` means that some may have been lost. @returns unsubscribes */
  onTopic: (handler: TopicHandler) => () => void;
  /** For events of this process only; `notifyUser` publishes what is written to the database. */
  publish: (notice: EventNotice) => void;
  /** Milliseconds from sending a notice to receiving it on this node; undefined while a bus is down. */
  lagMs: () => number | undefined;
  /** Whether this node receives the events of all nodes, waiting up to `waitMs` for it. */
  isListening: (waitMs: number) => Promise<boolean>;
  /** Unsubscribes; the caller that created the buses closes them. */
  close: () => void;
}

type TopicHandler = (topic: EventNotice['topic'], userId: string | null, data: EventNotice['data']) => void;

export interface EventHubOptions {
  /** An event comes over one of them: with NATS, triggers of the database still use NOTIFY. */
  buses: readonly Bus[];
  capacity?: number;
}

/** Events of this node: its subscription, a ring of recent events, and the subscribers. */
export function createEventHub({ buses, capacity = ringCapacity }: EventHubOptions): EventHub {
  const ring = createEventRing({ node: randomBytes(6).toString('hex'), capacity });
  const subscribers = new Set<Subscriber>();
  const handlers = new Set<TopicHandler>();
  let stops: (() => void)[] | undefined;

  function publish(notice: EventNotice): void {
    const event = ring.add(notice);
    for (const handler of handlers) handler(notice.topic, notice.userId, notice.data);
    for (const subscriber of subscribers) if (isFor(event, subscriber.userId)) subscriber.deliver(event);
  }

  // Connect at the first subscription: a script or a test without events needs no connection.
  function start(): void {
    stops ??= buses.map((bus) =>
      bus.subscribe(eventPattern, {
        onMessage: ({ body }) => {
          const notice = parseNotice(body);
          if (notice !== undefined) publish(notice);
        },
        // Stored in the ring like an event: a page that was disconnected during the gap must receive it too.
        onGap: () => publish({ userId: null, topic: 'resync', data: {} }),
      }),
    );
  }

  return {
    start,
    subscribe: (subscriber, sinceId) => {
      start();
      const missed = sinceId === undefined ? undefined : ring.since(sinceId, subscriber.userId);
      subscribers.add(subscriber);
      return { missed, lastId: ring.lastId(), end: () => void subscribers.delete(subscriber) };
    },
    position: () => (stops !== undefined && buses.every((bus) => bus.isUp()) ? ring.lastId() : undefined),
    onTopic: (handler) => {
      start();
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    publish,
    lagMs: () => {
      const lags = stops === undefined ? [] : buses.map((bus) => bus.lagMs());
      return lags.reduce(
        (most, lag) => (most === undefined || lag === undefined ? undefined : Math.max(most, lag)),
        lags[0],
      );
    },
    isListening: async (waitMs) => {
      start();
      return (await Promise.all(buses.map((bus) => bus.isReady(waitMs)))).every(Boolean);
    },
    close: () => {
      for (const stop of stops ?? []) stop();
      stops = undefined;
    },
  };
}
