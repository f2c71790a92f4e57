import { setTimeout as pause } from 'node:timers/promises';

const hourMs = 3_600_000;

/**
 * The end of a window of candles on a simulated market: the full hour, some days ago. The market moves with the clock (EXCHANGES_START), so
 * this is the same market moment in every run; a fixed date would be another one each hour. Call it once in a test that needs it twice.
 */
export const daysAgoMs = (days: number): number => Math.floor(Date.now() / hourMs) * hourMs - days * 24 * hourMs;

/**
 * Candles close at the full hour: what a test has read of the market and the responses it gets must be of one hour. Waits past the end
 * of the hour when that is nearer than the test takes. @returns the hour
 */
export async function settledHour(neededMs = 20_000): Promise<number> {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < neededMs) await pause(leftMs + 1000);
  return Math.floor(Date.now() / hourMs);
}
