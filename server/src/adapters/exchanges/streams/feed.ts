import { ok } from '@sextant/workers/src/core/result.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type {
  FeedHealth,
  FeedListener,
  FeedRequest,
  VenueFeed,
  ClosedBar,
  Interval,
  LiveQuote,
} from '../../../features/market/port.ts';
import { readPriority } from '../../../platform/readPriority.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { Budget } from '../budget.ts';
import type { Clock } from '../clock.ts';
import type { Guard } from '../guard.ts';
import type { VenueRules } from '../rules.ts';
import type { Listed } from '../universe.ts';
import { REGION_QUIET_MS, retryAfterMs } from '../transport.ts';
import { StreamConnection, type StreamTimings } from './connection.ts';
import type { RawBar, RawPart, StreamDialect, StreamMessage, StreamTopic } from './streamDialect.ts';
import { candleRow } from '../validateCandles.ts';
import { fundingRateMax } from '../funding.ts';
import { quoteOf } from '../restDialect.ts';

export interface FeedOptions {
  rules: VenueRules;
  dialect: StreamDialect;
  /** Origin of the websockets: `wss://host`. */
  origin: string;
  timings: StreamTimings;
  clock: Clock;
  /** Shared with REST: a ban applies to the IP address, streams included. */
  guard: Pick<Guard, 'ban' | 'banLeftMs'>;
  universe: () => Promise<Outcome<Map<string, Listed>>>;
  random?: () => number;
}

/** The streams of one exchange, spread over as many connections as its limits require. */
export class StreamFeed implements VenueFeed {
  readonly #options: FeedOptions;
  readonly #listener: FeedListener;
  readonly #connects: Budget;
  readonly #quotes: ReturnType<typeof createMergedQuotes>;
  readonly #connections: { path: string; connection: StreamConnection }[] = [];
  readonly #counts = { connectCount: 0, unreadableCount: 0, rejectedBarCount: 0 };
  #messageAtMs: number | null = null;
  #candleKeys: ReadonlySet<string> = new Set();
  #symbols = new Map<string, string>();
  #ids = new Map<string, string>();
  #isClosed = false;

  constructor(options: FeedOptions, listener: FeedListener) {
    this.#options = options;
    this.#listener = listener;
    this.#connects = new Budget(options.dialect.connects);
    this.#quotes = createMergedQuotes(options.clock.now);
  }

