import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Outcome } from '../../../platform/errors.ts';
import type { CallMessage, OwnVenue, RemoteRead } from './wire.ts';
import { createFlights } from '../shared.ts';
import type { CandleWindow, PositioningRequest, Venue, VenueCandleRequest } from '../port.ts';

/** How long a result serves other nodes, ms. Each node caches by its own rules, too: prices must stay as fresh as they promise. */
const freshMs: Record<RemoteRead, number> = {
  symbols: 0,
  prices: 500,
  tops: 300,
  orderBook: 200,
  funding: 5000,
  tiers: 60_000,
  turnovers: 60_000,
  openInterest: 5000,
  openInterestSeries: 10_000,
  longShortSeries: 10_000,
  // A bar that the exchange had not finished must soon be requested again; see `COMPLETE_MS`.
  candles: 1500,
  fundingHistory: 5000,
};
const STORED_MAX = 2000;
/**
 * A window with every candle up to its end does not change. It serves nodes that start some seconds later than the first one: each of them
 * would request the market again, which is most of a minute's limit.
 */
const COMPLETE_MS = 15_000;
/** About 20 MB. */
const STORED_CANDLES_MAX = 400_000;

export interface SharedResult {
  outcome: Outcome<unknown>;
  pageCount: number;
  fetchedAtMs: number;
}

/** Runs one read of the port. */
async function read(venue: Venue, { read: name, request }: CallMessage): Promise<Omit<SharedResult, 'fetchedAtMs'>> {
  let pageCount = 1;
  const outcome = await ((): Promise<Outcome<unknown>> => {
    switch (name) {
      case 'symbols':
        return venue.symbols(typeof request === 'number' ? request : undefined);
      case 'candles':
        return venue.candles(request as VenueCandleRequest);
      case 'prices':
        return venue.prices();
      case 'tops':
        return venue.tops();
      case 'turnovers':
        return venue.turnovers();
      case 'openInterest':
        return venue.openInterest(String(request));
      case 'openInterestSeries':
        return venue.openInterestSeries(request as PositioningRequest);
      case 'longShortSeries':
        return venue.longShortSeries(request as PositioningRequest);
      case 'funding':
        return venue.funding(String(request));
      case 'orderBook':
        return venue.orderBook(String(request));
      case 'tiers':
        return venue.tiers(String(request));
      case 'fundingHistory': {
        pageCount = 0;
        const span = request as Parameters<Venue['fundingHistory']>[0];
        return venue.fundingHistory({ ...span, onPage: () => void (pageCount += 1) });
      }
    }
  })();
  return { outcome, pageCount };
}

/** An exchange may still correct a bar that has just closed; a node that reads it again must get the correction. */
const SETTLED_MS = 15_000;

/** Candles of the result, when all of the request are there and the last has closed some time ago; 0 otherwise. */
function completeCount({ read: name, request }: CallMessage, { outcome }: SharedResult, clockMs: number): number {
  if (name !== 'candles' || !outcome.ok) return 0;
  const { candles, gaps } = outcome.value as CandleWindow;
  const { interval, toMs } = request as VenueCandleRequest;
  if (clockMs < toMs + intervalMs[interval] + SETTLED_MS) return 0;
  const isComplete = gaps.length === 0 && candles.time.at(-1) === toMs;
  return isComplete ? candles.time.length : 0;
}

/** Results that later requests of other nodes may get. */
class StoredResults {
  readonly #results = new Map<string, SharedResult & { freshMs: number; candleCount: number }>();
  #candleCount = 0;

  get(key: string, nowMs: number): SharedResult | undefined {
    const known = this.#results.get(key);
    return known !== undefined && nowMs - known.fetchedAtMs < known.freshMs ? known : undefined;
  }

  add(key: string, call: CallMessage, result: SharedResult, clockMs: number): void {
    this.#delete(key);
    const candleCount = completeCount(call, result, clockMs);
    const life = candleCount > 0 ? COMPLETE_MS : freshMs[call.read];
    if (!result.outcome.ok || life === 0) return;
    this.#results.set(key, { ...result, freshMs: life, candleCount });
    this.#candleCount += candleCount;
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= STORED_MAX && this.#candleCount <= STORED_CANDLES_MAX) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#candleCount -= this.#results.get(key)?.candleCount ?? 0;
    this.#results.delete(key);
  }
}

/** Reads for all nodes: equal requests share one, and a result serves those of the next moment. */
export function createSharedReads(
  venues: Record<string, OwnVenue>,
  now: () => number,
  clock: () => number = Date.now,
): (call: CallMessage) => Promise<SharedResult> {
  const flights = createFlights<SharedResult>();
  const stored = new StoredResults();
  return async (call) => {
    const venue = venues[call.exchange];
    if (venue === undefined) throw new RangeError(`${call.exchange} is no exchange`);
    const key = JSON.stringify([call.exchange, call.read, call.request]);
    return (
      stored.get(key, now()) ??
      flights(key, async () => {
        const result = { ...(await read(venue, call)), fetchedAtMs: now() };
        stored.add(key, call, result, clock());
        return result;
      })
    );
  };
}
