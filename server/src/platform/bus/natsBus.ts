import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConnectionOptions, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { asError } from '../asError.ts';
import { createPartJoiner, splitBody } from './parts.ts';
import type { Bus, BusMessage, BusSubscriber } from './port.ts';
import { createReady } from './ready.ts';

export interface NatsBusOptions {
  /** `nats://user:password@host:4222`, several separated by commas, or `tls://`. The first user applies to all. */
  url: string;
  onError?: ((error: Error) => void) | undefined;
  /** Pause between attempts to connect. */
  retryMs?: number;
  /** How often a node states that it is alive, and after what silence the others assume that it ended. */
  aliveMs?: { every: number; lost: number };
}

/** NATS accepts a megabyte a message by default. */
const BODY_MAX = 512 * 1024;
const CONNECT_MS = 2000;
const GAP_MS = 200;
/** Own subjects of the bus: another node lost messages; this node is alive; this node ends. */
const GAP = 'bus.gap';
const ALIVE = 'bus.alive';
const BYE = 'bus.bye';

/**
 * How the client is given `NATS_URL`: it ignores the user of an address, takes a password that starts with a digit for the port, and would go
 * on without TLS where a server has none.
 */
export function readServers(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const urls = url.split(',').map((each) => new URL(each));
  const login = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ host }) => host),
    ...(login === undefined
      ? {}
      : { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
}

interface Entry {
  subscribers: Set<BusSubscriber>;
  onText: (subject: string, text: string) => void;
  active: Subscription | undefined;
}

/**
 * The bus over NATS. A notice is sent after its commit, so a node that is killed in between loses it: when a node falls silent without
 * a goodbye, the others treat that as a gap, and when a node was cut off, it announces one.
 */
export const createNatsBus = (options: NatsBusOptions): Bus => new NatsBus(options);

class NatsBus implements Bus {
  readonly #options: NatsBusOptions;
  readonly #onError: (error: Error) => void;
  readonly #retryMs: number;
  readonly #aliveMs: { every: number; lost: number };
  readonly #node = randomBytes(6).toString('hex');
  readonly #stopping = new AbortController();
  readonly #entries = new Map<string, Entry>();
  readonly #ready = createReady();
  readonly #seenMs = new Map<string, number>();
  #connection: NatsConnection | undefined;
  #sentMs: number | undefined;
  #lagMs: number | undefined;
  #hasDropped = false;
  #hasConnected = false;
  #gapTimer: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: NatsBusOptions) {
    this.#options = options;
    this.#onError = options.onError ?? (() => undefined);
    this.#retryMs = options.retryMs ?? 500;
    this.#aliveMs = options.aliveMs ?? { every: 2000, lost: 7000 };
  }

  start(): void {
    if (this.#running !== undefined) return;
    this.#entryOf('bus.>').subscribers.add({ onMessage: (message) => this.#takeOwn(message) });
    this.#beating = setInterval(() => this.#beat(), this.#aliveMs.every).unref();
    this.#running = this.#keepConnected();
  }

  publish(messages: readonly BusMessage[]): void {
    this.start();
    const open = this.#connection;
    if (open === undefined || !this.#ready.isUp()) {
      this.#hasDropped ||= messages.length > 0;
      return;
    }
    try {
      for (const { subject, body } of messages)
        for (const part of splitBody(body, BODY_MAX)) open.publish(subject, part);
    } catch (error) {
      this.#hasDropped = true;
      this.#onError(asError(error));
    }
  }

  subscribe(pattern: string, subscriber: BusSubscriber): () => void {
    this.start();
    const entry = this.#entryOf(pattern);
    entry.subscribers.add(subscriber);
    return () => {
      entry.subscribers.delete(subscriber);
      if (entry.subscribers.size > 0 || this.#entries.get(pattern) !== entry) return;
      this.#entries.delete(pattern);
      entry.active?.unsubscribe();
    };
  }

  isUp(): boolean {
    return this.#ready.isUp();
  }

  lagMs(): number | undefined {
    if (!this.#ready.isUp() || this.#lagMs === undefined) return undefined;
    return this.#sentMs === undefined ? this.#lagMs : Math.max(this.#lagMs, performance.now() - this.#sentMs);
  }

  async isReady(waitMs: number): Promise<boolean> {
    this.start();
    if (!(await this.#ready.wait(waitMs)) || this.#connection === undefined) return false;
    // The server responds in order: the subscriptions before it are active.
    return this.#connection.flush().then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#beating);
    clearTimeout(this.#gapTimer);
    if (this.#ready.isUp()) {
      this.#sendOwn(BYE);
      const sent = this.#connection?.flush().catch(() => undefined);
      await Promise.race([sent, pause(CONNECT_MS, undefined, { ref: false })]);
    }
    this.#ready.down();
    await this.#connection?.close().catch(() => undefined);
    await this.#running;
  }

  /** All nodes reconnect at once after a restart of NATS: their announcements are one gap. */
  #gap(): void {
    this.#gapTimer ??= setTimeout(() => {
      this.#gapTimer = undefined;
      for (const { subscribers } of this.#entries.values()) for (const { onGap } of subscribers) onGap?.();
    }, GAP_MS).unref();
  }

  #entryOf(pattern: string): Entry {
    const known = this.#entries.get(pattern);
    if (known !== undefined) return known;
    const join = createPartJoiner();
    const subscribers = new Set<BusSubscriber>();
    const onText = (subject: string, text: string): void => {
      const body = join(text);
      if (body === undefined) return;
      for (const { onMessage } of subscribers) {
        try {
          onMessage({ subject, body });
        } catch (error) {
          this.#onError(asError(error));
        }
      }
    };
    const entry: Entry = { subscribers, onText, active: undefined };
    this.#entries.set(pattern, entry);
    this.#activate(pattern, entry);
    return entry;
  }

  #activate(pattern: string, entry: Entry): void {
    entry.active = this.#connection?.subscribe(pattern, {
      callback: (error, message) => {
        if (error === null) entry.onText(message.subject, message.string());
        else this.#onError(error);
      },
    });
  }

  #sendOwn(subject: string): void {
    this.publish([{ subject, body: JSON.stringify(this.#node) }]);
  }

  #takeOwn({ subject, body }: BusMessage): void {
    if (body === JSON.stringify(this.#node)) {
      if (subject === ALIVE && this.#sentMs !== undefined) this.#lagMs = performance.now() - this.#sentMs;
      if (subject === ALIVE) this.#sentMs = undefined;
      return;
    }
    if (subject === GAP) this.#gap();
    if (subject === BYE) this.#seenMs.delete(body);
    if (subject === ALIVE) this.#seenMs.set(body, performance.now());
  }

  /** It comes back to this node as well: the way there and back is the lag. */
  #sendAlive(): void {
    this.#sentMs ??= performance.now();
    this.#sendOwn(ALIVE);
  }

  #beat(): void {
    if (!this.#ready.isUp()) return;
    this.#sendAlive();
    const lost = [...this.#seenMs].filter(([, atMs]) => performance.now() - atMs > this.#aliveMs.lost);
    for (const [id] of lost) this.#seenMs.delete(id);
    if (lost.length > 0) this.#gap();
  }

  #restored(): void {
    for (const id of this.#seenMs.keys()) this.#seenMs.set(id, performance.now());
    this.#ready.up();
    if (this.#hasDropped) this.#sendOwn(GAP);
    if (this.#hasDropped || this.#hasConnected) this.#gap();
    this.#hasDropped = false;
    this.#hasConnected = true;
    this.#sentMs = undefined;
    this.#lagMs = undefined;
    this.#sendAlive();
  }

  /** Until the connection is closed; the client reconnects by itself. */
  async #serve(open: NatsConnection): Promise<void> {
    this.#connection = open;
    for (const [pattern, entry] of this.#entries) this.#activate(pattern, entry);
    this.#restored();
    for await (const { type } of open.status()) {
      if (type === 'disconnect' || type === 'staleConnection') {
        this.#ready.down();
        // What was sent just before may not have arrived.
        this.#hasDropped = true;
        this.#onError(new Error('the connection to NATS was lost'));
      } else if (type === 'reconnect') this.#restored();
    }
  }

  async #connectOnce(): Promise<void> {
    const open = await connect({
      ...readServers(this.#options.url),
      name: `sextant ${this.#node}`,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: this.#retryMs,
      pingInterval: 2000,
      maxPingOut: 2,
    });
    if (this.#stopping.signal.aborted) await open.close();
    else await this.#serve(open);
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#connectOnce().catch((error: unknown) => this.#onError(asError(error)));
      this.#ready.down();
      this.#connection = undefined;
      await pause(this.#retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
