import { proxy } from 'valtio';
import { readSaved, save } from './storage.ts';

export type TimeZone = 'local' | 'utc';

/** In which time moments are shown; the other one is on the hover. */
export const timeZoneState = proxy<{ zone: TimeZone }>({ zone: readSaved('timeZone') === 'utc' ? 'utc' : 'local' });

export function setTimeZone(zone: TimeZone): void {
  timeZoneState.zone = zone;
  save('timeZone', zone);
}

export const toggleTimeZone = (): void => setTimeZone(timeZoneState.zone === 'local' ? 'utc' : 'local');
