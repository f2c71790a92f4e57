import { hash, smoothNoise, toNormal, toUniform } from './hash.ts';
import type { Instrument } from './instruments.ts';
import type { VenueId } from './venues.ts';

const venueSeeds: Record<VenueId, number> = { binance: 0x1f3a, bybit: 0x5d2b77, okx: 0x3c91e5 };
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/**
 * How far a perpetual trades from the index, as log ratio. Funding is paid for the slow part: it leans with the trend of the last days and
 * with the mood of each market. It depends on past time only.
 */
export function slowPremium(
  marketSeed: number,
  venue: VenueId,
  instrument: Instrument,
  atMs: number,
  trend: number,
): number {
  const seed = marketSeed ^ instrument.seed;
  const heat = 0.00018 + instrument.ownVolatility * 0.009;
  const mood = smoothNoise(seed ^ 0x71, atMs, 3 * DAY) + 0.5 * smoothNoise(seed ^ 0x72, atMs, 10 * HOUR);
  const local = 0.22 * smoothNoise(seed ^ venueSeeds[venue], atMs, 7 * HOUR);
  return 0.00005 + heat * (mood + local) + Math.max(-0.0012, Math.min(0.0012, 0.006 * trend));
}

/** Premium without effect on funding: quotes of one venue lead the others by seconds or minutes; rare dislocations. */
export function fastOffset(marketSeed: number, venue: VenueId, instrument: Instrument, atMs: number): number {
  const seed = marketSeed ^ instrument.seed ^ venueSeeds[venue];
  // Thin markets stray further: about 0.4 bps for BTC, 3 bps at ten million a day.
  const thinness = Math.min(3.2, Math.max(0.4, 0.4 * (18e9 / instrument.dailyTurnover) ** 0.28)) * 1e-4;
  const noise = 0.7 * smoothNoise(seed, atMs, 20 * MINUTE) + 0.7 * smoothNoise(seed ^ 0x91, atMs, 90_000);
  return thinness * noise + dislocation(seed, instrument, atMs);
}

/** For some minutes a thin market may be 0.2 to 0.9 % away: a large order on one venue that others have not followed yet. */
function dislocation(seed: number, instrument: Instrument, atMs: number): number {
  if (instrument.dailyTurnover > 1e9) return 0;
  const span = 30 * MINUTE;
  const block = Math.floor(atMs / span);
  const u = toUniform(hash(seed, 0x99, block));
  if (u > 0.018) return 0;
  const phase = (atMs - block * span) / span;
  const shape = 16 * (phase * (1 - phase)) ** 2;
  const size = 0.002 + 0.0025 * Math.abs(toNormal(hash(seed, 0x9a, block)));
  return (u < 0.009 ? 1 : -1) * Math.min(0.009, size) * shape;
}
