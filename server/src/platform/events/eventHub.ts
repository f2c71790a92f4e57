import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createEventRing, isFor, type StoredEvent } from './eventRing.ts';
import { eventChannel, parseNotice } from './notify.ts';
import { createPings } from './pings.ts';
import type { EventNotice } from './topics.ts';

interface ListenerOptions {
  /** An unconnected client with the server's login. */
  newClient: () => pg.Client;
  channel: string;
  onPayload: (payload: string) => void;
  /** Called when listening again after a gap in which notices may have been lost. */
  onGap: () => void;
  onError: (error: Error) => void;
  /** Delay before the first retry; it doubles up to `most`. */
  retryMs?: { first: number; most: number };
  /** Interval of the pings that show a dead connection and measure the lag. */
  pingMs?: number;
}

interface Listener {
  /** Resolves when listening: immediately, or after the retries it takes. */
  ready: () => Promise<void>;
  isUp: () => boolean;
  /** Milliseconds from sending a ping to receiving it as a notice; undefined while the connection is down. */
  lagMs: () => number | undefined;
  close: () => Promise<void>;
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const usualRetryMs = { first: 100, most: 5000 };

/** One persistent LISTEN connection. Not pooled, because a pooled one would be handed to other queries. */
function createListener(options: ListenerOptions): Listener {
  const { newClient, channel, onPayload, onGap, onError, retryMs = usualRetryMs, pingMs = 20_000 } = options;
  const stopping = new AbortController();
  let current: pg.Client | undefined;
  let first: Deferred = Promise.withResolvers();
  let hasListened = false;
  let isUp = false;
  const pings = createPings(channel, pingMs);

  async function listenOnce(): Promise<void> {
    const client = newClient();
    current = client;
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('the connection that listens has ended')));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined && !pings.take(payload)) onPayload(payload);
    });
    let stopPings = (): void => undefined;
    try {
      await Promise.race([client.connect(), lost.promise]);
      await Promise.race([client.query(`listen ${client.escapeIdentifier(channel)}`), lost.promise]);
      if (hasListened) onGap();
      hasListened = true;
      isUp = true;
      stopPings = pings.start(client, lost.reject);
      first.resolve(undefined);
      await lost.promise;
    } finally {
      stopPings();
      isUp = false;
      first = renewed(first);
      await client.end().catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    let delayMs = retryMs.first;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      await listenOnce().catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(asError(error));
      });
      // A connection that lived for a while resets the backoff.
      delayMs = performance.now() - startedMs > retryMs.most ? retryMs.first : Math.min(delayMs * 2, retryMs.most);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = keepListening();
  return {
    ready: async () => {
      await first.promise;
    },
    isUp: () => isUp,
    lagMs: () => (isUp ? pings.lagMs() : undefined),
    close: async () => {
      stopping.abort();
      await current?.end().catch(() => undefined);
      await running;
    },
  };
}

type Deferred = ReturnType<typeof Promise.withResolvers<undefined>>;

/** Chains waiters of the old promise to the new one. */
function renewed(before: Deferred): Deferred {
  const next: Deferred = Promise.withResolvers();
  void next.promise.then(before.resolve);
  return next;
}

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
  /** Starts listening to the database; otherwise the first subscription does. */
  start: () => void;
  /** Delivers every event after this call once: missed events and live events join without gap or duplicate. */
  subscribe: (subscriber: Subscriber, sinceId: string | undefined) => Subscription;
  /**
   * Id from which a page that loads its data afterwards can resume: its data is as new, or an event follows. Undefined while
   * the database connection is down.
   */
  position: () => string | undefined;
  /** Calls `handler` for each notice of all users on this node; `resync` means that some may have been lost. @returns unsubscribes */
  onTopic: (handler: (topic: EventNotice['topic'], userId: string | null) => void) => () => void;
  /** For events of this process only; `notifyUser` publishes what is written to the database. */
  publish: (notice: EventNotice) => void;
  /** Milliseconds from sending a notice to receiving it on this node; undefined while it does not listen. */
  lagMs: () => number | undefined;
  /** Whether this node listens to the database, waiting up to `waitMs` for it. */
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

/** Events of this node: one LISTEN connection, a ring of recent events, and the subscribers. */
export function createEventHub(options: EventHubOptions): EventHub {
  const { newClient, onError = () => undefined, capacity = ringCapacity, ...timing } = options;
  const ring = createEventRing({ node: randomBytes(6).toString('hex'), capacity });
  const subscribers = new Set<Subscriber>();
  const handlers = new Set<(topic: EventNotice['topic'], userId: string | null) => void>();
  let listener: Listener | undefined;

  function publish(notice: EventNotice): void {
    const event = ring.add(notice);
    for (const handler of handlers) handler(notice.topic, notice.userId);
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
      // Stored in the ring like an event: a page that was disconnected during the gap must receive it too.
      onGap: () => publish({ userId: null, topic: 'resync', data: {} }),
      onError,
    }));

  return {
    start: () => void listening(),
    subscribe: (subscriber, sinceId) => {
      listening();
      const missed = sinceId === undefined ? undefined : ring.since(sinceId, subscriber.userId);
      subscribers.add(subscriber);
      return { missed, lastId: ring.lastId(), end: () => void subscribers.delete(subscriber) };
    },
    position: () => (listener?.isUp() === true ? ring.lastId() : undefined),
    onTopic: (handler) => {
      listening();
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    publish,
    lagMs: () => listener?.lagMs(),
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
