import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { asError } from '../asError.ts';
import { createPartJoiner, splitBody } from './parts.ts';
import { type Bus, type BusMessage, type BusSubscriber, prefixOf } from './port.ts';
import { createPings } from './pings.ts';
import { createReady } from './ready.ts';

export interface PostgresBusOptions {
  /** An unconnected client with the server's login. */
  newClient: () => pg.Client;
  /** The connection was lost, or a subscriber threw. */
  onError?: ((error: Error) => void) | undefined;
  /** Delay before the first retry; it doubles up to `most`. */
  retryMs?: { first: number; most: number };
  /** Interval of the pings that show a dead connection and measure the lag. */
  pingMs?: number;
  /** Root subject of notices that transactions send themselves, with their channel; its messages are bare bodies. */
  notices: { root: string; channel: string; subjectOf: (body: string) => string | undefined };
}

/** PostgreSQL rejects a payload of 8000 bytes. */
const PAYLOAD_MAX = 7900;
const BODY_MAX = 7600;
/** Messages that wait for the connection; more are dropped. */
const QUEUE_MAX = 20_000;
/** Channel of the pings of all nodes. */
const PING_CHANNEL = 'sextant_ping';
const FLUSH_MAX = 2000;

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
      payloads.push(`${payloads.pop() ?? ''}\n${text}`);
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
export const createPostgresBus = (options: PostgresBusOptions): Bus => new PostgresBus(options);

class PostgresBus implements Bus {
  readonly #options: PostgresBusOptions;
  readonly #onError: (error: Error) => void;
  readonly #stopping = new AbortController();
  readonly #subscriptions = new Subscriptions();
  readonly #channelCounts = new Map<string, number>();
  readonly #ready = createReady();
  readonly #join = createPartJoiner();
  readonly #pings: ReturnType<typeof createPings>;
  #queue: Frame[] = [];
  #isFlushing = false;
  #current: Connection | undefined;
  #hasListened = false;
  #running: Promise<void> | undefined;

  constructor(options: PostgresBusOptions) {
    this.#options = options;
    this.#onError = options.onError ?? (() => undefined);
    this.#pings = createPings(PING_CHANNEL, options.pingMs ?? 20_000);
  }

  start(): void {
    this.#running ??= this.#keepListening();
  }

