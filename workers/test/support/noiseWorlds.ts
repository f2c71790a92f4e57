import type { Candles } from '../../src/protocol/backtest.ts';
import { noises, pureNoise } from './plantedWorlds.ts';

/** Worlds of noise that are searched repeatedly, as by a user who searches until something holds up. */

const FULL = { worlds: 20, searches: 40 };
/** What `npm test` has. */
const SHARE = { worlds: 2, searches: 5 };
export const noisePlan = process.env.STATISTICS === 'full' ? FULL : SHARE;

const HOUR_MS = 3_600_000;
const CANDLES = 700;
export const NOISE_SAMPLES = 20;

/** Hourly candles of world `k`. @param endMs their last one closes then; absent: in the past */
export function noiseWorld(k: number, endMs?: number): Candles {
  const candles = pureNoise(
    { count: CANDLES, stepMs: HOUR_MS, deviation: 0.01 },
    830_000 + k,
    noises[k % noises.length] ?? 'normal',
  );
  if (endMs === undefined) return candles;
  const lastMs = Math.floor(endMs / HOUR_MS) * HOUR_MS;
  return { ...candles, time: candles.time.map((_, i) => lastMs - (CANDLES - i) * HOUR_MS) };
}

const targets = ['pnl', 'sharpe', 'expectancy', 'profitFactor'] as const;

/** Search `i` of a world: another seed, and another target in turn. */
export const noiseSearch = (i: number): { samples: number; seed: number; target: (typeof targets)[number] } => ({
  samples: NOISE_SAMPLES,
  seed: 1000 + i,
  target: targets[i % targets.length] ?? 'pnl',
});

/** How often each verdict was read; printed, for the table of docs/honesty.md. */
export function countHeld(door: string, levels: readonly string[]): number {
  const tally = [...Map.groupBy(levels, (level) => level)].map(([level, all]) => `${level} ${all.length}`);
  process.stdout.write(`noise through the ${door}: ${tally.join(', ')}\n`);
  return levels.filter((level) => level === 'holds up').length;
}
