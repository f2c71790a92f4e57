import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createEventRing, isFor, type StoredEvent } from './eventRing.ts';
import { eventChannel, parseNotice } from './notify.ts';
import type { EventNotice } from './topics.ts';

interface ListenerOptions {
  /** A client that is not connected yet, with the login of the server. */
  newClient: () => pg.Client;
  channel: string;
  onPayload: (payload: string) => void;
  /** It listens again after a gap in which notices may have been lost. */
  onGap: () => void;
  onError: (error: Error) => void;
  /** First delay before the next try; it doubles up to the last one. */
  retryMs?: { first: number; most: number };
  /** How often a silent connection is asked whether it still lives. */
  pingMs?: number;
}

interface Listener {
  /** Resolves when it listens: at once, or after the tries it takes. */
  ready: () => Promise<void>;
  isUp: () => boolean;
  close: () => Promise<void>;
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** One connection that listens for ever. Its own, because a pooled one would be handed to other queries. */
function createListener(options: ListenerOptions): Listener {
  const { newClient, channel, onPayload, onGap, onError } = options;
  const { retryMs = { first: 100, most: 5000 }, pingMs = 20_000 } = options;
  const stopping = new AbortController();
  let current: pg.Client | undefined;
  let first: Deferred = Promise.withResolvers();
  let hasListened = false;
  let isUp = false;

  async function listenOnce(): Promise<void> {
    const client = newClient();
    current = client;
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('the connection that listens has ended')));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) onPayload(payload);
    });
    // A network that swallows packets closes nothing: only an answer shows that the other side is there.
    const ping = setInterval(() => void client.query('select 1').catch(lost.reject), pingMs);
    try {
      await Promise.race([client.connect(), lost.promise]);
      await Promise.race([client.query(`listen ${client.escapeIdentifier(channel)}`), lost.promise]);
      if (hasListened) onGap();
      hasListened = true;
      isUp = true;
      first.resolve(undefined);
      await lost.promise;
    } finally {
      clearInterval(ping);
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
      // What held for a while has not failed: the next try comes soon again.
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
  /** Hears the database from now on; without this from the first subscription on. */
  start: () => void;
  /** From this call on nothing is lost and nothing comes twice: what was missed and what comes next meet without a gap. */
  subscribe: (subscriber: Subscriber, sinceId: string | undefined) => Subscription;
  /**
   * Id after which a page that asks its questions from now on may resume: what it is told is as new, or comes as an event. Undefined while
   * the database is not heard.
   */
  position: () => string | undefined;
  /** Calls `handler` for each notice of all users on this node; `resync` means that some may have been lost. The answer ends it. */
  onTopic: (handler: (topic: EventNotice['topic'], userId: string | null) => void) => () => void;
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
      // Kept in the ring like an event: a page that was away during the gap must hear of it too.
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
