import { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { StreamDialect, StreamMessage, StreamTopic } from './streamDialect.ts';

export interface StreamTimings {
  handshakeMs: number;
  /** Poll interval of the rules below. */
  watchMs: number;
  pingEveryMs: number;
  /** Nothing received for this long, pongs included: the connection is dead. */
  deadMs: number;
  /** No data for this long although pongs arrive: no subscription, or the exchange lost it. */
  noDataMs: number;
  backoffMinMs: number;
  backoffMaxMs: number;
  /** Losing a connection that lived this long resets the backoff. */
  stableMs: number;
  /** Exchanges disconnect after 24 hours; reconnecting earlier lets us choose the moment. */
  lifeMs: number;
  /** A topic silent for longer than its own limit is resubscribed, then after twice that time and so on, up to this. */
  resubscribeMsMax: number;
}

export const usualTimings: StreamTimings = {
  handshakeMs: 8000,
  watchMs: 1000,
  pingEveryMs: 15_000,
  deadMs: 25_000,
  noDataMs: 60_000,
  backoffMinMs: 1000,
  backoffMaxMs: 60_000,
  stableMs: 30_000,
  lifeMs: 23 * 3_600_000,
  resubscribeMsMax: 30 * 60_000,
};

export interface ConnectionOptions {
  url: string;
  dialect: StreamDialect;
  timings: StreamTimings;
  clock: Pick<Clock, 'now'>;
  /** Milliseconds until the next handshake is allowed by bans and the connection limit. Counts the handshake when 0. */
  admit: () => number;
  /** The handshake got an HTTP response instead. */
  onRejected: (status: number, headers: Headers) => void;
  onMessage: (message: StreamMessage) => void;
  /** 0 to 1: jitter of the reconnects of many nodes. */
  random: () => number;
}

const largestMessage = 8 * 1024 * 1024;
/** Unreadable messages in a row after which the connection is replaced. */
const unreadableMax = 20;

interface TopicState {
  /** Epoch ms of the topic's last data, or of its subscription when there was none since. */
  dataAtMs: number;
  /** Resubscriptions since then. */
  tries: number;
  triedAtMs: number;
}

interface StreamRequest {
  op: 'subscribe' | 'unsubscribe';
  topics: StreamTopic[];
}

/** A persistent websocket: resubscribes after each loss, backs off exponentially, and obeys the exchange's rate limits and bans. */
export class StreamConnection {
  readonly topics = new Map<string, StreamTopic>();
  readonly #options: ConnectionOptions;
  readonly #watcher: NodeJS.Timeout;
  readonly #topicStates = new Map<string, TopicState>();
  #socket: WebSocket | undefined;
  #isClosed = false;
  #lossCount = 0;
  #retry: NodeJS.Timeout | undefined;
  #sender: NodeJS.Timeout | undefined;
  #queue: StreamRequest[] = [];
  #requestId = 0;
  #seen = { openedAtMs: 0, receivedAtMs: 0, dataAtMs: 0, pingedAtMs: 0, unreadableCount: 0 };

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#watcher = setInterval(() => this.#watch(), options.timings.watchMs).unref();
  }

  isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  add(some: readonly StreamTopic[]): void {
    const isFirst = this.topics.size === 0;
    for (const topic of some) this.topics.set(topic.key, topic);
    this.#restart(some);
    if (this.isOpen()) this.#enqueue('subscribe', some);
    else if (isFirst && this.#socket === undefined) this.#connectIn(0);
  }

  remove(keys: readonly string[]): void {
    const gone = keys.map((key) => this.topics.get(key)).filter((topic) => topic !== undefined);
    for (const { key } of gone) {
      this.topics.delete(key);
      this.#topicStates.delete(key);
    }
    if (this.topics.size === 0) this.#socket?.close();
    else if (this.isOpen()) this.#enqueue('unsubscribe', gone);
  }

  /** Keys of acknowledged topics that were silent for longer than their limit. */
  silent(): string[] {
    if (!this.isOpen()) return [];
    const nowMs = this.#options.clock.now();
    return [...this.topics.values()].filter((topic) => this.#isSilent(topic, nowMs)).map(({ key }) => key);
  }

  /** Epoch ms of the last data of each topic, or of its subscription when there was none since. */
  dataAtMs(): Iterable<readonly [key: string, atMs: number]> {
    return [...this.#topicStates].map(([key, { dataAtMs }]) => [key, dataAtMs] as const);
  }

  #isSilent({ key, silentMs }: StreamTopic, nowMs: number): boolean {
    return nowMs - (this.#topicStates.get(key)?.dataAtMs ?? nowMs) > silentMs;
  }

  /** Starts the silence timers of these topics. */
  #restart(some: readonly StreamTopic[]): void {
    const nowMs = this.#options.clock.now();
    for (const { key } of some) this.#topicStates.set(key, { dataAtMs: nowMs, tries: 0, triedAtMs: nowMs });
  }

  /** Unsubscribes and resubscribes silent topics: an exchange may acknowledge a topic and send nothing on it. */
  #renewSilent(nowMs: number): void {
    const { resubscribeMsMax } = this.#options.timings;
    const due = [...this.topics.values()].filter((topic) => {
      const state = this.#topicStates.get(topic.key);
      if (state === undefined || !this.#isSilent(topic, nowMs)) return false;
      return nowMs - state.triedAtMs > Math.min(resubscribeMsMax, topic.silentMs * 2 ** state.tries);
    });
    if (due.length === 0) return;
    for (const { key } of due) {
      const state = this.#topicStates.get(key);
      if (state !== undefined) this.#topicStates.set(key, { ...state, tries: state.tries + 1, triedAtMs: nowMs });
    }
    this.#enqueue('unsubscribe', due);
    this.#enqueue('subscribe', due);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watcher);
    clearTimeout(this.#retry);
    clearTimeout(this.#sender);
    this.#socket?.terminate();
  }

  #connectIn(ms: number): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), ms).unref();
  }

  #connect(): void {
    if (this.#isClosed || this.topics.size === 0) return;
    const { admit, url, timings } = this.#options;
    const waitMs = admit();
    if (waitMs > 0) {
      this.#connectIn(Math.min(waitMs, 60_000));
      return;
    }
    const socket = new WebSocket(url, {
      handshakeTimeout: timings.handshakeMs,
      maxPayload: largestMessage,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data) => this.#receive((data as Buffer).toString('utf8')));
    socket.on('pong', () => (this.#seen.receivedAtMs = this.#options.clock.now()));
    socket.on('unexpected-response', (_request, response) => {
      const retryAfter = response.headers['retry-after'];
      this.#options.onRejected(
        response.statusCode ?? 0,
        new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      );
      response.destroy();
      socket.terminate();
    });
    // Every error is followed by a close; without a listener it would end the process.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  #opened(): void {
    const nowMs = this.#options.clock.now();
    this.#seen = { openedAtMs: nowMs, receivedAtMs: nowMs, dataAtMs: nowMs, pingedAtMs: nowMs, unreadableCount: 0 };
    this.#queue = [];
    this.#restart([...this.topics.values()]);
    this.#enqueue('subscribe', [...this.topics.values()]);
  }

  #lost(): void {
    this.#socket = undefined;
    clearTimeout(this.#sender);
    this.#sender = undefined;
    if (this.#isClosed) return;
    const { clock, timings, random } = this.#options;
    const { openedAtMs } = this.#seen;
    const wasStable = openedAtMs > 0 && clock.now() - openedAtMs >= timings.stableMs;
    this.#lossCount = wasStable ? 0 : this.#lossCount + 1;
    this.#seen.openedAtMs = 0;
    const mostMs = Math.min(timings.backoffMaxMs, timings.backoffMinMs * 2 ** Math.min(this.#lossCount, 16));
    this.#connectIn(mostMs * (0.5 + 0.5 * random()));
  }

  #enqueue(op: StreamRequest['op'], some: readonly StreamTopic[]): void {
    const { topicsPerRequest } = this.#options.dialect;
    for (let from = 0; from < some.length; from += topicsPerRequest) {
      this.#queue.push({ op, topics: some.slice(from, from + topicsPerRequest) });
    }
    this.#sender ??= setTimeout(() => this.#sendNext(), 0).unref();
  }

  #sendNext(): void {
    this.#sender = undefined;
    if (!this.isOpen()) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    const { dialect } = this.#options;
    this.#socket?.send(dialect.request(next.op, next.topics, ++this.#requestId));
    if (this.#queue.length > 0) {
      this.#sender = setTimeout(() => this.#sendNext(), dialect.requestEveryMs).unref();
    }
  }

  #receive(text: string): void {
    const { clock, dialect, onMessage } = this.#options;
    const nowMs = clock.now();
    this.#seen.receivedAtMs = nowMs;
    const message = readable(dialect, text);
    if (message.kind === 'bars' || message.kind === 'parts') {
      this.#seen.dataAtMs = nowMs;
      this.#seen.unreadableCount = 0;
      if (this.topics.has(message.topic))
        this.#topicStates.set(message.topic, { dataAtMs: nowMs, tries: 0, triedAtMs: nowMs });
    }
    if (message.kind === 'unreadable' && ++this.#seen.unreadableCount >= unreadableMax) this.#socket?.terminate();
    onMessage(message);
  }

  #watch(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const { clock, dialect, timings } = this.#options;
    const { receivedAtMs, dataAtMs, openedAtMs, pingedAtMs } = this.#seen;
    const nowMs = clock.now();
    const isDead = nowMs - receivedAtMs > timings.deadMs || nowMs - dataAtMs > timings.noDataMs;
    if (isDead || nowMs - openedAtMs > timings.lifeMs) {
      socket.terminate();
      return;
    }
    if (nowMs - pingedAtMs < timings.pingEveryMs) return;
    this.#seen.pingedAtMs = nowMs;
    // Together with pings, because exchanges count requests.
    this.#renewSilent(nowMs);
    if (dialect.ping === undefined) socket.ping();
    else socket.send(dialect.ping);
  }
}

/** Parses a frame. The dialect throws on an object where text belongs, which would end the process if uncaught. */
function readable(dialect: StreamDialect, text: string): StreamMessage {
  try {
    return dialect.read(text);
  } catch {
    return { kind: 'unreadable' };
  }
}
