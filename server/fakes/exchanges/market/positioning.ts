import { smoothNoise } from './hash.ts';
import type { Listing } from './venues.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;

const seedOf = ({ instrument, venue }: Listing): number =>
  instrument.seed ^ (venue.length * 0x2f1b) ^ venue.charCodeAt(1);

/** Units of open contracts: about half of a day's turnover, with slow swings. Depends on past time only. */
export function openInterestOf(listing: Listing, atMs: number): number {
  const seed = seedOf(listing);
  const { instrument, turnoverShare } = listing;
  const swing = 0.12 * smoothNoise(seed ^ 0x41, atMs, 2 * DAY) + 0.04 * smoothNoise(seed ^ 0x42, atMs, 3 * HOUR);
  const units =
    (0.5 * instrument.dailyTurnover * turnoverShare) / (instrument.anchorPrice * instrument.unit[listing.venue]);
  return units * Math.exp(swing);
}

/** Accounts that are long per account that is short. Crowds of retail accounts lean to the long side. */
export function longShortRatioOf(listing: Listing, atMs: number): number {
  const seed = seedOf(listing);
  return Math.exp(0.3 + 0.35 * smoothNoise(seed ^ 0x43, atMs, DAY) + 0.08 * smoothNoise(seed ^ 0x44, atMs, HOUR));
}

/** Stamps of the newest `limit` points, oldest first. */
export function stampsOf(spanMs: number, limit: number, nowMs: number, listedAtMs: number): number[] {
  const last = Math.floor(nowMs / spanMs) * spanMs;
  const stamps = Array.from({ length: limit }, (_, i) => last - (limit - 1 - i) * spanMs);
  return stamps.filter((atMs) => atMs >= listedAtMs);
}
