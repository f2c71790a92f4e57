import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { type Listing, type VenueId, venueIds } from './venues.ts';

/** Changed listing data of a symbol. */
export interface ListingChange {
  /** Symbol of the main venue: BTCUSDT. */
  symbol: string;
  /** On one venue only. */
  venue?: VenueId | undefined;
  /** `gone`: missing from every list and stream. `ended` and `halted`: listed with that state, without data. */
  state?: 'trading' | 'halted' | 'ended' | 'gone' | undefined;
  tick?: string | undefined;
  step?: string | undefined;
}

export type Listings = Record<VenueId, Map<string, Listing>>;

/** Changes what the venues list, as exchanges do: a contract ends, is halted, or gets another tick or step. */
export function createListingChanges(listings: Listings): (change: ListingChange) => void {
  const all = byVenue((venue) => [...listings[venue].values()]);
  return ({ symbol, venue, state, tick, step }) => {
    for (const each of venue === undefined ? venueIds : [venue]) {
      const listing = all[each].find(({ instrument }) => instrument.ids.binance === symbol);
      if (listing === undefined) continue;
      // The object is reused, because caches are keyed by it.
      if (tick !== undefined) listing.tick = tick;
      if (step !== undefined) listing.step = step;
      if (state === undefined) continue;
      if (state === 'gone') listings[each].delete(listing.id);
      else {
        listing.state = state;
        listings[each].set(listing.id, listing);
      }
    }
  };
}
