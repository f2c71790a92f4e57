import { type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';

/** One value for each exchange of the product. */
export const byVenue = <Value>(make: (id: VenueId) => Value): Record<VenueId, Value> =>
  Object.fromEntries(venueIds.map((id) => [id, make(id)])) as Record<VenueId, Value>;
