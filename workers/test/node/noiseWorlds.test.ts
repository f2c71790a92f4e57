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

describe('noise that is searched again and again', () => {
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
