import { type Db, withSystem } from '../../platform/db/scope.ts';
import { countUpMinutes } from './healthCheckRepository.ts';

export const minuteMs = 60_000;
const windowMs = 30 * 24 * 60 * minuteMs;

export interface Uptime {
  /** Share of the minutes with a good answer. */
  fraction: number;
  upMinutes: number;
  /** Whole minutes from the first row of the window until now. */
  minutes: number;
  fromMs: number;
}

/** Null until the first minute is over. A minute without a row, because nothing ran or nothing could be written, counts as down. */
export async function readUptime(db: Db, nowMs: number): Promise<Uptime | null> {
  const minuteNow = Math.floor(nowMs / minuteMs) * minuteMs;
  const range = { since: new Date(minuteNow - windowMs), before: new Date(minuteNow) };
  const { first, upMinutes } = await withSystem(db, (tx) => countUpMinutes(tx, range));
  if (first === null) return null;
  const minutes = (minuteNow - first.getTime()) / minuteMs;
  return { fraction: upMinutes / minutes, upMinutes, minutes, fromMs: first.getTime() };
}
