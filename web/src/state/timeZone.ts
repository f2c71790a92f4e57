import { proxy } from 'valtio';
import { readSaved, save } from './storage.ts';

export type TimeZone = 'local' | 'utc';

/** In which time moments are shown; the other one is on the hover. */
export const timeZoneState = proxy<{ zone: TimeZone }>({ zone: readSaved('timeZone') === 'utc' ? 'utc' : 'local' });

export function toggleTimeZone(): void {
  timeZoneState.zone = timeZoneState.zone === 'local' ? 'utc' : 'local';
  save('timeZone', timeZoneState.zone);
}
