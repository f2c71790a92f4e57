import { RefusalError } from '../../platform/http/refusalError.ts';
import { createPlaces, type Places } from '../../platform/limits/places.ts';
import type { CandleEvents, ResumePoint } from './candleEvents.ts';
import { REPLAY_WAIT_MS, type StreamKind } from './contract.ts';
import { eventKey } from './events.ts';
import { openMax } from './places.ts';
import type { ReplayedEvent } from './replay.ts';
import type { Transport } from './transports.ts';
import type { PriceFeed } from '../events/priceFeed.ts';

/** What one reader asked for. */
export interface Wish {
  userId: string;
  symbols: readonly string[];
  intervals: readonly string[];
  kinds: readonly StreamKind[];
  /** Id of the last event it has. */
  sinceId: string | undefined;
  /** Whether its key may still be used. */
  isAllowed: () => Promise<boolean>;
}

export type EndReason = 'slow_reader' | 'key_ended' | 'server_stops';

export interface ReadersOptions {
  events: CandleEvents;
  priceFeed: PriceFeed;
  /** Makes the events of a break again that the list of this node does not hold; undefined when it cannot. */
  replay: (
    keys: readonly string[],
    missed: { sinceMs: number; signal: AbortSignal },
  ) => Promise<ReplayedEvent[] | undefined>;
  /** How long a break waits for its turn at most. */
  replayWaitMs?: number;
  /** Monotonic ms. */
  nowMs?: () => number;
  onError: (error: unknown) => void;
}

export interface Place {
  open: (transport: Transport) => void;
  drain: () => void;
  leave: () => void;
}

/** Bytes a connection may hold; everything else waits in the events that all readers share. */
const waitingMax = 64 * 1024;
const beatMs = 15_000;
/** An event that waits longer than this for its reader ends the stream. */
const slowMs = 30_000;
/**
 * Breaks that are made up for at once, and those of one account: each may hold thousands of events until its reader has taken them.
 * After a restart all readers come back together, so the others wait.
 */
const replayPlaces = { placeCount: 8, perKey: 1, queueMaxPerKey: openMax.perUser };

/** A break that is made up for. */
interface Replay {
  /** The id its reader came with, which names its position until everything was sent. */
  id: string;
  /** Undefined until they were read. */
  events: ReplayedEvent[] | undefined;
  /** Ends the reading when the reader leaves. */
  left: AbortController;
  leavePlace: () => void;
}

interface Reader {
  wish: Wish;
  keys: ReadonlySet<string>;
  transport: Transport | undefined;
  /** Everything up to here was sent or is not for this reader. */
  sequence: number;
  markMs: number;
  /** Set while the events of a break are read and sent. */
  replay: Replay | undefined;
  /** Newest candle and signal of each series that was sent out of a replay: the list may have it too. */
  seen: ReadonlyMap<string, number>;
  /** Since when an event waits for it. */
  blockedSinceMs: number | undefined;
  beatAtMs: number;
}

const keysOf = ({ symbols, intervals, kinds }: Wish): string[] =>
  kinds.flatMap((kind) =>
    kind === 'prices' ? [] : symbols.flatMap((symbol) => intervals.map((interval) => eventKey(kind, symbol, interval))),
  );

