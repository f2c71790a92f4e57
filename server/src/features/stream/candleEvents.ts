import { randomBytes } from 'node:crypto';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { MarketMode } from '../../config.ts';
import type { ClosedBar, ExchangeId, Interval, Market } from '../market/port.ts';
import type { Signals } from '../signals/computeSignal.ts';
import { batch, candleData, closeTime, eventKey, type StoredEvent, missedData, requestOf, retry } from './events.ts';
import { signalData } from './events.ts';

/** Retention of events for clients that reconnect. */
export const RETENTION_MS = 10 * 60_000;
/** Limit per node: 1,000 series with both kinds of event, of 1m, make 20,000 events in ten minutes. */
const limits = { keysMax: 2000, eventsMax: 25_000 };
/** A candle later than this after its close is not waited for: a halted market must not hold back every time mark. */
const lateMs = 2 * 60_000;
/** A candle that closed this shortly before its series was followed may not have been sent yet. */
const graceMs = 60_000;

export interface CandleEventsOptions {
  market: Pick<Market, 'onCandle' | 'keep'>;
  mode: MarketMode;
  signals: Pick<Signals, 'computeBatch'>;
  now: () => number;
  onError: (error: unknown) => void;
}

/** A position in the events: the client has not received the later ones. */
export interface ResumePoint {
  sequence: number;
  markMs: number;
  isResumed: boolean;
  /** The list of this node lacks the missed events, but the candles that closed since then can be read again. */
  replaySinceMs: number | undefined;
}

interface Interest {
  readers: number;
  /** Events before this sequence were not created for it. */
  sinceSequence: number;
  /** When its last client left, by the clock of the hub. */
  idleSinceMs: number | null;
  stepMs: number;
  /** Close of the latest sent candle. */
  doneMs: number;
  release: () => void;
}

interface Closed {
  bar: ClosedBar;
  tries: number;
}

/**
 * Closed candles and their signals, for all clients of this node: each signal is computed once, encoded once and stored for ten minutes.
 * A series is followed for ten minutes after its last client left, so that a reconnecting client misses nothing.
 */
export class CandleEvents {
  readonly #options: CandleEventsOptions;
  readonly #node = randomBytes(6).toString('hex');
  readonly #interests = new Map<string, Interest>();
  readonly #listeners = new Set<() => void>();
  readonly #closing: Closed[] = [];
  readonly #sent = new Map<string, number>();
  #events: StoredEvent[] = [];
  #last = 0;
  #forgotten = 0;
  #lanes = 0;
  #isWaking = false;
  #stopListening: (() => void) | undefined;

  constructor(options: CandleEventsOptions) {
    this.#options = options;
  }

  get lastSequence(): number {
    return this.#last;
  }

  /** Sequence of the last dropped event. */
  get forgottenSequence(): number {
    return this.#forgotten;
  }

