import { RejectionError } from '../../platform/http/rejectionError.ts';
import { createSlots, type Slots } from '../../platform/limits/slots.ts';
import type { CandleEvents, ResumePoint } from './candleEvents.ts';
import { REPLAY_WAIT_MS, type StreamKind } from './contract.ts';
import { eventKey } from './events.ts';
import { openMax } from './slots.ts';
import type { ReplayedEvent } from './replay.ts';
import type { Transport } from './transports.ts';
import type { PriceFeed } from '../events/priceFeed.ts';

/** Subscription of one client. */
export interface StreamRequest {
  userId: string;
  symbols: readonly string[];
  intervals: readonly string[];
  kinds: readonly StreamKind[];
  /** Id of the last event it has. */
  sinceId: string | undefined;
  /** Whether its key is still valid. */
  isAllowed: () => Promise<boolean>;
}

export type EndReason = 'slow_reader' | 'key_ended' | 'server_stops';

export interface ReadersOptions {
  events: CandleEvents;
  priceFeed: PriceFeed;
  /** Recreates missed events that the list of this node lacks; undefined when it cannot. */
  replay: (
    keys: readonly string[],
    missed: { sinceMs: number; signal: AbortSignal },
  ) => Promise<ReplayedEvent[] | undefined>;
  /** Longest wait of a replay for a slot. */
  replayWaitMs?: number;
  /** Monotonic ms. */
  nowMs?: () => number;
  onError: (error: unknown) => void;
}

export interface Slot {
  open: (transport: Transport) => void;
  drain: () => void;
  leave: () => void;
}

/** Bytes buffered per connection; everything else waits in the shared events. */
const waitingMax = 64 * 1024;
const beatMs = 15_000;
/** An event that waits longer than this for a slow client ends the stream. */
const slowMs = 30_000;
/**
 * Concurrent replays, and those of one account: each may hold thousands of events until its client has received them. After a restart
 * all clients reconnect together, so the others wait.
 */
const replaySlots = { slotCount: 8, perKey: 1, queueMaxPerKey: openMax.perUser };

/** A replay of missed events. */
interface Replay {
  /** The id from the client's request, which names its position until everything is sent. */
  id: string;
  /** Undefined until they are read. */
  events: ReplayedEvent[] | undefined;
  /** Aborts the read when the client leaves. */
  left: AbortController;
  leaveSlot: () => void;
}

interface Reader {
  request: StreamRequest;
  keys: ReadonlySet<string>;
  transport: Transport | undefined;
  /** Everything up to here was sent or is not for this client. */
  sequence: number;
  markMs: number;
  /** Set while missed events are read and sent. */
  replay: Replay | undefined;
  /** Newest candle and signal of each series sent by a replay: the list may contain it too. */
  seen: ReadonlyMap<string, number>;
  /** Time since which an event waits for the client. */
  blockedSinceMs: number | undefined;
  beatAtMs: number;
}

const keysOf = ({ symbols, intervals, kinds }: StreamRequest): string[] =>
  kinds.flatMap((kind) =>
    kind === 'prices' ? [] : symbols.flatMap((symbol) => intervals.map((interval) => eventKey(kind, symbol, interval))),
  );