/** The open streams of this node. None holds events of its own: a slow one stays behind in the shared list and is cut. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #nowMs: () => number;
  readonly #open = new Set<Reader>();
  readonly #places: Places;

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#places = createPlaces({ ...replayPlaces, waitMsMax: options.replayWaitMs ?? REPLAY_WAIT_MS });
    options.events.onEvents(() => this.#open.forEach((reader) => this.#pump(reader)));
  }

  /** Undefined when this node has no room for its series. @param onLeave called once, when the reader has gone */
  enter(wish: Wish, onLeave: () => void): Place | undefined {
    const keys = keysOf(wish);
    const unwatch = this.#options.events.watch(keys);
    if (unwatch === undefined) return undefined;
    const reader: Reader = {
      wish,
      keys: new Set(keys),
      transport: undefined,
      sequence: 0,
      markMs: 0,
      replay: undefined,
      seen: new Map(),
      blockedSinceMs: undefined,
      beatAtMs: this.#nowMs() + beatMs,
    };
    let stopPrices = (): void => undefined;
    let isHere = true;
    return {
      open: (transport) => {
        this.#start(reader, transport);
        stopPrices = this.#startPrices(reader, transport);
      },
      drain: () => {
        if (reader.blockedSinceMs !== undefined) this.#pump(reader);
      },
      leave: () => {
        if (!isHere) return;
        isHere = false;
        this.#open.delete(reader);
        reader.transport = undefined;
        this.#endReplay(reader);
        stopPrices();
        unwatch();
        onLeave();
      },
    };
  }

  /** Looks at keys, slow readers and beats; to be called every second or two. */
  async look(): Promise<void> {
    const { events, onError } = this.#options;
    await Promise.all([...this.#open].map((reader) => this.#lookAt(reader).catch(onError)));
    events.sweep();
  }

  endAll(): void {
    for (const reader of this.#open) this.#end(reader, 'server_stops');
  }

  #start(reader: Reader, transport: Transport): void {
    const { events } = this.#options;
    const { sinceId } = reader.wish;
    const from = events.resumeAt(sinceId, [...reader.keys]);
    reader.sequence = from.sequence;
    reader.markMs = from.markMs;
    reader.transport = transport;
    this.#open.add(reader);
    if (sinceId !== undefined && from.replaySinceMs !== undefined) {
      const replay = { id: sinceId, events: undefined, left: new AbortController(), leavePlace: () => undefined };
      reader.replay = replay;
      this.#replay(reader, replay, from.replaySinceMs).catch(this.#options.onError);
    } else this.#welcome(reader, from.isResumed);
  }

  #welcome(reader: Reader, isResumed: ResumePoint['isResumed']): void {
    const name = isResumed || reader.wish.sinceId === undefined ? 'ready' : 'resync';
    reader.transport?.send(name, JSON.stringify({ resumed: isResumed }), this.#idOf(reader));
    this.#pump(reader);
  }

  /** Events that happen meanwhile wait in the list; those that are in both are sent once. */
  async #replay(reader: Reader, replay: Replay, sinceMs: number): Promise<void> {
    const found = await this.#readBreak(reader, replay, sinceMs);
    const { events } = this.#options;
    // What happened during a long wait is told from the list, unless that has dropped it.
    const isWhole = found !== undefined && reader.sequence >= events.forgottenSequence;
    if (reader.transport === undefined || !isWhole) {
      reader.replay = undefined;
      replay.leavePlace();
    } else {
      replay.events = found;
      const told = found.filter(({ event }) => event !== 'missed');
      // Oldest first: the last of a series is its newest.
      reader.seen = new Map(told.map(({ key, closeMs }) => [key, closeMs]));
    }
    this.#welcome(reader, isWhole);
  }

  /** Waits for a place and reads. Undefined when there is none in time, when it cannot be read, and when the reader leaves. */
  async #readBreak(reader: Reader, replay: Replay, sinceMs: number): Promise<ReplayedEvent[] | undefined> {
    const { signal } = replay.left;
    try {
      replay.leavePlace = await this.#places.take(reader.wish.userId, signal);
      return await this.#options.replay([...reader.keys], { sinceMs, signal });
    } catch (error) {
      if (!(error instanceof RefusalError)) this.#options.onError(error);
      return undefined;
    }
  }

  /** A place is free again when its reader has taken everything; while it is still read for, when the reading has ended. */
  #endReplay(reader: Reader): void {
    const { replay } = reader;
    if (replay === undefined) return;
    replay.left.abort();
    if (replay.events === undefined) return;
    reader.replay = undefined;
    replay.leavePlace();
  }

  #idOf({ replay, sequence, markMs }: Reader): string {
    return replay?.id ?? this.#options.events.idOf(sequence, markMs);
  }

  #startPrices(reader: Reader, transport: Transport): () => void {
    if (!reader.wish.kinds.includes('prices')) return () => undefined;
    const { priceFeed } = this.#options;
    const stop = priceFeed.add({
      symbols: new Set(reader.wish.symbols),
      isReady: () => reader.transport !== undefined && transport.waitingBytes() < waitingMax,
      send: (prices) => reader.transport?.send('prices', JSON.stringify(prices)),
    });
    priceFeed.look();
    return stop;
  }

  /** Sends what the reader has not got, as far as its connection takes it. */
  #pump(reader: Reader): void {
    const { events } = this.#options;
    const { transport, keys } = reader;
    if (transport === undefined || !this.#pumpReplay(reader, transport)) return;
    // Events it has not read are gone: going on would hide that.
    if (reader.blockedSinceMs !== undefined && reader.sequence < events.forgottenSequence) {
      this.#end(reader, 'slow_reader');
      return;
    }
    for (const event of events.after(reader.sequence)) {
      if (keys.has(event.key) && event.closeMs > (reader.seen.get(event.key) ?? 0)) {
        if (transport.waitingBytes() > waitingMax) {
          reader.blockedSinceMs ??= this.#nowMs();
          return;
        }
        transport.send(event.event, event.data, events.idOf(event.sequence, event.markMs));
      }
      reader.sequence = event.sequence;
      reader.markMs = event.markMs;
    }
    reader.blockedSinceMs = undefined;
  }

  /** Sends what is left of a replay. False while something is. */
  #pumpReplay(reader: Reader, transport: Transport): boolean {
    const { replay } = reader;
    if (replay === undefined) return true;
    if (replay.events === undefined) return false;
    let sent = 0;
    for (const { event, data } of replay.events) {
      if (transport.waitingBytes() > waitingMax) break;
      transport.send(event, data, replay.id);
      sent += 1;
    }
    replay.events = replay.events.slice(sent);
    if (replay.events.length > 0) {
      reader.blockedSinceMs ??= this.#nowMs();
      return false;
    }
    this.#endReplay(reader);
    reader.blockedSinceMs = undefined;
    return true;
  }

  #end(reader: Reader, reason: EndReason): void {
    const { transport } = reader;
    if (transport === undefined) return;
    this.#open.delete(reader);
    reader.transport = undefined;
    // Resuming from this id loses nothing that is still kept.
    transport.send('end', JSON.stringify({ reason }), this.#idOf(reader));
    this.#endReplay(reader);
    transport.end();
  }

  async #lookAt(reader: Reader): Promise<void> {
    const { blockedSinceMs } = reader;
    const isSlow = blockedSinceMs !== undefined && this.#nowMs() - blockedSinceMs > slowMs;
    if (isSlow) this.#end(reader, 'slow_reader');
    else if (await reader.wish.isAllowed()) this.#beat(reader);
    else this.#end(reader, 'key_ended');
  }

  #beat(reader: Reader): void {
    const { transport } = reader;
    if (this.#nowMs() < reader.beatAtMs || transport === undefined) return;
    reader.beatAtMs = this.#nowMs() + beatMs;
    // With the newest id, so that one whose series are quiet resumes from here.
    const isTaken = transport.beat() && transport.waitingBytes() <= waitingMax;
    // `ready` is the first event, which a reader that waits for its replay has not got yet.
    const isWelcomed = reader.replay === undefined || reader.replay.events !== undefined;
    if (!isTaken || !isWelcomed) return;
    const { events } = this.#options;
    if (reader.sequence === events.lastSequence) reader.markMs = events.markMs;
    transport.send('beat', '{}', this.#idOf(reader));
  }
}