  publish(messages: readonly BusMessage[]): void {
    this.start();
    // Without a connection nothing is sent later: an old message is worth less than none.
    if (!this.#ready.isUp() || this.#queue.length > QUEUE_MAX) return;
    for (const { subject, body } of messages)
      for (const part of splitBody(body, BODY_MAX))
        this.#queue.push({ channel: channelOf(subject, this.#options.notices), text: `${subject} ${part}` });
    void this.#flush();
  }

  subscribe(pattern: string, subscriber: BusSubscriber): () => void {
    this.start();
    const remove = this.#subscriptions.add(pattern, subscriber);
    const stop = this.#listenTo(channelOf(pattern, this.#options.notices));
    return () => {
      remove();
      stop();
    };
  }

  isUp(): boolean {
    return this.#ready.isUp();
  }

  lagMs(): number | undefined {
    return this.#ready.isUp() ? this.#pings.lagMs() : undefined;
  }

  async isReady(waitMs: number): Promise<boolean> {
    this.start();
    if (!(await this.#ready.wait(waitMs)) || this.#current === undefined) return false;
    // Queries of one connection run in order: those before it, among them each LISTEN, are done.
    return this.#current.query('select 1').then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #deliver(message: BusMessage): void {
    for (const { onMessage } of this.#subscriptions.of(message.subject)) {
      try {
        onMessage(message);
      } catch (error) {
        this.#onError(asError(error));
      }
    }
  }

  #take(channel: string, payload: string): void {
    const { notices } = this.#options;
    if (channel === notices.channel) {
      const subject = notices.subjectOf(payload);
      if (subject !== undefined) this.#deliver({ subject, body: payload });
      return;
    }
    for (const line of payload.split('\n')) {
      const cut = line.indexOf(' ');
      const body = cut < 0 ? undefined : this.#join(line.slice(cut + 1));
      if (body !== undefined) this.#deliver({ subject: line.slice(0, cut), body });
    }
  }

  /** Listens to the channels that are not listened to yet. */
  async #listenAll({ client, query, listened }: Connection): Promise<void> {
    const missing = [...this.#channelCounts.keys()].filter((channel) => !listened.has(channel));
    for (const channel of missing) listened.add(channel);
    await Promise.all(missing.map((channel) => query(`listen ${client.escapeIdentifier(channel)}`)));
  }

  async #flush(): Promise<void> {
    const open = this.#current;
    if (this.#isFlushing || open === undefined || !this.#ready.isUp()) return;
    this.#isFlushing = true;
    try {
      while (this.#queue.length > 0 && open === this.#current) {
        const { channels, payloads } = packed(this.#queue.splice(0, FLUSH_MAX));
        const text = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as t (c, p)';
        await open.query({ name: 'bus', text, values: [channels, payloads] });
      }
    } catch (error) {
      open.fail(error);
    } finally {
      this.#isFlushing = false;
    }
  }

  async #listenOnce(): Promise<void> {
    const { newClient } = this.#options;
    const client = newClient();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('the connection that listens has ended')));
    client.on('notification', ({ channel, payload }) => {
      if (payload === undefined) return;
      if (channel === PING_CHANNEL) this.#pings.take(payload);
      else this.#take(channel, payload);
    });
    const open: Connection = { client, query: createQueries(client), fail: lost.reject, listened: new Set() };
    let stopPings = (): void => undefined;
    const abort = (): void => lost.reject(new Error('the bus was closed'));
    this.#stopping.signal.addEventListener('abort', abort);
    try {
      await Promise.race([client.connect(), lost.promise]);
      this.#current = open;
      await Promise.race([open.query(`listen ${PING_CHANNEL}`), lost.promise]);
      stopPings = this.#pings.start(client, lost.reject);
      await Promise.race([this.#listenAll(open), lost.promise]);
      this.#ready.up();
      if (this.#hasListened) for (const { onGap } of this.#subscriptions.all()) onGap?.();
      this.#hasListened = true;
      await lost.promise;
    } finally {
      this.#stopping.signal.removeEventListener('abort', abort);
      stopPings();
      this.#ready.down();
      this.#current = undefined;
      this.#queue = [];
      await client.end().catch(() => undefined);
    }
  }

  async #keepListening(): Promise<void> {
    const { retryMs = { first: 100, most: 5000 } } = this.#options;
    const { signal } = this.#stopping;
    let delayMs = retryMs.first;
    while (!signal.aborted) {
      const startedMs = performance.now();
      await this.#listenOnce().catch((error: unknown) => {
        if (!signal.aborted) this.#onError(asError(error));
      });
      // A connection that lived for a while resets the backoff.
      delayMs = performance.now() - startedMs > retryMs.most ? retryMs.first : Math.min(delayMs * 2, retryMs.most);
      await pause(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Keeps a channel listened to until the result is called. */
  #listenTo(channel: string): () => void {
    const counts = this.#channelCounts;
    counts.set(channel, (counts.get(channel) ?? 0) + 1);
    const open = this.#current;
    if (open !== undefined) this.#listenAll(open).catch(open.fail);
    return () => {
      const left = (counts.get(channel) ?? 1) - 1;
      if (left > 0) {
        counts.set(channel, left);
        return;
      }
      counts.delete(channel);
      if (this.#current?.listened.delete(channel) !== true) return;
      const { client, query, fail } = this.#current;
      query(`unlisten ${client.escapeIdentifier(channel)}`).catch(fail);
    };
  }
}
