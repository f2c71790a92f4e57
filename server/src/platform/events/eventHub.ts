import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { createEventRing, isFor, type StoredEvent } from './eventRing.ts';
import { createListener, type Listener } from './listener.ts';
import { eventChannel, parseNotice } from './notify.ts';
import type { EventNotice } from './topics.ts';

/** Events of all users together that a page may have missed and still get one by one. */
const ringCapacity = 4096;

export interface Subscriber {
  userId: string;
  deliver: (event: StoredEvent) => void;
}

export interface Subscription {
  /** Events missed since the given id; undefined when unknown. */
  missed: StoredEvent[] | undefined;
  /** Where the events that are delivered from now on begin. */
  lastId: string;
  end: () => void;
}

export interface EventHub {
  /** From this call on nothing is lost and nothing comes twice: what was missed and what comes next meet without a gap. */
  subscribe: (subscriber: Subscriber, sinceId: string | undefined) => Subscription;
  /** For what happens in this process only; what is written to the database is published by `notifyUser`. */
  publish: (notice: EventNotice) => void;
  /** Whether this node hears the database, waiting at most `waitMs` for it. */
  isListening: (waitMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

export interface EventHubOptions {
  newClient: () => pg.Client;
  onError?: ((error: Error) => void) | undefined;
  retryMs?: { first: number; most: number };
  pingMs?: number;
  capacity?: number;
}

/** Events of this node: one connection that listens, a ring of recent events, and their subscribers. */
export function createEventHub(options: EventHubOptions): EventHub {
  const { newClient, onError = () => undefined, capacity = ringCapacity, ...timing } = options;
  const ring = createEventRing({ node: randomBytes(6).toString('hex'), capacity });
  const subscribers = new Set<Subscriber>();
  let listener: Listener | undefined;

  function publish(notice: EventNotice): void {
    const event = ring.add(notice);
    for (const subscriber of subscribers) if (isFor(event, subscriber.userId)) subscriber.deliver(event);
  }

  // Connect at the first subscription: a script or a test without events needs no connection.
  const listening = (): Listener =>
    (listener ??= createListener({
      ...timing,
      newClient,
      channel: eventChannel,
      onPayload: (payload) => {
        const notice = parseNotice(payload);
        if (notice !== undefined) publish(notice);
      },
      // Kept in the ring like an event: a page that was away during the gap must hear of it too.
      onGap: () => publish({ userId: null, topic: 'resync', data: {} }),
      onError,
    }));

  return {
    subscribe: (subscriber, sinceId) => {
      listening();
      const missed = sinceId === undefined ? undefined : ring.since(sinceId, subscriber.userId);
      subscribers.add(subscriber);
      return { missed, lastId: ring.lastId(), end: () => void subscribers.delete(subscriber) };
    },
    publish,
    isListening: async (waitMs) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, waitMs, false);
      void listening()
        .ready()
        .then(() => resolve(true));
      return promise.finally(() => clearTimeout(timer));
    },
    close: async () => {
      await listener?.close();
    },
  };
}