  /** Time up to which all closed candles have been sent. */
  get markMs(): number {
    const nowMs = this.#options.now();
    let mark = nowMs;
    for (const { doneMs, stepMs, readers } of this.#interests.values())
      if (readers > 0) mark = Math.min(mark, doneMs + stepMs - 1);
    return Math.max(mark, nowMs - lateMs);
  }

  /** Names a position by its sequence on this node, and on other nodes by the time up to which everything was sent. */
  idOf(sequence: number, markMs: number): string {
    return `${this.#node}-${sequence}-${markMs}`;
  }

  /** Calls back when there are new events, once for several at the same time. */
  onEvents(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Follows these series until the returned function is called; undefined when the node has no capacity for them. */
  watch(keys: readonly string[]): (() => void) | undefined {
    const fresh = keys.filter((key) => !this.#interests.has(key));
    if (this.#interests.size + fresh.length > limits.keysMax) return undefined;
    this.#stopListening ??= this.#options.market.onCandle((exchange, bar) => this.#take(exchange, bar));
    for (const key of keys) {
      const interest = this.#interests.get(key) ?? this.#open(key);
      interest.readers += 1;
      interest.idleSinceMs = null;
    }
    return () => {
      for (const key of keys) {
        const interest = this.#interests.get(key);
        if (interest === undefined) continue;
        interest.readers -= 1;
        if (interest.readers === 0) interest.idleSinceMs = this.#options.now();
      }
    };
  }

  /** Position to resume from after `id`; the current position when `id` is no longer known. */
  resumeAt(id: string | undefined, keys: readonly string[]): ResumePoint {
    const [, node, digits, mark] = /^([0-9a-f]+)-(\d{1,15})-(\d{1,15})$/.exec(id ?? '') ?? [];
    const [sequence, markMs] = [Number(digits), Number(mark)];
    this.#forgetOld();
    const isKnown =
      node === this.#node &&
      sequence <= this.#last &&
      sequence >= this.#forgotten &&
      keys.every((key) => (this.#interests.get(key)?.sinceSequence ?? Infinity) <= sequence);
    if (isKnown) return { sequence, markMs, isResumed: true, replaySinceMs: undefined };
    const nowMs = this.#options.now();
    // The time mark of an id may be older than the id.
    const isRecent = markMs >= nowMs - RETENTION_MS - lateMs && markMs <= nowMs;
    const replaySinceMs = isRecent ? markMs : undefined;
    return { sequence: this.#last, markMs: this.markMs, isResumed: false, replaySinceMs };
  }

  /** Stored events after a sequence, oldest first. */
  *after(sequence: number): Generator<StoredEvent> {
    let [from, to] = [0, this.#events.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#events[middle]?.sequence ?? Infinity) > sequence) to = middle;
      else from = middle + 1;
    }
    for (let at = from; at < this.#events.length; at += 1) {
      const event = this.#events[at];
      if (event !== undefined) yield event;
    }
  }

  /** Drops old events, and series without a client for ten minutes. */
  sweep(): void {
    this.#forgetOld();
    const beforeMs = this.#options.now() - RETENTION_MS;
    for (const [key, interest] of this.#interests) {
      if (interest.idleSinceMs === null || interest.idleSinceMs > beforeMs) continue;
      interest.release();
      this.#interests.delete(key);
      this.#sent.delete(key);
    }
  }

  close(): void {
    this.#stopListening?.();
    for (const { release } of this.#interests.values()) release();
    this.#interests.clear();
    this.#listeners.clear();
  }

  #open(key: string): Interest {
    const [, symbol = '', interval = ''] = key.split(' ');
    const release = this.#options.market.keep({ symbol, interval: interval as Interval });
    // A new sequence, so that earlier ids do not cover events of this series.
    this.#last += 1;
    const stepMs = intervalMs[interval as Interval];
    const doneMs = Math.floor((this.#options.now() - graceMs) / stepMs) * stepMs;
    const interest = { readers: 0, sinceSequence: this.#last, idleSinceMs: null, release, stepMs, doneMs };
    this.#interests.set(key, interest);
    return interest;
  }

  #forgetOld(): void {
    const beforeMs = this.#options.now() - RETENTION_MS;
    const young = this.#events.findIndex(({ atMs }) => atMs >= beforeMs);
    const tooMany = this.#events.length - limits.eventsMax;
    const drop = Math.max(young === -1 ? this.#events.length : young, tooMany);
    if (drop <= 0) return;
    this.#forgotten = this.#events[drop - 1]?.sequence ?? this.#forgotten;
    this.#events = this.#events.slice(drop);
  }

  #publish({ key, event, closeMs }: Pick<StoredEvent, 'key' | 'event' | 'closeMs'>, data: object): void {
    this.#last += 1;
    const atMs = this.#options.now();
    const interest = this.#interests.get(key);
    if (interest !== undefined) interest.doneMs = Math.max(interest.doneMs, closeMs);
    const { markMs } = this;
    this.#events.push({ sequence: this.#last, atMs, markMs, key, event, data: JSON.stringify(data), closeMs });
    if (this.#events.length > limits.eventsMax * 1.1) this.#forgetOld();
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      for (const listener of this.#listeners) listener();
    });
  }

  #take(exchange: ExchangeId, bar: ClosedBar): void {
    if (exchange !== 'binance') return;
    const { symbol, interval } = bar;
    const key = eventKey('candles', symbol, interval);
    const closeMs = closeTime(interval, bar.time);
    if (this.#interests.has(key)) this.#publish({ key, event: 'candle', closeMs }, candleData(bar));
    if (!this.#interests.has(eventKey('signals', symbol, interval))) return;
    this.#closing.push({ bar, tries: 0 });
    this.#startLanes();
  }

  /** Runs after the current task, so that bars of one message of the exchange share a run. */
  #startLanes(): void {
    while (this.#lanes < batch.lanes && this.#lanes * batch.sizeMax < this.#closing.length) {
      this.#lanes += 1;
      setImmediate(() => {
        this.#lane()
          .catch(this.#options.onError)
          .finally(() => {
            this.#lanes -= 1;
            if (this.#closing.length > 0) this.#startLanes();
          });
      });
    }
  }

  async #lane(): Promise<void> {
    while (this.#closing.length > 0) await this.#compute(this.#closing.splice(0, batch.sizeMax));
  }

  async #compute(closed: readonly Closed[]): Promise<void> {
    const outcomes = await this.#options.signals.computeBatch(closed.map(({ bar }) => requestOf(bar)));
    closed.forEach(({ bar, tries }, i) => {
      const { symbol, interval } = bar;
      const key = eventKey('signals', symbol, interval);
      const outcome = outcomes[i];
      if (outcome?.ok === true) {
        const closedMs = Date.parse(outcome.value.wire.candle_close_at);
        // Of bars that arrived together after a gap only the newest counts; it is sent once.
        if (closedMs <= (this.#sent.get(key) ?? 0)) return;
        this.#sent.set(key, closedMs);
        const data = signalData(outcome.value.wire, this.#options.mode);
        this.#publish({ key, event: 'signal', closeMs: closedMs }, data);
      } else if (tries + 1 < retry.tries) {
        setTimeout(() => {
          this.#closing.push({ bar, tries: tries + 1 });
          this.#startLanes();
        }, retry.pauseMs).unref();
      } else {
        const closeMs = closeTime(interval, bar.time);
        const data = missedData({ symbol, interval, closeMs }, outcome?.error.code);
        this.#publish({ key, event: 'missed', closeMs }, data);
      }
    });
  }
}
