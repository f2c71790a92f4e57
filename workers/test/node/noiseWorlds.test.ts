import { describe, expect, it } from 'vitest';
import { respondToTask } from '../../src/node/respondToTask.ts';
import { columnToWire } from '../../src/protocol/wire/candles.ts';
import { countHeld, noisePlan, noiseSearch, noiseWorld } from '../support/noiseWorlds.ts';

interface ResponseBody {
  trialCount: number;
  reading: { level: string };
}

/** The command stores no counts: its user passes how much was tried and viewed. */
async function judge(input: object): Promise<ResponseBody> {
  const { code, stdout, stderr } = await respondToTask(
    ['honesty'],
    () => Promise.resolve(JSON.stringify(input)),
    () => Promise.resolve(),
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as ResponseBody;
}

/** Texts that a user may think of, in turn. */
const texts = [
  `fast = 8 [3..20 step 1]; slow = 40 [24..90 step 3]
long when crossover(ema(close, fast), ema(close, slow))
short when crossunder(ema(close, fast), ema(close, slow))
stop 2 * atr(14); target 2R`,
  `start = 12 [0..19 step 1]; length = 2 [1..4 step 1]
long when hour in start..start + length
exit long when not (hour in start..start + length)
stop 5 %; target 10 %`,
  `n = 14 [5..25 step 1]; least = 30 [10..45 step 1]; w = 2 [0.5..4 step 0.5]
long when rsi(n) < least
short when rsi(n) > 100 - least
stop w * atr(14); target 1.5R`,
];

describe('noise that is searched again and again', () => {
  it('RULE-026 holds up in at most 1 % of the searches over own rules, with the counts passed on', async () => {
    const levels: string[] = [];
    for (let k = 0; k < noisePlan.worlds; k++) {
      const candles = Object.fromEntries(
        Object.entries<Float64Array>({ ...noiseWorld(k) }).map(([name, column]) => [name, columnToWire(column)]),
      );
      let earlierTrialCount = 0;
      for (let i = 0; i < noisePlan.searches; i++) {
        const search = { candles, rules: texts[i % texts.length], interval: '1h', optimize: noiseSearch(i) };
        const { trialCount, reading } = await judge({ search, earlierTrialCount, earlierLookCount: i });
        levels.push(reading.level);
        earlierTrialCount = trialCount;
      }
    }
    expect(countHeld('command line, own rules', levels)).toBeLessThanOrEqual(Math.ceil(0.01 * levels.length));
  }, 3_600_000);

  it('holds up at most once through the command line, with the counts passed on', async () => {
    const levels: string[] = [];
    for (let k = 0; k < noisePlan.worlds; k++) {
      const candles = Object.fromEntries(
        Object.entries<Float64Array>({ ...noiseWorld(k) }).map(([name, column]) => [name, columnToWire(column)]),
      );
      let earlierTrialCount = 0;
      for (let i = 0; i < noisePlan.searches; i++) {
        const counts = { earlierTrialCount, earlierLookCount: i };
        const { trialCount, reading } = await judge({ search: { candles, optimize: noiseSearch(i) }, ...counts });
        levels.push(reading.level);
        expect(trialCount).toBeGreaterThan(earlierTrialCount);
        earlierTrialCount = trialCount;
      }
    }
    expect(countHeld('command line', levels)).toBeLessThanOrEqual(1);
  }, 3_600_000);
});
