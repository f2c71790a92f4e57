import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Market } from '../market/seededMarket.ts';
import type { Listing, VenueId } from '../market/venues.ts';
import { intervalMs, type Wire } from '../wire.ts';
import { binanceStreams } from '../binance/stream.ts';
import { bybitStreams } from '../bybit/stream.ts';
import { okxStreams } from '../okx/stream.ts';
import { createStreamFaults, type StreamFaultName, type StreamFaultSwitch } from './streamFaults.ts';
import type { Session, StreamDialect, Topic } from './streamWire.ts';

export interface StreamsOptions {
  market: Market;
  listings: Record<VenueId, ReadonlyMap<string, Listing>>;
  now: () => number;
}

export interface StreamsFake {
  faults: StreamFaultSwitch;
  /** Handshakes since the start or the last clear, rejected ones included. */
  connects: { venue: VenueId; path: string; atMs: number; isRejected: boolean }[];
  /** Takes over the handshake of a request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends what is due now; also runs every second on a timer. */
  tick(): void;
  /** Topics that are subscribed to on all connections of a venue. */
  topicCount(venue: VenueId): number;
  close(): void;
}

const dialects: readonly StreamDialect[] = [binanceStreams, bybitStreams, okxStreams];
const tickMs = 1000;
/** A field whose conversion to text throws in each of the dialects. */
const strange = { toString: 0, valueOf: 0 };
const strangeFrame = JSON.stringify({
  e: 'kline',
  s: strange,
  k: { i: strange },
  success: false,
  ret_msg: strange,
  event: 'error',
  msg: strange,
  error: { msg: strange },
});
/** How often the running bar of a quiet series is pushed; the real venues do so with each trade, up to four times a second. */
const runningBarMs = 20_000;

interface Subscribed {
  topic: Topic;
  dueAtMs: number;
  isFirst: boolean;
  /** Candles: open of the next bar to be pushed as closed. */
  nextOpenMs: number;
  closedCount: number;
  isMuted: boolean;
}

interface Client {
  socket: WebSocket;
  dialect: StreamDialect;
  session: Session;
  topics: Map<string, Subscribed>;
  /** Real time, as for all that is about the connection: a test's clock jumps. */
  receivedAtMs: number;
  /** Arrival times of the last second's messages. */
  recent: number[];
  pingedAtMs: number;
  held: string[];
  /** First message sent while the sequence is reset. */
  sentFirst: string[] | undefined;
}