  async want({ prices, candles }: FeedRequest): Promise<Outcome<null>> {
    const { dialect } = this.#options;
    const universe = await this.#options.universe();
    if (!universe.ok) return universe;
    if (this.#isClosed) return ok(null);
    const listed = universe.value;
    this.#symbols = new Map([...listed.values()].map(({ id, listing }) => [id, listing.symbol]));
    this.#ids = new Map([...listed.values()].map(({ id, listing }) => [listing.symbol, id]));
    const idOf = (symbol: string): string[] => [listed.get(symbol)?.id].filter((id) => id !== undefined);
    const ids = prices.flatMap(idOf);
    const candleTopics = candles.flatMap(({ symbol, interval }) =>
      idOf(symbol).map((id) => dialect.candleTopic(id, interval)),
    );
    this.#candleKeys = new Set(candleTopics.map(({ key }) => key));
    const topics = [...(ids.length === 0 ? [] : dialect.priceTopics(ids)), ...candleTopics];
    this.#apply(new Map(topics.map((topic) => [topic.key, topic])));
    return ok(null);
  }

  health(): FeedHealth {
    const openCount = this.#connections.filter(({ connection }) => connection.isOpen()).length;
    const connectionCount = this.#connections.length;
    const silentTopics = this.#connections.flatMap(({ connection }) => connection.silent());
    return { ...this.#counts, connectionCount, openCount, messageAtMs: this.#messageAtMs, silentTopics };
  }

  dataAtMs(): { candles: number | null; prices: number | null } {
    const newest = { candles: -Infinity, prices: -Infinity };
    for (const { connection } of this.#connections) {
      for (const [key, atMs] of connection.dataAtMs()) {
        const kind = this.#candleKeys.has(key) ? 'candles' : 'prices';
        newest[kind] = Math.max(newest[kind], atMs);
      }
    }
    const known = (atMs: number): number | null => (atMs === -Infinity ? null : atMs);
    return { candles: known(newest.candles), prices: known(newest.prices) };
  }

  isSilent({ symbol, interval }: { symbol: string; interval: Interval }): boolean {
    const id = this.#ids.get(symbol);
    if (id === undefined) return false;
    const { key } = this.#options.dialect.candleTopic(id, interval);
    const serving = this.#connections.find(({ connection }) => connection.topics.has(key));
    return serving?.connection.silent().includes(key) ?? false;
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
    const match = this.#connections.find(
      (each) =>
        each.path === path &&
        each.connection.topics.size + (added.get(each.connection)?.length ?? 0) < dialect.topicsPerConnection,
    );
    if (match !== undefined) return match.connection;
    const connection = new StreamConnection({
      url: origin + path,
      dialect,
      timings,
      clock,
      admit: () => this.#admit(),
      onRejected: (status, headers) => this.#handleRejection(status, headers),
      onMessage: (message) => this.#read(message),
      random,
    });
    this.#connections.push({ path, connection });
    return connection;
  }

  /** Milliseconds until a handshake may start; 0 counts it. */
  #admit(): number {
    const { guard, clock } = this.#options;
    const bannedMs = guard.banLeftMs();
    if (bannedMs > 0) return bannedMs;
    const nowMs = clock.now();
    const slot = this.#connects.join({ cost: 1, priority: readPriority(), key: 'handshake' }, nowMs);
    const waitMs = this.#connects.depart(slot, nowMs);
    if (waitMs > 0) {
      this.#connects.leave(slot);
      return waitMs;
    }
    this.#counts.connectCount++;
    return 0;
  }

  #handleRejection(status: number, headers: Headers): void {
    const { guard, clock, rules } = this.#options;
    // A handshake has no body that explains a 403; Bybit uses it for regions it does not serve.
    if (status === 451 || (status === 403 && rules.exchange === 'bybit')) {
      guard.ban(clock.now() + REGION_QUIET_MS, 'region');
      return;
    }
    if (status !== 429 && status !== 418 && status !== 403) return;
    guard.ban(clock.now() + (retryAfterMs(headers, clock.now()) ?? rules.quietMs(status)));
  }

  #read(message: StreamMessage): void {
    this.#messageAtMs = this.#options.clock.now();
    if (message.kind === 'bars') for (const raw of message.bars) this.#bar(raw);
    else if (message.kind === 'parts') for (const raw of message.parts) this.#part(raw);
    else if (message.kind !== 'other') this.#counts.unreadableCount++;
  }

  #bar(raw: RawBar): void {
    const symbol = this.#symbols.get(raw.id);
    const bar = symbol === undefined ? undefined : closedBarOf(raw, symbol, this.#options.clock.now());
    if (bar !== undefined) this.#listener.bar(bar);
    else if (raw.isClosed) this.#counts.rejectedBarCount++;
  }

  #part(raw: RawPart): void {
    const symbol = this.#symbols.get(raw.id);
    const quote = symbol === undefined ? undefined : this.#quotes(raw, symbol);
    if (quote !== undefined) this.#listener.quote(quote);
  }
}

/** Allowed lead of the exchange's clock, and allowed lag of its timestamp behind the end of the bar. */
const skewMs = 2000;

/** The bar if it is a valid candle and closed, as the exchange states and by both clocks. */
function closedBarOf(
  { interval, cells, isClosed, atMs }: RawBar,
  symbol: string,
  nowMs: number,
): ClosedBar | undefined {
  if (!isClosed) return undefined;
  const span: number = intervalMs[interval satisfies Interval];
  const row = candleRow(cells.map(numberOf), span);
  if (row === undefined) return undefined;
  const [time, open, high, low, close, volume] = row;
  const endMs = time + span;
  const stampMs = numberOf(atMs ?? endMs);
  if (typeof stampMs !== 'number' || !(endMs <= nowMs + skewMs) || !(stampMs >= endMs - skewMs)) return undefined;
  return { symbol, interval, time, open, high, low, close, volume };
}

