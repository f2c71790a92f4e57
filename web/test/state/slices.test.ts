import { afterEach, describe, expect, it, vi } from 'vitest';
import { atOnce, inSlices, nextTask, startSlices, type Steps } from '../../src/state/slices.ts';
import { patiently } from '../support/patiently.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Six steps of 5 ms by the page's clock, which only they move. */
function sixSteps(): { made: number[]; steps: Steps<string> } {
  let nowMs = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const made: number[] = [];
  function* steps(): Steps<string> {
    for (let step = 1; step <= 6; step++) {
      made.push(step);
      nowMs += 5;
      yield;
    }
    return 'whole';
  }
  return { made, steps: steps() };
}

describe('a long calculation', () => {
  it('starts at once, and yields after each slice of 8 ms until other tasks have run', async () => {
    const { made, steps } = sixSteps();
    const whole = inSlices(steps);
    expect(made).toEqual([1, 2]);
    await nextTask();
    expect(made).toEqual([1, 2, 3, 4]);
    await nextTask();
    expect(made).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await whole).toBe('whole');
  });

  it('goes no further once its signal has ended it, and says why', async () => {
    const { made, steps } = sixSteps();
    const ended = new AbortController();
    const whole = inSlices(steps, ended.signal);
    ended.abort(new Error('a newer one'));
    await expect(whole).rejects.toThrow('a newer one');
    expect(made).toEqual([1, 2]);
  });

  it('of a component reports nothing after it was ended', async () => {
    const onDone = vi.fn();
    const first = sixSteps();
    startSlices(first.steps, onDone)();
    const second = sixSteps();
    startSlices(second.steps, onDone);
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1), patiently);
    expect(onDone).toHaveBeenCalledWith('whole');
    expect(first.made).toEqual([1, 2]);
    expect(second.made).toHaveLength(6);
  });

  it('runs in one go when requested', () => {
    const { made, steps } = sixSteps();
    expect(atOnce(steps)).toBe('whole');
    expect(made).toHaveLength(6);
  });
});