/** The streams of the three venues on their documented paths, on the server that also serves REST. */
export function createStreams({ market, listings, now }: StreamsOptions): StreamsFake {
  const faults = createStreamFaults();
  const sockets = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 1024 * 1024 });
  const clients = new Set<Client>();
  const connects: StreamsFake['connects'] = [];
  const wireOf = (venue: VenueId, nowMs: number): Wire => ({ market, listings: listings[venue], nowMs });

  function accept(socket: WebSocket, dialect: StreamDialect, path: string): void {
    const session: Session = { path, wire: wireOf(dialect.venue, now()), topicCount: 0, isRejecting: false };
    const start = performance.now();
    const client: Client = {
      socket,
      dialect,
      session,
      topics: new Map(),
      receivedAtMs: start,
      recent: [],
      pingedAtMs: start,
      held: [],
      sentFirst: undefined,
    };
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    socket.on('error', () => socket.terminate());
    const isOn = (fault: StreamFaultName): boolean => faults.take(dialect.venue, fault) !== undefined;
    socket.on('ping', (data) => {
      client.receivedAtMs = performance.now();
      if (!isOn('silence')) socket.pong(data);
    });
    socket.on('pong', () => (client.receivedAtMs = performance.now()));
    socket.on('message', (data) => receive(client, (data as Buffer).toString('utf8')));
  }

  function receive(client: Client, text: string): void {
    const { dialect, session, socket, topics } = client;
    const nowMs = now();
    client.receivedAtMs = performance.now();
    client.recent = [...client.recent.filter((atMs) => atMs > client.receivedAtMs - 1000), client.receivedAtMs];
    if (client.recent.length > dialect.messagesPerSecond) {
      socket.close(1008, 'Too many requests');
      return;
    }
    if (faults.take(dialect.venue, 'silence') !== undefined && text.includes('ping')) return;
    session.wire = wireOf(dialect.venue, nowMs);
    session.topicCount = topics.size;
    const rejection = text.includes('ping') ? undefined : faults.take(dialect.venue, 'rejectedSubscription');
    session.isRejecting = rejection !== undefined;
    session.rejectionForm = rejection?.form;
    const { replies, subscribe = [], unsubscribe = [], isOffence = false } = dialect.react(session, text);
    for (const response of replies) socket.send(response);
    if (isOffence) socket.close(1003, 'unreadable');
    for (const name of unsubscribe) topics.delete(name);
    for (const topic of subscribe) {
      const span = topic.kind === 'candle' ? (intervalMs[topic.interval] as number) : 1;
      const nextOpenMs = Math.floor(nowMs / span) * span;
      topics.set(topic.name, {
        topic,
        dueAtMs: nowMs,
        isFirst: true,
        nextOpenMs,
        closedCount: 0,
        isMuted: isMuted(dialect.venue, topic),
      });
    }
    if (subscribe.length > 0) push(client, nowMs);
  }

  function isMuted(venue: VenueId, topic: Topic): boolean {
    if (topic.kind !== 'candle') return false;
    const { base } = topic.listing.instrument;
    const rule = faults.list().find((each) => each.fault === 'mutedKlines' && (each.base ?? base) === base);
    return rule !== undefined && (rule.venue ?? venue) === venue;
  }

  /** Frames of one subscription that are due. */
  function due(client: Client, subscribed: Subscribed, nowMs: number): object[] {
    const { venue } = client.dialect;
    const { topic } = subscribed;
    // Symbols that are delisted or not trading send nothing.
    const isTraded = ({ id, state = 'trading' }: Listing) => listings[venue].has(id) && state === 'trading';
    if (subscribed.isMuted || (topic.listing !== undefined && !isTraded(topic.listing))) return [];
    const on = (fault: StreamFaultName): boolean => faults.take(venue, fault) !== undefined;
    const foreign = on('wrongSymbol') ? otherThan(venue) : (listing: Listing): Listing => listing;
    const wire = wireOf(venue, nowMs);
    const shown = on('staleClock') ? { ...wire, nowMs: nowMs - 3_600_000 } : wire;
    if (topic.kind === 'candle') return dueCandles(client, { ...subscribed, topic }, subscribed, wire, shown, foreign);
    if (subscribed.dueAtMs > nowMs) return [];
    const frames = (subscribed.isFirst ? topic.first : topic.next)(shown, foreign);
    subscribed.isFirst = false;
    subscribed.dueAtMs = nowMs + topic.everyMs - tickMs / 2;
    return frames;
  }

  function dueCandles(
    { dialect }: Client,
    { topic }: Subscribed & { topic: Topic & { kind: 'candle' } },
    state: Subscribed,
    wire: Wire,
    shown: Wire,
    foreign: (listing: Listing) => Listing,
  ): object[] {
    const span = intervalMs[topic.interval] as number;
    const listing = foreign(topic.listing);
    const bars = (fromMs: number, toMs: number) => market.candles(listing, topic.interval, fromMs, toMs, wire.nowMs);
    const runningMs = Math.floor(wire.nowMs / span) * span;
    const isUnclosed = faults.take(dialect.venue, 'unclosedOnly') !== undefined;
    const frames: object[] = [];
    for (const bar of runningMs > state.nextOpenMs ? bars(state.nextOpenMs, runningMs) : []) {
      state.closedCount++;
      const isSkipped = state.closedCount % 2 === 1 && faults.take(dialect.venue, 'skippedBar') !== undefined;
      if (!isSkipped) frames.push(dialect.candle(shown, topic, listing, bar, !isUnclosed));
    }
    state.nextOpenMs = Math.max(state.nextOpenMs, runningMs);
    if (state.dueAtMs <= wire.nowMs) {
      // Spread over time by where the symbol stands in the alphabet: all at once would be a burst every twenty seconds.
      state.dueAtMs =
        wire.nowMs + runningBarMs * (state.isFirst ? 0.5 + (topic.listing.instrument.seed % 100) / 100 : 1);
      state.isFirst = false;
      for (const bar of bars(runningMs, runningMs + span))
        frames.push(dialect.candle(shown, topic, listing, bar, false));
    }
    return frames;
  }

  /** The next symbol in the venue's list, for everyone. */
  function otherThan(venue: VenueId): (listing: Listing) => Listing {
    const all = [...listings[venue].values()];
    return (listing) => all[(all.indexOf(listing) + 1) % all.length] ?? listing;
  }

  function push(client: Client, nowMs: number): void {
    const { venue } = client.dialect;
    if (faults.take(venue, 'silence') !== undefined) return;
    const texts: string[] = [];
    for (const subscribed of client.topics.values()) {
      for (const frame of due(client, subscribed, nowMs)) texts.push(JSON.stringify(frame));
    }
    if (texts.length > 0 && faults.take(venue, 'drop') !== undefined) {
      client.socket.terminate();
      return;
    }
    send(client, damaged(venue, texts));
  }

  function send(client: Client, texts: string[]): void {
    if (texts.length === 0) return;
    const { venue } = client.dialect;
    if (client.held.length === 0 && faults.take(venue, 'outOfOrder') !== undefined) {
      // Held back until the next push has gone out.
      client.held = texts;
      return;
    }
    const out = [...texts, ...client.held, ...startedOver(client, texts)];
    client.held = [];
    const slow = faults.take(venue, 'slow');
    const go = (): void => {
      for (const text of out) if (client.socket.readyState === client.socket.OPEN) client.socket.send(text);
    };
    if (slow === undefined) go();
    else setTimeout(go, slow.delayMs).unref();
  }

  function damaged(venue: VenueId, texts: string[]): string[] {
    if (faults.take(venue, 'garbage') !== undefined) {
      return texts.map((text, index) =>
        index % 2 === 0 ? text.slice(0, text.length / 2) : '<html>Bad gateway</html>',
      );
    }
    if (faults.take(venue, 'strangeJson') !== undefined) return texts.map(() => strangeFrame);
    if (faults.take(venue, 'badNumbers') !== undefined) {
      const bad = ['"abc"', '"NaN"', '"-1.5"', '"1e999"', 'null', '""', '"0"'];
      return texts.map((text, index) => text.replaceAll(/"-?\d+\.\d+"/g, bad[index % bad.length] as string));
    }
    return faults.take(venue, 'duplicate') === undefined ? texts : texts.flatMap((text) => [text, text]);
  }

  function startedOver(client: Client, texts: string[]): string[] {
    if (faults.take(client.dialect.venue, 'sequenceReset') === undefined) return [];
    const before = client.sentFirst;
    client.sentFirst ??= texts;
    return before ?? [];
  }

  function tick(): void {
    const nowMs = now();
    const realMs = performance.now();
    for (const client of [...clients]) {
      const { pingEveryMs, quietMsMax } = client.dialect;
      if (pingEveryMs !== undefined && realMs - client.pingedAtMs >= pingEveryMs) {
        client.pingedAtMs = realMs;
        client.socket.ping();
      }
      if (quietMsMax !== undefined && realMs - client.receivedAtMs > quietMsMax)
        client.socket.close(4004, 'No data received');
      else push(client, nowMs);
    }
  }

  const timer = setInterval(tick, tickMs).unref();

  return {
    faults,
    connects,
    tick,
    topicCount: (venue) =>
      [...clients].reduce((sum, { dialect, topics }) => sum + (dialect.venue === venue ? topics.size : 0), 0),
    upgrade(request, socket, head) {
      const path = new URL(request.url ?? '/', 'http://loopback').pathname;
      const dialect = dialects.find(({ paths }) => paths.includes(path));
      if (dialect === undefined) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
        return;
      }
      const rejection = faults.take(dialect.venue, 'refusedUpgrade');
      connects.push({ venue: dialect.venue, path, atMs: now(), isRejected: rejection !== undefined });
      if (rejection !== undefined) {
        socket.end(
          `HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${rejection.retryAfterS}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        return;
      }
      sockets.handleUpgrade(request, socket, head, (accepted) => accept(accepted, dialect, path));
    },
    close() {
      clearInterval(timer);
      for (const { socket } of clients) socket.terminate();
      sockets.close();
    },
  };
}
