import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { createPartJoiner, splitBody } from './parts.ts';
import type { Bus, BusMessage, BusSubscriber } from './port.ts';
import { createReady } from './ready.ts';

export interface NatsBusOptions {
  /** `nats://host:4222`, several separated by commas, or `tls://`. */
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

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

interface Entry {
  subscribers: Set<BusSubscriber>;
  onText: (subject: string, text: string) => void;
  active: Subscription | undefined;
}

/**
 * The bus over NATS. A notice is sent after its commit, so a node that is killed in between loses it: when a node falls silent without
 * a goodbye, the others treat that as a gap, and when a node was cut off, it announces one.
 */
export function createNatsBus(options: NatsBusOptions): Bus {
  const { url, onError = () => undefined, retryMs = 500 } = options;
  const { aliveMs = { every: 2000, lost: 7000 } } = options;
  const node = randomBytes(6).toString('hex');
  const stopping = new AbortController();
  const entries = new Map<string, Entry>();
  const ready = createReady();
  const seenMs = new Map<string, number>();
  let connection: NatsConnection | undefined;
  let hasDropped = false;
  let hasConnected = false;
  let gapTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let beating: NodeJS.Timeout | undefined;

  /** All nodes reconnect at once after a restart of NATS: their announcements are one gap. */
  function gap(): void {
    gapTimer ??= setTimeout(() => {
      gapTimer = undefined;
      for (const { subscribers } of entries.values()) for (const { onGap } of subscribers) onGap?.();
    }, GAP_MS).unref();
  }

  function entryOf(pattern: string): Entry {
    const known = entries.get(pattern);
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
          onError(asError(error));
        }
      }
    };
    const entry: Entry = { subscribers, onText, active: undefined };
    entries.set(pattern, entry);
    activate(pattern, entry);
    return entry;
  }

  function activate(pattern: string, entry: Entry): void {
    entry.active = connection?.subscribe(pattern, {
      callback: (error, message) => {
        if (error === null) entry.onText(message.subject, message.string());
        else onError(error);
      },
    });
  }

  function send(messages: readonly BusMessage[]): void {
    const open = connection;
    if (open === undefined || !ready.isUp()) {
      hasDropped ||= messages.length > 0;
      return;
    }
    try {
      for (const { subject, body } of messages)
        for (const part of splitBody(body, BODY_MAX)) open.publish(subject, part);
    } catch (error) {
      hasDropped = true;
      onError(asError(error));
    }
  }

  const sendOwn = (subject: string): void => send([{ subject, body: JSON.stringify(node) }]);

  function takeOwn({ subject, body }: BusMessage): void {
    if (body === JSON.stringify(node)) return;
    if (subject === GAP) gap();
    if (subject === BYE) seenMs.delete(body);
    if (subject === ALIVE) seenMs.set(body, performance.now());
  }

  function beat(): void {
    if (!ready.isUp()) return;
    sendOwn(ALIVE);
    const lost = [...seenMs].filter(([, atMs]) => performance.now() - atMs > aliveMs.lost);
    for (const [id] of lost) seenMs.delete(id);
    if (lost.length > 0) gap();
  }

  function restored(): void {
    for (const id of seenMs.keys()) seenMs.set(id, performance.now());
    ready.up();
    if (hasDropped) sendOwn(GAP);
    if (hasDropped || hasConnected) gap();
    hasDropped = false;
    hasConnected = true;
    sendOwn(ALIVE);
  }

  async function serve(open: NatsConnection): Promise<void> {
    for await (const { type } of open.status()) {
      if (type === 'disconnect' || type === 'staleConnection') {
        ready.down();
        // What was sent just before may not have arrived.
        hasDropped = true;
        onError(new Error('the connection to NATS was lost'));
      } else if (type === 'reconnect') restored();
    }
  }

  async function keepConnected(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const open = await connect({
          servers: url.split(','),
          name: `sextant ${node}`,
          timeout: CONNECT_MS,
          maxReconnectAttempts: -1,
          reconnectTimeWait: retryMs,
          pingInterval: 2000,
          maxPingOut: 2,
        });
        if (stopping.signal.aborted) return void (await open.close());
        connection = open;
        for (const [pattern, entry] of entries) activate(pattern, entry);
        restored();
        await serve(open);
      } catch (error) {
        onError(asError(error));
      }
      ready.down();
      connection = undefined;
      await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  function start(): void {
    if (running !== undefined) return;
    entryOf('bus.>').subscribers.add({ onMessage: takeOwn });
    beating = setInterval(beat, aliveMs.every).unref();
    running = keepConnected();
  }

  return {
    start,
    publish(messages) {
      start();
      send(messages);
    },
    subscribe(pattern, subscriber) {
      start();
      const entry = entryOf(pattern);
      entry.subscribers.add(subscriber);
      return () => {
        entry.subscribers.delete(subscriber);
        if (entry.subscribers.size > 0 || entries.get(pattern) !== entry) return;
        entries.delete(pattern);
        entry.active?.unsubscribe();
      };
    },
    isUp: ready.isUp,
    async isReady(waitMs) {
      start();
      if (!(await ready.wait(waitMs)) || connection === undefined) return false;
      // The server responds in order: the subscriptions before it are active.
      return connection.flush().then(
        () => true,
        () => false,
      );
    },
    async close() {
      stopping.abort();
      clearInterval(beating);
      clearTimeout(gapTimer);
      if (ready.isUp()) {
        sendOwn(BYE);
        await Promise.race([connection?.flush().catch(() => undefined), pause(CONNECT_MS, undefined, { ref: false })]);
      }
      ready.down();
      await connection?.close().catch(() => undefined);
      await running;
    },
  };
}
