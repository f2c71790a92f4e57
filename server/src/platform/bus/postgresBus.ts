import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createPartJoiner, splitBody } from './parts.ts';
import { type Bus, type BusMessage, type BusSubscriber, prefixOf } from './port.ts';
import { createReady } from './ready.ts';

export interface PostgresBusOptions {
  /** An unconnected client with the server's login. */
  newClient: () => pg.Client;
  /** The connection was lost, or a subscriber threw. */
  onError?: ((error: Error) => void) | undefined;
  /** Delay before the first retry; it doubles up to `most`. */
  retryMs?: { first: number; most: number };
  /** Ping interval of a silent connection. */
  pingMs?: number;
  /** Root subject of notices that transactions send themselves, with their channel; its messages are bare bodies. */
  notices: { root: string; channel: string; subjectOf: (body: string) => string | undefined };
}

/** PostgreSQL rejects a payload of 8000 bytes. */
const PAYLOAD_MAX = 7900;
const BODY_MAX = 7600;
/** Messages that wait for the connection; more are dropped. */
const QUEUE_MAX = 20_000;
const FLUSH_MAX = 2000;

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** One channel for the subjects that share their first two tokens: a node receives only what it listens to. */
function channelOf(subject: string, { root, channel }: PostgresBusOptions['notices']): string {
  const [first = '', second = ''] = subject.split('.');
  return first === root ? channel : `sextant_${first}_${second}`.toLowerCase();
}

type Query = (query: string | pg.QueryConfig) => Promise<unknown>;

/** The queries of one connection, one after the other: a message sent after LISTEN is received. */
function createQueries(client: pg.Client): Query {
  let last: Promise<unknown> = Promise.resolve();
  return (query) => {
    const next = last.catch(() => undefined).then(() => client.query(query));
    next.catch(() => undefined);
    last = next;
    return next;
  };
}

interface Connection {
  client: pg.Client;
  query: Query;
  fail: (error: unknown) => void;
  listened: Set<string>;
}

/** Subscribers by exact subject and by the start of subjects. */
class Subscriptions {
  readonly #exact = new Map<string, Set<BusSubscriber>>();
  readonly #starts = new Map<string, Set<BusSubscriber>>();

