import type { FeedHealth, FeedListener, FeedWish, VenueFeed } from '../../../features/market/port.ts';
import { ok, type Outcome } from '../../../platform/errors.ts';
import { type Budget, createBudget } from '../budget.ts';
import type { Clock } from '../clock.ts';
import type { Guard } from '../guard.ts';
import type { VenueRules } from '../rules.ts';
import type { Listed } from '../universe.ts';
import { retryAfterMs } from '../verdict.ts';
import { closedBarOf } from './closedBar.ts';
import { StreamConnection, type StreamTimings } from './connection.ts';
import { createMergedQuotes } from './mergedQuotes.ts';
import type { RawBar, RawPart, StreamDialect, StreamMessage, StreamTopic } from './streamDialect.ts';

export interface FeedOptions {
  rules: VenueRules;
  dialect: StreamDialect;
  /** Origin of the websockets: `wss://host`. */
  origin: string;
  timings: StreamTimings;
  clock: Clock;
  /** The same as for REST: a ban is for the address, whatever it asks with. */
  guard: Pick<Guard, 'ban' | 'banLeftMs'>;
  universe: () => Promise<Outcome<Map<string, Listed>>>;
  random?: () => number;
}

/** The streams of one exchange, spread over as many connections as its limits ask for. */
export class StreamFeed implements VenueFeed {
  readonly #options: FeedOptions;
  readonly #listener: FeedListener;
  readonly #connects: Budget;
  readonly #quotes: ReturnType<typeof createMergedQuotes>;
  readonly #connections: { path: string; connection: StreamConnection }[] = [];
  readonly #counts = { connectCount: 0, unreadableCount: 0, refusedBarCount: 0 };
  #messageAtMs: number | null = null;
  #symbols = new Map<string, string>();
  #isClosed = false;

  constructor(options: FeedOptions, listener: FeedListener) {
    this.#options = options;
    this.#listener = listener;
    this.#connects = createBudget(options.dialect.connects);
    this.#quotes = createMergedQuotes(options.clock.now);
  }

  async want({ prices, candles }: FeedWish): Promise<Outcome<null>> {
    const { dialect } = this.#options;
    const universe = await this.#options.universe();
    if (!universe.ok) return universe;
    if (this.#isClosed) return ok(null);
    const listed = universe.value;
    this.#symbols = new Map([...listed.values()].map(({ id, listing }) => [id, listing.symbol]));
    const idOf = (symbol: string): string[] => [listed.get(symbol)?.id].filter((id) => id !== undefined);
    const ids = prices.flatMap(idOf);
    const topics = [
      ...(ids.length === 0 ? [] : dialect.priceTopics(ids)),
      ...candles.flatMap(({ symbol, interval }) => idOf(symbol).map((id) => dialect.candleTopic(id, interval))),
    ];
    this.#apply(new Map(topics.map((topic) => [topic.key, topic])));
    return ok(null);
  }

  health(): FeedHealth {
    const openCount = this.#connections.filter(({ connection }) => connection.isOpen()).length;
    const connectionCount = this.#connections.length;
    return { ...this.#counts, connectionCount, openCount, messageAtMs: this.#messageAtMs };
  }

  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#connections) connection.close();
  }

  #apply(wanted: ReadonlyMap<string, StreamTopic>): void {
    const served = new Set<string>();
    for (const { connection } of this.#connections) {
      const gone = [...connection.topics.keys()].filter((key) => !wanted.has(key));
      if (gone.length > 0) connection.remove(gone);
      for (const key of connection.topics.keys()) served.add(key);
    }
    const added = new Map<StreamConnection, StreamTopic[]>();
    for (const topic of wanted.values()) {
      if (served.has(topic.key)) continue;
      const connection = this.#withRoom(topic.path, added);
      added.set(connection, [...(added.get(connection) ?? []), topic]);
    }
    for (const [connection, topics] of added) connection.add(topics);
  }

  #withRoom(path: string, added: ReadonlyMap<StreamConnection, StreamTopic[]>): StreamConnection {
    const { dialect, origin, timings, clock, random = Math.random } = this.#options;
    const found = this.#connections.find(
      (each) =>
        each.path === path &&
        each.connection.topics.size + (added.get(each.connection)?.length ?? 0) < dialect.topicsPerConnection,
    );
    if (found !== undefined) return found.connection;
    const connection = new StreamConnection({
      url: origin + path,
      dialect,
      timings,
      clock,
      admit: () => this.#admit(),
      onRefused: (status, headers) => this.#refused(status, headers),
      onMessage: (message) => this.#hear(message),
      random,
    });
    this.#connections.push({ path, connection });
    return connection;
  }

  /** 0 when a handshake may begin now, and counts it. */
  #admit(): number {
    const { guard, clock } = this.#options;
    const bannedMs = guard.banLeftMs();
    if (bannedMs > 0) return bannedMs;
    const nowMs = clock.now();
    const startMs = this.#connects.earliest(1, nowMs);
    if (startMs > nowMs) return startMs - nowMs;
    this.#connects.book(1, nowMs);
    this.#counts.connectCount++;
    return 0;
  }

  #refused(status: number, headers: Headers): void {
    const { guard, clock, rules } = this.#options;
    if (status !== 429 && status !== 418 && status !== 403) return;
    guard.ban(clock.now() + (retryAfterMs(headers, clock.now()) ?? rules.quietMs(status)));
  }

  #hear(message: StreamMessage): void {
    this.#messageAtMs = this.#options.clock.now();
    if (message.kind === 'bars') for (const raw of message.bars) this.#bar(raw);
    else if (message.kind === 'parts') for (const raw of message.parts) this.#part(raw);
    else if (message.kind !== 'other') this.#counts.unreadableCount++;
  }

  #bar(raw: RawBar): void {
    const symbol = this.#symbols.get(raw.id);
    const bar = symbol === undefined ? undefined : closedBarOf(raw, symbol, this.#options.clock.now());
    if (bar !== undefined) this.#listener.bar(bar);
    else if (raw.isClosed) this.#counts.refusedBarCount++;
  }

  #part(raw: RawPart): void {
    const symbol = this.#symbols.get(raw.id);
    const quote = symbol === undefined ? undefined : this.#quotes(raw, symbol);
    if (quote !== undefined) this.#listener.quote(quote);
  }
}