/** Values of one group arrive together and age together. */
interface Part {
  values: Record<string, unknown>;
  /** The exchange's timestamp, capped at our clock on arrival: a future timestamp would make an age negative. */
  atMs: number;
  /** The uncapped timestamp: timestamps of two exchanges are compared with each other, not with our clock. */
  stampMs: number;
}

const groups = {
  last: ['last'],
  book: ['bid', 'ask'],
  mark: ['mark'],
  funding: ['fundingRate', 'nextFundingAtMs', 'fundingIntervalHours'],
};
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

/** A part older than this is unknown: its push interval plus room for a late message. */
const freshMs: Record<Group, number> = { last: 10_000, book: 12_000, mark: 15_000, funding: 300_000 };
/** A frame whose timestamp differs this much from our clock is not current. */
const skewMsMax = 60_000;

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

type Parts = Map<Group, Part>;

/** Merges a frame into the parts. */
function note(parts: Parts, raw: RawPart, stampMs: number, nowMs: number): void {
  const atMs = Math.min(nowMs, stampMs);
  for (const group of groupNames) {
    const before = parts.get(group);
    const given = groups[group].filter((name) => raw[name as keyof RawPart] !== undefined);
    const isConfirmed = raw.isDelta === true && before !== undefined;
    // Ignore a frame sent before the stored part, whenever it arrives.
    if ((given.length === 0 && !isConfirmed) || (before !== undefined && before.atMs > atMs)) continue;
    const values = Object.fromEntries(given.map((name) => [name, raw[name as keyof RawPart]]));
    parts.set(group, { values: isConfirmed ? { ...before.values, ...values } : values, atMs, stampMs });
  }
}

function fresh(parts: Parts, group: Group, nowMs: number): Record<string, unknown> {
  const part = parts.get(group);
  return part !== undefined && nowMs - part.atMs <= freshMs[group] ? part.values : {};
}

function fundingOf(
  parts: Parts,
  nowMs: number,
): Pick<LiveQuote, 'fundingRate' | 'nextFundingAtMs' | 'fundingIntervalHours'> {
  const values = fresh(parts, 'funding', nowMs);
  const rate = numberOf(values['fundingRate']);
  const nextMs = numberOf(values['nextFundingAtMs']);
  const isUsable =
    rate !== undefined && Math.abs(rate) <= fundingRateMax && nextMs !== undefined && nextMs > nowMs - 3_600_000;
  const hours = numberOf(values['fundingIntervalHours']);
  const fundingIntervalHours = hours !== undefined && hours > 0 && hours <= 24 ? hours : null;
  return isUsable
    ? { fundingRate: rate, nextFundingAtMs: nextMs, fundingIntervalHours }
    : { fundingRate: null, nextFundingAtMs: null, fundingIntervalHours: null };
}

/** Merges the parts sent by an exchange's channels into quotes; undefined while there is no usable quote. */
function createMergedQuotes(now: () => number): (raw: RawPart, symbol: string) => LiveQuote | undefined {
  const cache = new Map<string, Parts>();
  return (raw, symbol) => {
    const nowMs = now();
    const stamp = numberOf(raw.atMs);
    if (stamp === undefined || Math.abs(nowMs - stamp) > skewMsMax) return undefined;
    const parts: Parts = cache.get(symbol) ?? new Map<Group, Part>();
    cache.set(symbol, parts);
    note(parts, raw, stamp, nowMs);
    const sides = { ...fresh(parts, 'last', nowMs), ...fresh(parts, 'book', nowMs), ...fresh(parts, 'mark', nowMs) };
    const quote = quoteOf({ id: raw.id, ...sides, atMs: parts.get('last')?.atMs }, symbol, nowMs);
    if (quote === undefined) return undefined;
    const bookAtMs = quote.bid === null || quote.ask === null ? null : parts.get('book')?.stampMs;
    return { ...quote, bookAtMs: bookAtMs ?? null, receivedAtMs: nowMs, ...fundingOf(parts, nowMs) };
  };
}
