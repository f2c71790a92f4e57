import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { countUpMinutes, readFirstCheck } from './healthCheckRepository.ts';

/** The spans an uptime can speak of, the longest first. */
const windowDays = [30, 7, 1] as const;

export interface Uptime {
  /** Share of the minutes with a good answer. */
  fraction: number;
  upMinutes: number;
  /** Minutes of the window. */
  minutes: number;
  fromMs: number;
}

/**
 * Uptime over the longest span that has been measured whole; null before the first day is over. A minute without a row, because
 * nothing ran or nothing could be written, counts as down.
 */
export async function readUptime(db: Db, nowMs: number): Promise<Uptime | null> {
  const minuteNow = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const before = new Date(minuteNow);
  return withSystem(db, async (tx) => {
    const first = await readFirstCheck(tx);
    const days = first === null ? undefined : windowDays.find((each) => first.getTime() <= minuteNow - each * DAY_MS);
    if (days === undefined) return null;
    const since = new Date(minuteNow - days * DAY_MS);
    const upMinutes = await countUpMinutes(tx, { since, before });
    const minutes = (days * DAY_MS) / MINUTE_MS;
    return { fraction: upMinutes / minutes, upMinutes, minutes, fromMs: since.getTime() };
  });
}
