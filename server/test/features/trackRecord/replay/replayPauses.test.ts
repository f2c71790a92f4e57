import { describe, expect, it } from 'vitest';
import {
  LEAST_PAUSE_MS,
  pauseOfCancelled,
  START_PAUSE_MS,
} from '../../../../src/features/trackRecord/replay/replayPauses.ts';

describe('the pause after a cancelled replay', () => {
  it('HIST-152 is its share of the whole one, nothing before its first turn, and a minute at least after it', () => {
    const pause = (hasHadTurn: boolean, symbolsWanted: number | null, symbolsDone: number) =>
      pauseOfCancelled({ hasHadTurn, symbolsWanted, symbolsDone });
    expect(pause(false, null, 0)).toBe(0);
    expect(pause(true, null, 0)).toBe(60_000);
    expect(pause(true, 0, 0)).toBe(60_000);
    expect(pause(true, 300, 0)).toBe(60_000);
    expect(pause(true, 300, 149)).toBe(300_000);
    expect(pause(true, 300, 299)).toBe(600_000);
    expect(pause(true, 300, 300)).toBe(600_000);
  });

  it('HIST-152 gives no more than one whole replay in ten minutes, whatever is cancelled when', () => {
    for (const wanted of [1, 7, 40, 300])
      for (let done = 0; done <= wanted; done++) {
        // Symbols of a start, the one in flight included, for each minute of its pause.
        const perMs =
          Math.min(wanted, done + 1) / pauseOfCancelled({ hasHadTurn: true, symbolsWanted: wanted, symbolsDone: done });
        expect(perMs).toBeLessThanOrEqual(wanted / START_PAUSE_MS);
      }
    expect(LEAST_PAUSE_MS).toBeGreaterThan(0);
  });
});