/** The open streams of this node. They share one event list: a slow client falls behind in it and is disconnected. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #nowMs: () => number;
  readonly #open = new Set<Reader>();
  readonly #slots: Slots;

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#slots = createSlots({ ...replaySlots, waitMsMax: options.replayWaitMs ?? REPLAY_WAIT_MS });
    options.events.onEvents(() => this.#open.forEach((reader) => this.#pump(reader)));
  }

  /** Undefined when this node has no capacity for its series. @param onLeave called once, when the client has left */
  enter(request: StreamRequest, onLeave: () => void): Slot | undefined {
    const keys = keysOf(request);
    const unwatch = this.#options.events.watch(keys);
    if (unwatch === undefined) return undefined;
    const reader: Reader = {
      request,
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

  /** Checks keys, slow clients and heartbeats; call it every second or two. */
  async checkReaders(): Promise<void> {
    const { events, onError } = this.#options;
    await Promise.all([...this.#open].map((reader) => this.#checkReader(reader).catch(onError)));
    events.sweep();
  }

  endAll(): void {
    for (const reader of this.#open) this.#end(reader, 'server_stops');
  }

  #start(reader: Reader, transport: Transport): void {
    const { events } = this.#options;
    const { sinceId } = reader.request;
    const from = events.resumeAt(sinceId, [...reader.keys]);
    reader.sequence = from.sequence;
    reader.markMs = from.markMs;
    reader.transport = transport;
    this.#open.add(reader);
    if (sinceId !== undefined && from.replaySinceMs !== undefined) {
      const replay = { id: sinceId, events: undefined, left: new AbortController(), leaveSlot: () => undefined };
      reader.replay = replay;
      this.#replay(reader, replay, from.replaySinceMs).catch(this.#options.onError);
    } else this.#welcome(reader, from.isResumed);
  }

  #welcome(reader: Reader, isResumed: ResumePoint['isResumed']): void {
    const name = isResumed || reader.request.sinceId === undefined ? 'ready' : 'resync';
    reader.transport?.send(name, JSON.stringify({ resumed: isResumed }), this.#idOf(reader));
    this.#pump(reader);
  }

  /** Events during the replay wait in the list; events in both are sent once. */
  async #replay(reader: Reader, replay: Replay, sinceMs: number): Promise<void> {
    const match = await this.#readBreak(reader, replay, sinceMs);
    const { events } = this.#options;
    // Events during a long wait are sent from the list, unless it has dropped them.
    const isWhole = match !== undefined && reader.sequence >= events.forgottenSequence;
    if (reader.transport === undefined || !isWhole) {
      reader.replay = undefined;
      replay.leaveSlot();
    } else {
      replay.events = match;
      const reported = match.filter(({ event }) => event !== 'missed');
      // Oldest first: the last event of a series is its newest.
      reader.seen = new Map(reported.map(({ key, closeMs }) => [key, closeMs]));
    }
    this.#welcome(reader, isWhole);
  }

  /** Waits for a slot and reads. Undefined when none is free in time, when the read fails, and when the client leaves. */
  async #readBreak(reader: Reader, replay: Replay, sinceMs: number): Promise<ReplayedEvent[] | undefined> {
    const { signal } = replay.left;
    try {
      replay.leaveSlot = await this.#slots.take(reader.request.userId, signal);
      return await this.#options.replay([...reader.keys], { sinceMs, signal });
    } catch (error) {
      if (!(error instanceof RejectionError)) this.#options.onError(error);
      return undefined;
    }
  }

  /** Releases the slot when the client has received everything; during the read, when the read has ended. */
  #endReplay(reader: Reader): void {
    const { replay } = reader;
    if (replay === undefined) return;
    replay.left.abort();
    if (replay.events === undefined) return;
    reader.replay = undefined;
    replay.leaveSlot();
  }

  #idOf({ replay, sequence, markMs }: Reader): string {
    return replay?.id ?? this.#options.events.idOf(sequence, markMs);
  }

  #startPrices(reader: Reader, transport: Transport): () => void {
    if (!reader.request.kinds.includes('prices')) return () => undefined;
    const { priceFeed } = this.#options;
    const stop = priceFeed.add({
      symbols: new Set(reader.request.symbols),
      isReady: () => reader.transport !== undefined && transport.waitingBytes() < waitingMax,
      send: (prices) => reader.transport?.send('prices', JSON.stringify(prices)),
    });
    priceFeed.poll();
    return stop;
  }

  /** Sends pending events, as far as the connection accepts them. */
  #pump(reader: Reader): void {
    const { events } = this.#options;
    const { transport, keys } = reader;
    if (transport === undefined || !this.#pumpReplay(reader, transport)) return;
    // Unsent events were dropped: continuing would hide the loss.
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

  /** Sends the rest of a replay. False while something is left. */
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
    // Resuming from this id loses no stored event.
    transport.send('end', JSON.stringify({ reason }), this.#idOf(reader));
    this.#endReplay(reader);
    transport.end();
  }

  async #checkReader(reader: Reader): Promise<void> {
    const { blockedSinceMs } = reader;
    const isSlow = blockedSinceMs !== undefined && this.#nowMs() - blockedSinceMs > slowMs;
    if (isSlow) this.#end(reader, 'slow_reader');
    else if (await reader.request.isAllowed()) this.#beat(reader);
    else this.#end(reader, 'key_ended');
  }

  #beat(reader: Reader): void {
    const { transport } = reader;
    if (this.#nowMs() < reader.beatAtMs || transport === undefined) return;
    reader.beatAtMs = this.#nowMs() + beatMs;
    // With the newest id, so that a client of quiet series resumes from here.
    const isTaken = transport.beat() && transport.waitingBytes() <= waitingMax;
    // `ready` is the first event, which a client that waits for its replay has not received yet.
    const isWelcomed = reader.replay === undefined || reader.replay.events !== undefined;
    if (!isTaken || !isWelcomed) return;
    const { events } = this.#options;
    if (reader.sequence === events.lastSequence) reader.markMs = events.markMs;
    transport.send('beat', '{}', this.#idOf(reader));
  }
}
