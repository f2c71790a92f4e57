import { setTimeout as pause } from 'node:timers/promises';

const hourMs = 3_600_000;

/**
 * The end of a window of candles on a simulated market: the full hour, some days ago. The market moves with the clock (EXCHANGES_START), so
 * that this is the same moment of it in every run; a date would be another one each hour. Called once by a test that asks twice.
 */
export const daysAgoMs = (days: number): number => Math.floor(Date.now() / hourMs) * hourMs - days * 24 * hourMs;

/**
 * At the full hour candles close: what a test has read of the market, and what is answered to it, must be of one hour. Waits over the end
 * of one that is nearer than the test takes. Gives the hour.
 */
export async function settledHour(neededMs = 20_000): Promise<number> {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < neededMs) await pause(leftMs + 1000);
  return Math.floor(Date.now() / hourMs);
}
