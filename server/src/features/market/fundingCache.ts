import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { fundingWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { Caller } from './fetchShare.ts';
import type { ExchangeId, FundingHistory, Venue } from './port.ts';
import { createFlights, createTurns } from './shared.ts';

interface CachedHistory {
  history: FundingHistory;
  fetchedAtMs: number;
}

/** The fundings of a symbol from `sinceMs` to `fetchedAtMs`, without a gap. */
interface CachedSymbol extends CachedHistory {
  sinceMs: number;
}

export interface FundingSpan {
  exchange: ExchangeId;
  symbol: string;
  sinceMs: number;
  untilMs: number;
}

/** Limits of symbols and past spans, and of fundings of each kind: 16 bytes each. */
const stored = { entriesMax: 300, fundingsMax: 1_000_000 };
/** Fundings settle at most hourly, so a history may be a minute old. */
const freshMs = 60_000;
/** An exchange publishes a funding minutes after its timestamp: a refresh reads this much again, which is one page. */
const publishedMs = DAY_MS;

/** The entries stored last, within both limits. */
function createStore<T extends CachedHistory>() {
  const entries = new Map<string, T>();
  let fundings = 0;
  const remove = (key: string): void => {
    fundings -= entries.get(key)?.history.time.length ?? 0;
    entries.delete(key);
  };
  return {
    get: (key: string): T | undefined => entries.get(key),
    set(key: string, entry: T): void {
      remove(key);
      entries.set(key, entry);
      fundings += entry.history.time.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= stored.entriesMax && fundings <= stored.fundingsMax) break;
        if (oldest !== key) remove(oldest);
      }
    },
  };
}

const join = (a: FundingHistory, b: FundingHistory): FundingHistory => ({
  time: Float64Array.from([...a.time, ...b.time]),
  rate: Float64Array.from([...a.rate, ...b.rate]),
});

const symbolKey = ({ exchange, symbol }: FundingSpan): string => `${exchange} ${symbol}`;
const spanKey = (span: FundingSpan): string => `${symbolKey(span)} ${span.sinceMs} ${span.untilMs}`;

/**
 * Settled fundings do not change: they are cached, and only missing ones are read. A span that ends before the cached history of its
 * symbol is cached separately, so that a request for an old year does not make later ones read the years in between.
 */
class Histories {
  readonly #venues: Record<ExchangeId, Venue>;
  readonly #now: () => number;
  readonly #symbols = createStore<CachedSymbol>();
  readonly #spans = createStore<CachedHistory>();

  constructor(venues: Record<ExchangeId, Venue>, now: () => number) {
    this.#venues = venues;
    this.#now = now;
  }

  find(span: FundingSpan): CachedHistory | undefined {
    const match = this.#symbols.get(symbolKey(span));
    const isEnough =
      match !== undefined &&
      match.sinceMs <= span.sinceMs &&
      (span.untilMs <= match.fetchedAtMs || this.#now() - match.fetchedAtMs < freshMs);
    return isEnough ? match : this.#spans.get(spanKey(span));
  }

  /** The history of a span, and how many requests it took. */
  async load(span: FundingSpan): Promise<Loaded> {
    let pageCount = 0;
    const onPage = (): void => void (pageCount += 1);
    const match = this.find(span);
    if (match !== undefined) return { loaded: ok(match), pageCount };
    const cachedSinceMs = this.#symbols.get(symbolKey(span))?.sinceMs ?? this.#now() - publishedMs;
    const isPast = span.untilMs <= cachedSinceMs;
    const loaded = await (isPast ? this.#readPast(span, onPage) : this.#extend(span, onPage));
    return { loaded, pageCount };
  }

  /** Reads the missing older part, then the missing newer part. */
  async #extend(span: FundingSpan, onPage: () => void): Promise<Outcome<CachedHistory>> {
    const { exchange, symbol, sinceMs, untilMs } = span;
    const key = symbolKey(span);
    const read = (part: { sinceMs: number; untilMs: number }) =>
      this.#venues[exchange].fundingHistory({ symbol, ...part, onPage });
    const before = this.#symbols.get(key);
    if (before !== undefined && sinceMs < before.sinceMs) {
      const older = await read({ sinceMs, untilMs: before.sinceMs });
      if (!older.ok) return older;
      this.#symbols.set(key, { ...before, history: join(older.value, before.history), sinceMs });
    }
    const known = this.#symbols.get(key);
    if (known !== undefined && untilMs <= known.fetchedAtMs) return ok(known);
    const fetchedAtMs = this.#now();
    const fromMs = known === undefined ? sinceMs : Math.max(known.sinceMs, known.fetchedAtMs - publishedMs);
    const newer = await read({ sinceMs: fromMs, untilMs: fetchedAtMs });
    if (!newer.ok) return newer;
    const settled = known && fundingWithin(known.history, { fromMs: known.sinceMs, untilMs: fromMs });
    const history = settled === undefined ? newer.value : join(settled, newer.value);
    const entry = { history, sinceMs: known?.sinceMs ?? sinceMs, fetchedAtMs };
    this.#symbols.set(key, entry);
    return ok(entry);
  }

  async #readPast(span: FundingSpan, onPage: () => void): Promise<Outcome<CachedHistory>> {
    const { exchange, symbol, sinceMs, untilMs } = span;
    const fetchedAtMs = this.#now();
    const read = await this.#venues[exchange].fundingHistory({ symbol, sinceMs, untilMs, onPage });
    if (!read.ok) return read;
    const entry = { history: read.value, fetchedAtMs };
    this.#spans.set(spanKey(span), entry);
    return ok(entry);
  }
}

interface Loaded {
  loaded: Outcome<CachedHistory>;
  pageCount: number;
}

export function createFundingCache(venues: Record<ExchangeId, Venue>, now: () => number) {
  const histories = new Histories(venues, now);
  const flights = createFlights<Loaded>();
  const turns = createTurns();

  async function fetch(span: FundingSpan, caller: Caller): Promise<Outcome<CachedHistory>> {
    // Each caller is charged: a shared flight must not fail for all callers because one has used up its share.
    const charged = await caller.charge(1, span.exchange);
    if (!charged.ok) return charged;
    const flight = await flights(spanKey(span), () => turns(symbolKey(span), () => histories.load(span)));
    // The number of pages is known only after the read.
    caller.owe(flight.pageCount - 1);
    return flight.loaded;
  }

  return async (requested: FundingSpan, caller: Caller): Promise<Outcome<CachedHistory>> => {
    const sinceMs = Math.min(Math.max(0, requested.sinceMs), now());
    const span = { ...requested, sinceMs, untilMs: Math.max(sinceMs, requested.untilMs) };
    const match = histories.find(span);
    const loaded = match === undefined ? await caller.inPlace(() => fetch(span, caller)) : ok(match);
    if (!loaded.ok) return loaded;
    const window = { fromMs: span.sinceMs, untilMs: span.untilMs };
    return ok({ ...loaded.value, history: fundingWithin(loaded.value.history, window) });
  };
}
