import { type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';

/** Exchanges with a known fee schedule: all of them. */
export const venues = venueIds;
export type Venue = VenueId;
