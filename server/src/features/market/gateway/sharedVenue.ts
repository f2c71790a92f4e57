import type { Outcome } from '../../../platform/errors.ts';
import type { CallMessage, OwnVenue, RemoteRead } from './wire.ts';
import { createFlights } from '../shared.ts';
import type { PositioningRequest, Venue, VenueCandleRequest } from '../port.ts';

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
  // A bar that the exchange had not finished must soon be requested again.
  candles: 1500,
  fundingHistory: 5000,
};
const STORED_MAX = 2000;

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

/** Reads for all nodes: equal requests share one, and a result serves those of the next moment. */
export function createSharedReads(
  venues: Record<string, OwnVenue>,
  now: () => number,
): (call: CallMessage) => Promise<SharedResult> {
  const flights = createFlights<SharedResult>();
  const stored = new Map<string, SharedResult>();
  return async (call) => {
    const venue = venues[call.exchange];
    if (venue === undefined) throw new RangeError(`${call.exchange} is no exchange`);
    const key = JSON.stringify([call.exchange, call.read, call.request]);
    const known = stored.get(key);
    if (known !== undefined && now() - known.fetchedAtMs < freshMs[call.read]) return known;
    return flights(key, async () => {
      const result = { ...(await read(venue, call)), fetchedAtMs: now() };
      stored.delete(key);
      if (result.outcome.ok && freshMs[call.read] > 0) stored.set(key, result);
      if (stored.size > STORED_MAX)
        for (const oldest of stored.keys()) {
          stored.delete(oldest);
          break;
        }
      return result;
    });
  };
}
