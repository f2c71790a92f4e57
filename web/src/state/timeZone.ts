import { readSaved, save } from './storage.ts';
import { createStore } from './store.ts';

export type TimeZone = 'local' | 'utc';

/** In which time moments are shown; the other one is on the hover. */
export const timeZoneState = createStore<{ zone: TimeZone }>({
  zone: readSaved('timeZone') === 'utc' ? 'utc' : 'local',
});

export function setTimeZone(zone: TimeZone): void {
  timeZoneState.set({ zone });
  save('timeZone', zone);
}

export const toggleTimeZone = (): void => setTimeZone(timeZoneState.current.zone === 'local' ? 'utc' : 'local');
