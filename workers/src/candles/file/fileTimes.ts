import { durationText } from '../../core/timeText.ts';

/** Steps between the rows of a file, and their words. */

/** `7m`, `2h`; a duration in words for anything else. */
export function stepName(stepMs: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const;
  const unit = units.find(([, ms]) => stepMs >= ms && stepMs % ms === 0);
  return unit === undefined ? durationText(stepMs) : `${stepMs / unit[1]}${unit[0]}`;
}

/** The distance that occurs most often; NaN of a single time. */
export function mostCommonStep(time: Float64Array): number {
  const counts = new Map<number, number>();
  let best = NaN;
  let bestCount = 0;
  let before = NaN;
  let run = 0;
  const add = (): void => {
    if (run === 0) return;
    const count = (counts.get(before) ?? 0) + run;
    counts.set(before, count);
    if (count > bestCount) [best, bestCount] = [before, count];
  };
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] as number) - (time[i - 1] as number);
    if (step === before) run++;
    else {
      add();
      [before, run] = [step, 1];
    }
  }
  add();
  return best;
}