  add(pattern: string, subscriber: BusSubscriber): () => void {
    const start = prefixOf(pattern);
    const [map, key] = start === undefined ? [this.#exact, pattern] : [this.#starts, start];
    const set = map.get(key) ?? new Set();
    map.set(key, set.add(subscriber));
    return () => {
      set.delete(subscriber);
      if (set.size === 0 && map.get(key) === set) map.delete(key);
    };
  }

  of(subject: string): BusSubscriber[] {
    const matches = [...(this.#exact.get(subject) ?? [])];
    if (this.#starts.size === 0) return matches;
    for (let dot = subject.indexOf('.'); dot >= 0; dot = subject.indexOf('.', dot + 1))
      matches.push(...(this.#starts.get(subject.slice(0, dot + 1)) ?? []));
    return matches;
  }

  all(): BusSubscriber[] {
    return [...this.#exact.values(), ...this.#starts.values()].flatMap((set) => [...set]);
  }
}

interface Frame {
  channel: string;
  text: string;
}

/** As few notices as possible in the same order: successive frames of one channel share a payload, a line each. */
function packed(frames: readonly Frame[]): { channels: string[]; payloads: string[] } {
  const channels: string[] = [];
  const payloads: string[] = [];
  let byteCount = 0;
  for (const { channel, text } of frames) {
    const bytes = Buffer.byteLength(text) + 1;
    if (channel === channels.at(-1) && byteCount + bytes <= PAYLOAD_MAX) {
      payloads[payloads.length - 1] += `\n${text}`;
      byteCount += bytes;
      continue;
    }
    channels.push(channel);
    payloads.push(text);
    byteCount = bytes;
  }
  return { channels, payloads };
}

/**
 * The bus over NOTIFY, on one connection that also listens. Not pooled, because a pooled one would be handed to other queries.
 */
export function createPostgresBus(options: PostgresBusOptions): Bus {
  const { newClient, onError = () => undefined, notices } = options;
  const { retryMs = { first: 100, most: 5000 }, pingMs = 20_000 } = options;
  const stopping = new AbortController();
  const subscriptions = new Subscriptions();
  const channelCounts = new Map<string, number>();
  const ready = createReady();
  const join = createPartJoiner();
  let queue: Frame[] = [];
  let isFlushing = false;
  let current: Connection | undefined;
  let hasListened = false;
  let running: Promise<void> | undefined;

  function deliver(message: BusMessage): void {
    for (const { onMessage } of subscriptions.of(message.subject)) {
      try {
        onMessage(message);
      } catch (error) {
        onError(asError(error));
      }
    }
  }

  function take(channel: string, payload: string): void {
    if (channel === notices.channel) {
      const subject = notices.subjectOf(payload);
      if (subject !== undefined) deliver({ subject, body: payload });
      return;
    }
    for (const line of payload.split('\n')) {
      const cut = line.indexOf(' ');
      const body = cut < 0 ? undefined : join(line.slice(cut + 1));
      if (body !== undefined) deliver({ subject: line.slice(0, cut), body });
    }
  }

  /** Listens to the channels that are not listened to yet, in the order of the queries of this connection. */
  async function listenAll({ client, query, listened }: Connection): Promise<void> {
    const missing = [...channelCounts.keys()].filter((channel) => !listened.has(channel));
    for (const channel of missing) listened.add(channel);
    await Promise.all(missing.map((channel) => query(`listen ${client.escapeIdentifier(channel)}`)));
  }

  async function flush(): Promise<void> {
    const open = current;
    if (isFlushing || open === undefined || !ready.isUp()) return;
    isFlushing = true;
    try {
      while (queue.length > 0 && open === current) {
        const { channels, payloads } = packed(queue.splice(0, FLUSH_MAX));
        const text = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as t (c, p)';
        await open.query({ name: 'bus', text, values: [channels, payloads] });
      }
    } catch (error) {
      open.fail(error);
    } finally {
      isFlushing = false;
    }
  }

  async function listenOnce(): Promise<void> {
    const client = newClient();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('the connection that listens has ended')));
    client.on('notification', ({ channel, payload }) => {
      if (payload !== undefined) take(channel, payload);
    });
    const open: Connection = { client, query: createQueries(client), fail: lost.reject, listened: new Set() };
    // A network that drops packets closes no connection: only a response proves that the other side is alive.
    const ping = setInterval(() => void open.query('select 1').catch(lost.reject), pingMs);
    const abort = (): void => lost.reject(new Error('the bus was closed'));
    stopping.signal.addEventListener('abort', abort);
    try {
      await Promise.race([client.connect(), lost.promise]);
      current = open;
      await Promise.race([listenAll(open), lost.promise]);
      ready.up();
      if (hasListened) for (const { onGap } of subscriptions.all()) onGap?.();
      hasListened = true;
      void flush();
      await lost.promise;
    } finally {
      stopping.signal.removeEventListener('abort', abort);
      clearInterval(ping);
      ready.down();
      current = undefined;
      queue = [];
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

  const start = (): void => void (running ??= keepListening());

  /** Keeps a channel listened to until the result is called. */
  function listenTo(channel: string): () => void {
    channelCounts.set(channel, (channelCounts.get(channel) ?? 0) + 1);
    const open = current;
    if (open !== undefined) listenAll(open).catch(open.fail);
    return () => {
      const left = (channelCounts.get(channel) ?? 1) - 1;
      if (left > 0) return void channelCounts.set(channel, left);
      channelCounts.delete(channel);
      if (current?.listened.delete(channel) !== true) return;
      const { client, query, fail } = current;
      query(`unlisten ${client.escapeIdentifier(channel)}`).catch(fail);
    };
  }

  return {
    start,
    publish(messages) {
      start();
      // Without a connection nothing is sent later: an old message is worth less than none.
      if (!ready.isUp() || queue.length > QUEUE_MAX) return;
      for (const { subject, body } of messages)
        for (const part of splitBody(body, BODY_MAX))
          queue.push({ channel: channelOf(subject, notices), text: `${subject} ${part}` });
      void flush();
    },
    subscribe(pattern, subscriber) {
      start();
      const remove = subscriptions.add(pattern, subscriber);
      const stop = listenTo(channelOf(pattern, notices));
      return () => {
        remove();
        stop();
      };
    },
    isUp: ready.isUp,
    async isReady(waitMs) {
      start();
      if (!(await ready.wait(waitMs)) || current === undefined) return false;
      // Queries of one connection run in order: those before it, among them each LISTEN, are done.
      return current.query('select 1').then(
        () => true,
        () => false,
      );
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
