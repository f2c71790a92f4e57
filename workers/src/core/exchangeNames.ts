import { venueFacts } from '@sextant/engine-as/abi/costs.ts';
import { byVenue } from './byVenue.ts';

/** Exchanges as screens and messages name them. */
export const exchangeNames = byVenue((venue) => venueFacts[venue].name);
