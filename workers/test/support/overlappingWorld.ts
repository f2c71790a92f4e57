import type { MeanOutcome } from '../../src/signals/meanOutcome.ts';
import { seededRandom } from './randomRuns.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const STEP_HOURS = 4;
const STEPS_OF_DAY = 24 / STEP_HOURS;
const SYMBOLS = 5;

export interface World {
  days: number;
  holdHoursMax: number;
}

/** Positions without an edge: random walks that share half of their variance with the market, one entry per symbol on most days. */
export function overlappingWorld(seed: number, { days, holdHoursMax }: World): MeanOutcome[] {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const holdStepsMax = holdHoursMax / STEP_HOURS;
  const steps = days * STEPS_OF_DAY + holdStepsMax;
  const market = Array.from({ length: steps }, normal);
  return Array.from({ length: SYMBOLS }, () => {
    const price = [0];
    for (const move of market) price.push((price.at(-1) ?? 0) + 0.002 * (move + normal()));
    return Array.from({ length: days }, (_, day) => {
      const from = day * STEPS_OF_DAY + Math.floor(random() * STEPS_OF_DAY);
      const to = from + Math.ceil((0.5 + random() / 2) * holdStepsMax);
      const [closeAtMs, exitAtMs] = [from, to].map((step) => START_MS + step * STEP_HOURS * HOUR_MS) as [
        number,
        number,
      ];
      return { closeAtMs, exitAtMs, netFraction: price[to]! - price[from]! };
    }).filter(() => random() < 0.7);
  }).flat();
}

/** Share of worlds whose interval has the true value. */
export function coverageOf(
  intervalOf: (seed: number) => { low: number; high: number } | null,
  truth: number,
  worlds = 500,
): number {
  const covered = Array.from({ length: worlds }, (_, seed) => intervalOf(seed + 1)).filter(
    (interval) => interval !== null && interval.low <= truth && interval.high >= truth,
  );
  return covered.length / worlds;
}
