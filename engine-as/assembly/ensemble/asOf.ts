import { STALE_STEPS } from '../../abi/ensemble';
import { at } from '../series';

/** The candle of another interval that is known at each base candle. Layout: abi/ensembleExports.ts. */
export function asOf(
  baseTime: usize,
  baseLength: i32,
  baseStepMs: f64,
  otherTime: usize,
  otherLength: i32,
  otherStepMs: f64,
  index: usize,
): void {
  let known = -1;
  for (let i = 0; i < baseLength; i++) {
    const now = at(baseTime, i) + baseStepMs;
    while (known + 1 < otherLength && at(otherTime, known + 1) + otherStepMs <= now) known++;
    const isFresh = known >= 0 && now - (at(otherTime, known) + otherStepMs) <= STALE_STEPS * otherStepMs;
    store<i32>(index + ((<usize>i) << 2), isFresh ? known : -1);
  }
}
